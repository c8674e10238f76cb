"""`querymix run`: the whole method over files or standard input, with no servers."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from querymix.bootstrap import make_run, open_bundle
from querymix.commands.common import INTERRUPTED, PARTIAL, fail, flush, print_json, reporting
from querymix.commands.options import options, warn_of
from querymix.local.command_files import check_files, open_inputs
from querymix.local.output import STANDARD_OUTPUT
from querymix.local.reading import Input
from querymix.local.runner import Run
from querymix.local.summary import report_console, show
from querymix.local.unread_inputs import unread_remark
from querymix.settings import RunSettings, load


@click.command(short_help="Anonymize query logs in files or from standard input.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options(RunSettings, short={"output": "-o"})
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@reporting
def run(inputs: tuple[str, ...], settings: Path | None, as_json: bool, **given: Any) -> None:
    """Anonymize query logs: INPUT is a file, plain or compressed (gzip, bzip2, xz, zstd, zip), or - for standard input.

    \b
    querymix run log.tsv.gz -o released.tsv --profiles profiles.db
    tail -F log.tsv | querymix run - -o -

    Exit codes: 0 done; 1 a disk or a database failed, give the same command again; 2 an option or a file is wrong;
    3 done, but an input could not be read, or not to its end; 130 interrupted.
    """
    chosen = load(RunSettings, given, settings)
    warn_of(chosen)
    to_stderr = chosen.output == STANDARD_OUTPUT
    with ExitStack() as owned:
        sources = open_inputs(inputs, chosen, owned)
        check_files(inputs, chosen, settings)
        bundle = open_bundle(chosen)
        progress, tick = _progress(sources, enabled=sys.stderr.isatty())
        job, finish = make_run(sources, bundle, chosen, owned, tick)
        owned.enter_context(progress)  # it is a thread, and processes are forked before there is any
        interrupted = _stopping(job)
        gc.disable()  # the run makes no cycles, and looking for some would cost it a fifth of its time
        if job.remark:
            click.echo(f"querymix: {job.remark}", err=True)
        summary = asyncio.run(job()) | {"knowledge": bundle.version}
        if as_json:
            print_json(summary, to_stderr=to_stderr)
        else:
            show(summary, report_console(to_stderr=to_stderr))
        flush()
        if not interrupted:
            finish()
    if (taken := job.taken_of_pipe) is not None:
        click.echo(
            f"querymix: the state has taken {taken:,} records of the pipe, headers apart: record {taken + 1:,} is next",
            err=True,
        )
    if unread := [remark for source in sources if (remark := unread_remark(source, chosen.format))]:
        for remark in unread:
            click.echo(f"querymix: {remark}", err=True)
    if interrupted:
        if sources[0].regular:
            fail("interrupted; no profile was changed: give the same command again", INTERRUPTED)
        raise SystemExit(INTERRUPTED)  # how the reading of a pipe ends; what was released is counted
    if any(source.damage or (source.refused and not source.queries) for source in sources):
        raise SystemExit(PARTIAL)


def _stopping(job: Run) -> list[int]:
    """End the run after the batch at hand at the first signal, at once at the second; return the signals seen."""
    seen: list[int] = []

    def stop(number: int, _: object) -> None:
        seen.append(number)
        if len(seen) > 1:
            raise KeyboardInterrupt
        job.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return seen


def _progress(sources: list[Input], *, enabled: bool) -> tuple[AbstractContextManager[Any], Callable[[], None]]:
    """Return a progress bar, and what moves it on."""
    size = sum(source.size for source in sources)
    if not enabled or not size:
        return nullcontext(), lambda: None
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))
    task = bar.add_task("anonymizing", total=size)
    return bar, lambda: bar.update(task, completed=sum(source.position for source in sources))
