"""How much a command says of itself on standard error, and how far it has come: the one place for all commands.

Rules:
- On a terminal progress is a bar. Elsewhere it is a line every `EVERY` seconds, or each second with --verbose, from a
  thread: work that tells nothing for minutes still shows that it goes on, and what is over sooner says nothing.
- --quiet shows neither, and no summary; warnings and errors stay.
- A line that standard error does not take is dropped: progress ends no command.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal, TypeVar, cast

import click
from pydantic_settings import BaseSettings
from rich import progress

from querymix.commands.common import echo
from querymix.consoles import Console

Command = TypeVar("Command", bound=Callable[..., Any])
Loudness = Literal["quiet", "normal", "verbose"]

EVERY: Final = 10.0
"""Seconds between two lines."""
_VERBOSE: Final = 1.0
_KEY: Final = "querymix.loudness"


def speaking(command: Command) -> Command:
    """Give a command --quiet and --verbose, which `loudness` tells."""
    for flags, value, text in (
        (("-v", "--verbose"), "verbose", "Say which options are in force; tell progress each second, of pipes too."),
        (("-q", "--quiet"), "quiet", "No progress, and no summary of what was written; warnings and errors stay."),
    ):
        command = click.option(*flags, is_flag=True, expose_value=False, callback=_remember(value), help=text)(command)
    return command


def _remember(value: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def remember(ctx: click.Context, _: click.Parameter, given: bool) -> None:
        if not given:
            return
        if ctx.meta.setdefault(_KEY, value) != value:
            raise click.UsageError("--quiet and --verbose contradict each other: give one of them")

    return remember


def loudness() -> Loudness:
    """Return how much the running command is to say."""
    context = click.get_current_context(silent=True)
    return cast(Loudness, context.meta.get(_KEY, "normal") if context else "normal")


def say(text: str) -> None:
    """Print a line on standard error, where it takes one."""
    with suppress(OSError, ValueError):
        echo(f"querymix: {text}", err=True)


def tell_options(settings: BaseSettings) -> None:
    """With --verbose, say which options were named, anywhere; the others have their defaults."""
    if loudness() == "verbose":
        named = [f"{name.replace('_', '-')} = {getattr(settings, name)}" for name in sorted(settings.model_fields_set)]
        say(f"options: {'; '.join(named) or 'the defaults'}")


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
