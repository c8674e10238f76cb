"""What several commands share: errors to exit codes, standard streams that may fail, and what machines read."""

import errno
import fcntl
import functools
import io
import os
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

import click
import orjson

from querymix.core.errors import ConfigError, MissingFieldError, TransientError, reason
from querymix.extras import advice
from querymix.terminal import visible, visible_json

FAILED: Final = 1
MISUSED: Final = 2
PARTIAL: Final = 3
"""Done, and the output is whole; but a warning says what to look at, such as an input that was not read whole."""
INTERRUPTED: Final = 130
UNUSABLE_STREAM: Final = frozenset({errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT})
"""Errors of a standard stream that is closed, full or without a reader."""

P = ParamSpec("P")
R = TypeVar("R")


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong and end."""
    from rich.console import Console  # noqa: PLC0415 - every command starts a tenth of a second sooner without it
    from rich.text import Text  # noqa: PLC0415

    with suppress(OSError):  # the exit code tells it too
        text = Text.assemble(("querymix:", "red"), f" {visible(message)}")  # no markup, which a name might hold
        Console(stderr=True, highlight=False).print(text, soft_wrap=True)
    raise SystemExit(code)


def reporting(command: Callable[P, R]) -> Callable[P, R]:
    """Turn querymix's errors into a message and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except MissingFieldError as error:
            works = "with a field for each ?" if "?" in error.fields else "if the fields are right"
            fail(f"{error.what} This should work, {works}:\n  {_with_fields(error.fields)}", MISUSED)
        except ConfigError as error:
            fail(str(error), MISUSED)
        except TransientError as error:
            fail(str(error), FAILED)
        except ModuleNotFoundError as error:
            if (missing := advice(error)) is None:
                raise
            fail(missing, MISUSED)

    return run


def _with_fields(fields: str) -> str:
    """Return the command that was given, with other --fields."""
    words, left = ["querymix"], iter(sys.argv[1:])
    for word in left:
        name, mark, _ = word.partition("=")
        if name not in ("--fields", "--json-fields"):
            words.append(word)
        elif not mark:
            next(left, None)
    return shlex.join([*words, "--fields", fields])


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a line, without what a terminal would obey."""
    click.echo(visible(text), err=err)


def print_json(value: Any, *, to_stderr: bool = False) -> None:
    """Print one JSON object for machines, in UTF-8 whatever the terminal has."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    click.get_binary_stream("stderr" if to_stderr else "stdout").write(visible_json(text))


def prepare_streams() -> None:
    """Make standard streams that can be used, or fail with a reason, whatever the caller did to them.

    A closed descriptor would else be given to the next file that is opened, and what is printed would end up in that.
    """
    for fd, closed in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            fcntl.fcntl(fd, fcntl.F_GETFD)
        except OSError:
            os.open(os.devnull, closed)  # takes the lowest free number, which is this one
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Hand all that was printed to the system. Raises TransientError where standard output cannot take it."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise output_failure(error) from None


def drop_unwritable_errors() -> None:
    """Drop what standard error cannot take, so that Python does not try again at its end and change the exit code."""
    try:
        sys.stderr.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            sys.stderr.flush()


def output_failure(error: OSError) -> TransientError:
    """Return what to say where standard output fails; what waits to be printed is dropped."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stdout.flush()
    if isinstance(error, BrokenPipeError):
        why = "its reader has ended"
    else:
        why = "it is closed" if error.errno == errno.EBADF else reason(error)
    return TransientError(f"cannot write standard output: {why}. Send it elsewhere and give the same command again.")
