"""Tables and a verdict on a terminal: in colours where it has them, and NO_COLOR does not ask for none."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from loadtest.measure.tables import Table

_COLOURS: Final = {"ok": "green", "FAILED": "bold red"}
"""Of words that say whether something holds, where they are a whole cell."""


def show_verdict(passed: bool, said: Sequence[str], console: Console) -> None:
    """Print whether a run passed, and what has to be known of it."""
    console.print(Text(said[0], style="bold green" if passed else "bold red"))
    for one in said[1:]:
        console.print(Text(f"  {one}"))
    console.print()


def show(found: Sequence[Table], console: Console) -> None:
    """Print tables."""
    for table in found:
        shown = RichTable(
            *table.columns, title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        for column in shown.columns[table.texts :]:
            column.justify = "right"
        for row in table.rows:
            shown.add_row(*(Text(cell, style=_COLOURS.get(cell, "")) for cell in row))
        console.print(shown, "")
