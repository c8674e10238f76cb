"""`python -m loadtest replay`: send a log at a rate."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from querymix.commands.common import FAILED, INTERRUPTED, PARTIAL, fail, print_json, reporting
from querymix.core.errors import ConfigError
from querymix.extras import advice
from querymix.local.file_identity import Use, check_apart
from querymix.local.reading import STANDARD_INPUT
from querymix.settings import ConnectionSettings, load
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from loadtest.commands.values import arrivals, pairs, seconds, target
from loadtest.replay import ledger
from loadtest.replay.arrivals import Arrivals, Recorded
from loadtest.replay.driver import run
from loadtest.replay.sinks import STANDARD_OUTPUT, FileSink, Sink
from loadtest.replay.source import LogFiles

_CODECS: Final = ("gzip", "lz4", "snappy", "zstd")


@click.command(short_help="Send a log to Kafka or a file, at a rate or as recorded.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--to", "to", required=True, metavar="TARGET", help="kafka://HOST:PORT/TOPIC, a file, or -.")
@click.option("--rate", metavar="N", help="Records a second, such as 40000 or 158.5k.")
@click.option("--ramp", metavar="A..B:TIME", help="From one rate to another within a time, such as 1k..60k:10m.")
@click.option("--spike", metavar="N:LASTING:EVERY", help="Beside --rate: spikes, such as 60k:5s:1m.")
@click.option("--speed", type=float, metavar="X", help="As the log's own times say, X times as fast.")
@click.option("--as-recorded", is_flag=True, help="The same as --speed 1.")
@click.option("--for", "lasting", metavar="TIME", help="Stop after this time, such as 5m.")
@click.option("--loop", is_flag=True, help="Begin again at the end, with users that are new in each round.")
@click.option(
    "--times",
    type=click.Choice(["kept", "now"]),
    default="kept",
    show_default=True,
    help="Send each record with its own time, or with that at which it is due.",
)
@click.option(
    "--order",
    type=click.Choice(["time", "input"]),
    default="time",
    show_default=True,
    help="Put the records of files in time order, or take them as they come (standard input always is).",
)
@click.option("--processes", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that send.")
@click.option("--compression", type=click.Choice(_CODECS), help="Compress what goes to Kafka.")
@click.option(
    "--fields", "--json-fields", metavar="PAIRS", help="Names of the fields in JSON lines, such as user=uid,query=q."
)
@click.option(
    "--settings", type=click.Path(path_type=Path), help="TOML file that says how to reach Kafka: TLS, passwords."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@reporting
def replay(logs: tuple[str, ...], to: str, as_json: bool, lasting: str | None, **given: Any) -> None:
    """Send records, each when it is due, whether or not what takes them keeps up; what it owes is reported.

    LOG is a file in the AOL form or of JSON lines, plain or packed (gzip, bzip2, xz, zstd, zip), or - for standard
    input. Any number of files is merged by time; the order needs room in the temporary folder (TMPDIR), not memory.

    \b
    python -m loadtest replay aol/*.gz --to kafka://localhost:9092/querylog.raw --rate 40000 --loop --for 5m
    python -m loadtest replay log.tsv --to - --as-recorded | querymix run - -o -

    Exit codes: 0 done; 1 the target failed; 2 an option or a file is wrong; 3 done, but a log could not be read, or not
    to its end; 130 interrupted. Ctrl-C ends the replay and says what was sent; a second one ends it at once.
    """
    speed = given["speed"]
    if given["as_recorded"]:
        if speed is not None:
            raise ConfigError("--as-recorded is --speed 1: give one of the two")
        speed = 1.0
    process = arrivals(given["rate"], given["ramp"], given["spike"], speed)
    most = None if lasting is None else seconds(lasting, "--for")
    if most == 0:
        raise ConfigError("--for: give a time above 0, such as 5m")
    sink = _sink(to, logs, **given)
    console = Console(stderr=True, highlight=False)
    with (
        _reading(console) as tick,
        LogFiles(
            logs,
            fields=pairs(given["fields"], "--fields"),
            order=given["order"],
            times=given["times"],
            loop=given["loop"],
            spread=isinstance(process, Recorded),
            tick=tick,
        ) as source,
    ):
        if isinstance(process, Recorded):
            process.before = source.before
        gc.freeze()
        gc.set_threshold(200_000, 20, 100)  # millions of records come and go, and none of them is part of a cycle
        report, signalled = asyncio.run(_run(source, process, sink, most, console))
        _tell(source, report, console, as_json=as_json, to_stderr=to == STANDARD_OUTPUT)
        if report.ended.startswith("failed"):
            fail(report.ended.removeprefix("failed: "), FAILED)
        if signalled:
            raise SystemExit(INTERRUPTED)
        if source.remarks:
            raise SystemExit(PARTIAL)


def _sink(
    to: str, logs: tuple[str, ...], *, processes: int, compression: str | None, settings: Path | None, **_: Any
) -> Sink:
    """Return the sink that the options name."""
    if (topic := target(to)) is None:
        if processes > 1 or compression or settings:
            raise ConfigError("--processes, --compression and --settings are for Kafka: give --to kafka://HOST:PORT")
        reads = [Use("a log", 0 if name == STANDARD_INPUT else name) for name in logs]
        check_apart(reads, [Use("the file", 1 if to == STANDARD_OUTPUT else to)])
        return FileSink(to)
    chosen = load(ConnectionSettings, {"broker": topic.broker}, settings)
    try:
        from loadtest.replay.kafka import KafkaSink, quiet  # noqa: PLC0415 - an extra that files do not need
        from loadtest.replay.producer_processes import ProcessesSink  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (missing := advice(error)) is None:
            raise
        raise ConfigError(missing) from None
    quiet()
    if processes > 1:
        return ProcessesSink(chosen, topic.topic, processes, compression=compression)
    return KafkaSink(chosen, topic.topic, compression=compression)


async def _run(
    source: LogFiles, process: Arrivals, sink: Sink, most: float | None, console: Console
) -> tuple[ledger.Report, bool]:
    """Replay, and say also whether a signal ended it."""
    stop = asyncio.Event()

    def signalled() -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    async with sink:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, signalled)
        with _sending(console) as watch:
            return await run(source, process, sink, watch=watch, stop=stop, seconds=most), stop.is_set()


@contextmanager
def _reading(console: Console) -> Iterator[Callable[[int, int], None]]:
    """Show how far the files are read and sorted."""
    bar = Progress(
        TextColumn("reading"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), console=console,
        disable=not console.is_terminal, transient=True,
    )  # fmt: skip
    task = bar.add_task("")
    started = False

    def tick(done: int, size: int) -> None:
        nonlocal started
        if not started:
            bar.start()
            started = True
        bar.update(task, completed=done, total=size)
        if done >= size:
            bar.stop()

    try:
        yield tick
    finally:
        bar.stop()


@contextmanager
def _sending(console: Console) -> Iterator[Callable[[ledger.Progress], None]]:
    """Show how the replay stands."""
    columns = (TextColumn("sending"), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=None)

        def watch(now: ledger.Progress) -> None:
            left = "" if now.left is None else f", {_time(now.left)} left"
            text = f"{now.sent:,} records, {now.rate:,.0f} a second, {now.backlog:,} owed{left}"
            bar.update(task, completed=now.sent, total=now.total, description=text)

        yield watch


def _tell(source: LogFiles, report: ledger.Report, console: Console, *, as_json: bool, to_stderr: bool) -> None:
    """Print the report, and what could not be read."""
    if as_json:
        print_json(asdict(report) | {"rounds": source.rounds, "refused": source.refused}, to_stderr=to_stderr)
    else:
        out = console if to_stderr else Console(file=sys.stdout, highlight=False)
        per_log = 1e6 * report.cpu / report.sent if report.sent else 0.0
        lines = [
            f"sent       {report.sent:,} records ({report.bytes / 1e6:,.1f} MB) in {report.seconds:,.1f} s: "
            f"{report.rate:,.0f} records/s" + (f", {source.rounds} rounds" if source.rounds > 1 else ""),
            f"owed       {report.owed:,} at the end, {report.most_behind:,} at most",
            f"lateness   p50 {_ms(report.late_p50)}, p95 {_ms(report.late_p95)}, p99 {_ms(report.late_p99)}, "
            f"most {_ms(report.late_max)}",
            f"processor  {per_log:.1f} µs a record",
        ]
        if report.unsure:
            lines.insert(1, f"unsure     {report.unsure:,} records were on their way and may have arrived")
        out.print("\n".join(lines), soft_wrap=True)
    if source.refused and (first := source.first_refusal):
        console.print(
            f"{source.refused:,} rows could not be read and were left out. The first: {first.source} line "
            f"{first.line}: {first.reason}", markup=False, soft_wrap=True,
        )  # fmt: skip
    for remark in source.remarks:
        console.print(remark, markup=False, soft_wrap=True)


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:,.0f} ms" if seconds < 10 else f"{seconds:,.1f} s"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
