"""The one place where parts are put together out of settings; commands only parse and print.

Rules:
- A function here makes one part, and takes the settings of that part alone.
- What opens a file or a connection is closed by the `ExitStack` that the caller hands in.
- Packages of the extras are imported inside the functions that need them, so that a run needs none of them.
"""

import asyncio
import gc
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from querymix.codecs.aol import AolCodec
from querymix.codecs.base import Codec, TimePolicy
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.core.identifiers import Detector, kinds_but
from querymix.core.paper import PaperClassifier
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.rules import Rules
from querymix.core.terms import TermsClassifier
from querymix.core.unknown import MIN_COUNT, Reduce
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.local.checkpoint import Checkpoint
from querymix.local.command_files import is_sorted, refused_name
from querymix.local.parallel_source import Processes
from querymix.local.reading import Input
from querymix.local.runner import Run
from querymix.local.sorted_output import SortedOutput
from querymix.local.sources import OneProcess, Source
from querymix.ports import ProfileStore
from querymix.settings import (
    BundleSettings,
    KnowledgeSettings,
    MethodSettings,
    ReleaseSettings,
    RunSettings,
)
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing
from querymix.stores.memory import MemoryProfiles
from querymix.stores.sqlite import SqliteProfiles


def open_bundle(settings: BundleSettings) -> Bundle:
    """Open the knowledge bundle that the settings name."""
    return Bundle(settings.knowledge or DEFAULT)


def make_detector(settings: KnowledgeSettings, bundle: Bundle) -> Detector:
    """Return what finds the identifiers that are to be cut.

    Raises ConfigError where a kind of identifier is unknown.
    """
    try:
        return Detector(bundle, kinds_but(settings.keep_identifiers))
    except ValueError as error:
        raise ConfigError(f"--keep-identifiers: {error}") from None


def make_classifier(settings: KnowledgeSettings, bundle: Bundle) -> Classify:
    """Put a classifier together.

    Raises ConfigError where a kind of identifier is unknown.
    """
    detector = make_detector(settings, bundle)
    if settings.classifier == "paper":
        return PaperClassifier(bundle, detector)
    reduce = Reduce(bundle, bundle.counts(MIN_COUNT))
    return TermsClassifier(bundle, detector, reduce, bundle.bias, settings.confidence, reads_hosts=bundle.has_hosts)


def make_codec(settings: ReleaseSettings, time: TimePolicy, precision: float | None = None) -> Codec:
    """Return the codec that the settings name. Raises ConfigError where an option is another codec's."""
    if settings.format == "aol":
        if settings.safe_fields:
            raise ConfigError("--safe-fields names fields of JSON lines: it needs --format json")
        return AolCodec(time=time, urls=settings.urls, precision=precision)
    return JsonLinesCodec(
        fields=settings.json_fields, safe=settings.safe_fields, time=time, urls=settings.urls, precision=precision
    )


def make_rules(settings: MethodSettings) -> Rules:
    """Return the pools' rules that the settings name."""
    return Rules(**{name: getattr(settings, name) for name in Rules._fields})


def make_ordering(settings: MethodSettings) -> Ordering:
    """Return how lines are put in order that the settings name."""
    return Ordering(settings.time_precision, settings.time_policy)


def read_pseudonyms(path: Path | None) -> Pseudonyms | None:
    """Read the pseudonym key, if there is one.

    Raises ConfigError where the file cannot be read or the key is too short.
    """
    if path is None:
        return None
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise ConfigError(f"cannot read the pseudonym key {path}: {error.strerror}") from None
    return Pseudonyms(key)


def make_classifying(settings: MethodSettings, bundle: Bundle, pseudonyms: Pseudonyms | None) -> Classifying:
    """Return the first stage. Raises ConfigError where a kind of identifier is unknown."""
    return Classifying(make_classifier(settings, bundle), unclassified=settings.unclassified, pseudonyms=pseudonyms)


def make_releasing(
    settings: MethodSettings, log_format: str, ordering: Ordering, *, in_order: bool = False
) -> Releasing:
    """Return the last stage over one stream, which draws from the operating system's generator.

    `in_order` says that its queries come in the order of their times. Raises ConfigError where a rule is out of range.
    """
    pooling = Pooling(make_rules(settings), system_draw(), log_format, in_order=in_order)
    return Releasing(pooling, Cells(ordering, system_draw()))


class LocalRun(NamedTuple):
    """A run, and what is to be done once its figures were told."""

    run: Run
    finish: Callable[[], None]
    """Adds what the run counted to the profiles, where that waits for its end."""


def make_run(
    sources: list[Input], bundle: Bundle, settings: RunSettings, owned: ExitStack, tick: Callable[[], None]
) -> LocalRun:
    """Put a local run together; `tick` is called now and then, for a progress bar.

    Raises ConfigError where an output, the profiles or the checkpoint cannot be used.
    """
    pseudonyms = read_pseudonyms(settings.pseudonym_key_file)
    codec = make_codec(settings, settings.time_policy, settings.time_precision)
    classifying = make_classifying(settings, bundle, pseudonyms)
    in_order = settings.order == "time" and sources[0].regular
    source: Source
    if settings.processes == 1:
        source = OneProcess(sources, codec, in_order=in_order, clock=tick)
    else:  # before what follows: processes that are forked would share the files and databases that are open by then
        source = processes = Processes(settings.processes, sources, codec, classifying, in_order=in_order, clock=tick)
        owned.callback(processes.close)
    # A checkpoint remembers what was counted, and a pipe is counted as it goes, since it may never end.
    profiles = open_profiles(settings.profiles, at_end=sources[0].regular and not settings.checkpoint)
    owned.callback(lambda: asyncio.run(profiles.close()))
    checkpoint = None
    if settings.checkpoint:
        checkpoint = Checkpoint(settings.checkpoint, _identity(settings, sources, bundle.version, pseudonyms))
        owned.callback(checkpoint.close)
    whole = is_sorted(settings, sources)
    run = Run(
        source,
        codec,
        classifying,
        # Where the whole output is sorted, cells have nothing to add.
        make_releasing(settings, codec.format, Ordering() if whole else make_ordering(settings), in_order=in_order),
        profiles,
        settings.output,
        refused_name(settings),
        checkpoint=checkpoint,
        by_time=partial(SortedOutput, draw=system_draw(), precision=settings.time_precision) if whole else None,
        tick=tick,
    )
    return LocalRun(run, lambda: asyncio.run(profiles.finish()))


def open_existing_profiles(path: Path) -> ProfileStore:
    """Open the profiles that runs have left in a file. Raises ConfigError where there is none."""
    if not path.is_file():
        raise ConfigError(f"there are no profiles in {path}: 'querymix run ... --profiles {path}' makes them")
    return SqliteProfiles(path)


def open_profiles(path: Path | None, *, at_end: bool) -> SqliteProfiles | MemoryProfiles:
    """Open the profiles that a command adds to; without a path they are forgotten."""
    return SqliteProfiles(path, at_end=at_end) if path else MemoryProfiles()


def _identity(
    settings: RunSettings, sources: Sequence[Input], knowledge: str, pseudonyms: Pseudonyms | None
) -> dict[str, Any]:
    """Return what must be the same for a checkpoint to be resumed."""
    same = settings.model_dump(mode="json", exclude={"checkpoint", "knowledge", "processes"})
    if pseudonyms is not None:
        same["pseudonym_key"] = pseudonyms["checkpoint"]  # tells another key, and not the key
    return same | {"inputs": [list(source.identity) for source in sources], "knowledge": knowledge}


def collect_garbage_seldom() -> None:
    """Let the garbage collector leave alone what is here by now, and look seldom at what comes.

    What a log leaves behind is seldom a cycle, while the terms and answers that are remembered are many.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
