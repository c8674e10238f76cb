"""What the laboratory's commands show: the progress of long work on standard error, and tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from querymix.commands.bars import Progress
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table


def progress(*, percent: bool = False) -> Progress:
    """Return a bar that counts steps, with the time they took and will take; with `percent` it tells their share."""
    amount = TextColumn("{task.percentage:>3.0f} %") if percent else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(*columns, counted=not percent)


def passing() -> Progress:
    """Return a bar of steps that is gone at the end."""
    return Progress(*Progress.get_default_columns(), counted=True, transient=True)


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1, no_wrap: bool = False, **look: Any
) -> Table:
    """Return a table whose first columns are `names`, and all others numbers, to the right."""
    made = Table(**look)
    for number, column in enumerate(columns):
        made.add_column(column, justify="left" if number < names else "right", no_wrap=no_wrap)
    for row in rows:
        made.add_row(*row)
    return made
