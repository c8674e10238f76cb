"""How much a command says of itself on standard error: the one place for all commands.

Rules:
- --quiet shows no progress (bars.py), and no summary; warnings and errors stay.
- A line that standard error does not take is dropped: progress ends no command.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal, TypeVar, cast

import click

from querymix.commands.common import echo
from querymix.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])
Loudness = Literal["quiet", "normal", "verbose"]

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


def tell_options(settings: Settings) -> None:
    """With --verbose, say which options were named, anywhere; the others have their defaults."""
    if loudness() == "verbose":
        named = [f"{name.replace('_', '-')} = {getattr(settings, name)}" for name in sorted(settings.model_fields_set)]
        say(f"options: {'; '.join(named) or 'the defaults'}")
