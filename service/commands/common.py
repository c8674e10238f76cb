"""What several commands share: errors to exit codes, and what machines read."""

import functools
from collections.abc import Callable
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

import click
import orjson
from rich.console import Console

from service.core.errors import Broken, Misconfigured

FAILED: Final = 1
MISUSED: Final = 2
PARTIAL: Final = 3
"""Done, but not all of the input could be read."""
INTERRUPTED: Final = 130

P = ParamSpec("P")
R = TypeVar("R")


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong and end."""
    Console(stderr=True, highlight=False).print(f"[red]querymix:[/] {message}", markup=True, soft_wrap=True)
    raise SystemExit(code)


def reporting(command: Callable[P, R]) -> Callable[P, R]:
    """Turn querymix's errors into a message and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except Misconfigured as error:
            fail(_escape(error), MISUSED)
        except Broken as error:
            fail(_escape(error), FAILED)
        except BrokenPipeError:
            raise SystemExit(FAILED) from None

    return run


def _escape(error: Exception) -> str:
    return str(error).replace("[", "\\[")


def print_json(value: Any, *, to_stderr: bool = False) -> None:
    """Print one JSON object for machines."""
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(), err=to_stderr)
