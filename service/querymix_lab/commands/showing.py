"""What the laboratory's commands show: the progress of long work on standard error, and tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table


def progress(console: Console, *, percent: bool = False) -> Progress:
    """Return a bar that counts steps, with the time that they took and will take.

    With `percent` it tells their share instead of their number, and on a terminal only.
    """
    amount = TextColumn("{task.percentage:>3.0f} %") if percent else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=percent and not console.is_terminal)


def passing(console: Console) -> Progress:
    """Return a bar that only a terminal shows, and that is gone at the end."""
    return Progress(console=console, transient=True, disable=not console.is_terminal)


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
