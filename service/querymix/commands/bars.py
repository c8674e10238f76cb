"""How far a command has come, on standard error.

Rule: on a terminal it is a bar. Elsewhere it is a line every `EVERY` seconds, or each second with --verbose, from a
thread: work that tells nothing for minutes still shows that it goes on, and what is over sooner says nothing.
"""

import threading
from collections.abc import Callable
from typing import Final

from rich import progress

from querymix.commands.progress import loudness, say
from querymix.consoles import Console

EVERY: Final = 10.0
"""Seconds between two lines."""
_VERBOSE: Final = 1.0


class Progress(progress.Progress):
    """A bar of steps, or lines where standard error is no terminal.

    `look` is called before a line is shown, to update the tasks; `counted`: a line tells how many steps are done, and
    not their share; `every`: seconds between two lines.
    """

    def __init__(
        self,
        *columns: str | progress.ProgressColumn,
        look: Callable[["Progress"], None] = lambda _: None,
        counted: bool = False,
        every: float | None = None,
        transient: bool = False,
    ) -> None:
        console = Console(stderr=True)
        loud = loudness()
        super().__init__(
            *columns, console=console, transient=transient, disable=loud == "quiet" or not console.is_terminal
        )
        self._look = look
        self._counted = counted
        self._every = every or (_VERBOSE if loud == "verbose" else EVERY)
        self._ended = threading.Event()
        self._lines = threading.Thread(target=self._tell, daemon=True) if self.disable and loud != "quiet" else None

    def start(self) -> None:
        """Begin to show."""
        super().start()
        if self._lines:
            self._lines.start()

    def stop(self) -> None:
        """Show nothing from now on; a bar stays as the work has ended."""
        if not self.disable:
            self._look(self)
        super().stop()
        self._ended.set()
        if self._lines and self._lines.is_alive():
            self._lines.join()

    def _tell(self) -> None:
        while not self._ended.wait(self._every):
            self._look(self)
            for task in self.tasks[-1:]:
                say(line_of(task, counted=self._counted))


def line_of(task: progress.Task, *, counted: bool) -> str:
    """Return a task as a line, such as "mdav: 40 % after 120 s"."""
    name, after = task.description or "working", f"after {task.elapsed or 0:.0f} s"
    if not task.total:
        amount = f"{task.completed:,.0f} " if task.completed else ""
        return f"{name}: {amount}{after}"
    if counted:
        return f"{name}: {task.completed:,.0f} of {task.total:,.0f} {after}"
    return f"{name}: {task.percentage:.0f} % {after}"
