"""`querymix run`: the whole method over files or standard input, with no servers."""

import asyncio
import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from service.codecs.aol import AolCodec
from service.codecs.base import Codec
from service.codecs.jsonlines import JsonLinesCodec
from service.commands.common import (
    INTERRUPTED,
    PARTIAL,
    make_classifier,
    open_bundle,
    print_json,
    read_pseudonyms,
    reporting,
)
from service.core.draw import system_draw
from service.core.errors import Misconfigured
from service.core.pseudonyms import Pseudonyms
from service.core.rules import Rules
from service.local.checkpoint import Checkpoint
from service.local.output import STANDARD_OUTPUT
from service.local.reading import STANDARD_INPUT, Input, in_time_order
from service.local.runner import Run
from service.local.summary import report_console, show
from service.ports import ProfileStore
from service.settings import MethodSettings, RunSettings, load, options
from service.stages.classifying import Classifying
from service.stages.pooling import Pooling
from service.stores.memory import MemoryProfiles
from service.stores.sqlite import SqliteProfiles


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options(RunSettings, short={"output": "-o"})
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@reporting
def run(inputs: tuple[str, ...], settings: Path | None, as_json: bool, **given: Any) -> None:
    """Anonymize query logs: INPUT is a file, a gzip file, or - for standard input.

    \b
    querymix run log.tsv.gz -o released.tsv --profiles profiles.db
    tail -F log.tsv | querymix run - -o -

    Exit codes: 0 done; 1 a disk or a database gave way; 2 an option or a file is wrong; 3 done, but an input could not
    be read to its end; 130 interrupted.
    """
    chosen = load(RunSettings, given, settings)
    console = report_console(to_stderr=chosen.output == STANDARD_OUTPUT)
    with ExitStack() as owned:
        sources = open_inputs(inputs, chosen, owned)
        codec = make_codec(chosen)
        bundle = open_bundle(chosen)
        pseudonyms = read_pseudonyms(chosen.pseudonym_key_file)
        classifying = Classifying(
            make_classifier(chosen, bundle), unclassified=chosen.unclassified, pseudonyms=pseudonyms
        )  # fmt: skip
        pooling = Pooling(make_rules(chosen), system_draw(), codec.format)
        profiles: ProfileStore = SqliteProfiles(chosen.profiles) if chosen.profiles else MemoryProfiles()
        owned.callback(lambda: asyncio.run(profiles.close()))
        checkpoint = None
        if chosen.checkpoint:
            checkpoint = Checkpoint(chosen.checkpoint, _identity(chosen, sources, bundle.version, pseudonyms))
            owned.callback(checkpoint.close)
        in_order = chosen.order == "time" and sources[0].regular
        tick = owned.enter_context(_progress(sources, enabled=sys.stderr.isatty()))
        job = Run(
            sources,
            (lambda batches: in_time_order(batches, tick)) if in_order else iter,
            codec,
            classifying,
            pooling,
            profiles,
            chosen.output,
            _refused(chosen),
            checkpoint=checkpoint,
            tick=tick,
        )
        interrupted = _stopping(job)
        gc.disable()  # the run makes no cycles, and looking for some would cost it a fifth of its time
        summary = asyncio.run(job())
    summary["knowledge"] = bundle.version
    if as_json:
        print_json(summary, to_stderr=chosen.output == STANDARD_OUTPUT)
    else:
        show(summary, console)
    damaged = [source.damage for source in sources if source.damage]
    for damage in damaged:
        click.echo(f"querymix: {damage.source}: {damage.reason}; what could be read of it was processed.", err=True)
    if interrupted:
        raise SystemExit(INTERRUPTED)
    if damaged:
        raise SystemExit(PARTIAL)


def open_inputs(names: tuple[str, ...], chosen: RunSettings, owned: ExitStack) -> list[Input]:
    """Open all inputs before anything is written; `owned` closes them.

    Raises Misconfigured where one cannot be read, or where the options do not go with it.
    """
    if STANDARD_INPUT in names and len(names) > 1:
        raise Misconfigured("standard input (-) cannot be merged with other inputs: give it alone")
    sources = []
    for name in names:
        sources.append(Input(name))
        owned.callback(sources[-1].close)
    piped = [source.name for source in sources if not source.regular]
    if len(sources) > 1 and piped:
        raise Misconfigured(f"{piped[0]} is no file and cannot be put in time order with others: give it alone")
    if chosen.checkpoint and (piped or chosen.output == STANDARD_OUTPUT):
        raise Misconfigured("--checkpoint needs files: a pipe cannot be read or written a second time after a kill")
    outputs = [Path(name) for name in (chosen.output, _refused(chosen), chosen.profiles) if name and name != "-"]
    for name in names:
        if any(output.exists() and output.samefile(name) for output in outputs if name != "-"):
            raise Misconfigured(f"{name} is an input and an output: name another output")
    files = [output.resolve() for output in outputs if output.is_file() or not output.exists()]
    if len(set(files)) < len(files):
        raise Misconfigured("two outputs have the same name: name each of them once")
    return sources


def _refused(chosen: RunSettings) -> str | None:
    """Return the name of the file of refused records; beside a pipe or a device there is none of its own."""
    output = Path(chosen.output)
    if chosen.refused or chosen.output == STANDARD_OUTPUT or (output.exists() and not output.is_file()):
        return chosen.refused
    return f"{chosen.output}.refused"


def make_codec(chosen: MethodSettings) -> Codec:
    """Return the codec that the settings name."""
    if chosen.format == "aol":
        return AolCodec(time=chosen.time_policy, urls=chosen.urls)
    return JsonLinesCodec(
        fields=chosen.json_fields, safe=chosen.safe_fields, time=chosen.time_policy, urls=chosen.urls
    )  # fmt: skip


def make_rules(chosen: MethodSettings) -> Rules:
    """Return the pools' rules that the settings name."""
    return Rules(chosen.k, chosen.mode, chosen.delta, chosen.max_hold, chosen.hold_policy, chosen.draw)


def _identity(
    chosen: RunSettings, sources: list[Input], knowledge: str, pseudonyms: Pseudonyms | None
) -> dict[str, Any]:
    """Return what must be the same for a checkpoint to be resumed."""
    same = chosen.model_dump(mode="json", exclude={"checkpoint", "knowledge"})
    if pseudonyms is not None:
        same["pseudonym_key"] = pseudonyms["checkpoint"]  # tells another key, and not the key
    return same | {"inputs": [list(source.identity) for source in sources], "knowledge": knowledge}


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


@contextmanager
def _progress(sources: list[Input], *, enabled: bool) -> Iterator[Any]:
    size = sum(source.size for source in sources)
    if not enabled or not size:
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("anonymizing", total=size)

        def tick() -> None:
            bar.update(task, completed=sum(source.position for source in sources))

        yield tick
