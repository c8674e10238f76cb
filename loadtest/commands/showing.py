"""Tables on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as RichTable

from loadtest.measure.tables import Table


def show(found: Sequence[Table], console: Console) -> None:
    """Print tables."""
    for table in found:
        shown = RichTable(
            *table.columns, title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        for column in shown.columns[table.texts :]:
            column.justify = "right"
        for row in table.rows:
            shown.add_row(*(cell.replace("[", "\\[") for cell in row))
        console.print(shown, "")
