"""`python -m loadtest synthesize`: write a made-up log.

Rules:
- A file appears under its name only when it is complete; until then it is `NAME.part`, which a failure removes.
- The progress bar goes to standard error, and only to a terminal.
"""

import gzip
import os
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Literal

import click
from querymix.commands.common import output_failure, reporting
from querymix.core.errors import ConfigError
from querymix.own_files import make_own
from querymix_lab.evaluation.rich_log import rich_log
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from loadtest import synthesize as log
from loadtest.parts import synthesize_parts

_CHUNK = 10_000


@click.command()
@click.option("--lines", type=click.IntRange(min=1), required=True, help="Rows to write, the header not counted.")
@click.option("--users", type=click.IntRange(min=1), required=True, help="Users who search; each has a row at least.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same log.")
@click.option(
    "--order", type=click.Choice(["user", "time"]), default="user", show_default=True, help="What to sort by."
)
@click.option(
    "--form",
    type=click.Choice(["aol", "rich"]),
    default="aol",
    show_default=True,
    help="Lines of the AOL 2006 form; or JSON with results, clicks, place, device and language, one a query.",
)
@click.option(
    "--processes", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that make it up."
)
@click.option("-o", "--output", default="-", help="File to write, gzipped if it ends in .gz; - for standard output.")
@reporting
def synthesize(
    lines: int, users: int, seed: int, order: Literal["user", "time"], form: str, processes: int, output: str
) -> None:
    """Write a made-up query log in the AOL 2006 format, or as JSON.

    One seed gives one log, whatever the order and the number of processes; with --order time there is one process.
    `replay` puts records in time order by itself.
    """
    if users > lines:
        raise ConfigError("--users: each user has a row at least, and --lines are fewer")
    if processes > 1 and order == "time":
        raise ConfigError("--processes needs --order user, which replay puts in time order by itself")
    if processes > 1 and form == "rich":
        raise ConfigError("--processes needs --form aol: rich records are made up in one process")
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    try:
        if processes > 1:
            pieces = synthesize_parts(lines, users, seed, processes)
        else:
            made = log.synthesize(lines, users, seed, order=order)
            pieces = _pieces(rich_log(made, seed) if form == "rich" else made)
        with _opened(output) as sink, bar, closing(pieces):
            task = bar.add_task("rows", total=lines)
            for piece, rows in pieces:
                sink.write(piece)
                bar.advance(task, rows)
    except ImportError as error:
        raise click.ClickException(f"{error}; install the extra: pip install 'querymix[loadtest]'") from error
    except BrokenPipeError as error:
        output_failure(error)
        raise SystemExit(1) from None  # the reader has seen enough: nothing to say
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror or error}") from error


def _pieces(rows: Iterator[str]) -> Generator[tuple[bytes, int], None, None]:
    while piece := list(islice(rows, _CHUNK)):
        yield ("\n".join(piece) + "\n").encode(), len(piece)


@contextmanager
def _opened(output: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open what `output` names for writing, and put a file in place once it is complete."""
    if output == "-":
        yield click.get_binary_stream("stdout")
        return
    path = Path(output).resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a device or a pipe, which nothing may take the place of
        with path.open("wb") as sink:
            yield sink
        return
    part = path.with_name(path.name + ".part")
    try:
        with os.fdopen(make_own(part), "wb") as sink:
            if path.suffix == ".gz":
                # No name and no time in the gzip header: the same log is the same file.
                with gzip.GzipFile("", "wb", 6, sink, mtime=0) as packed:
                    yield packed
            else:
                yield sink
        os.replace(part, path)  # noqa: PTH105 - on every system, over a file that exists
    except BaseException:
        part.unlink(missing_ok=True)
        raise
