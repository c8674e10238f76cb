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
from pathlib import Path
from typing import Any

from service.codecs.aol import AolCodec
from service.codecs.base import Codec
from service.codecs.jsonlines import JsonLinesCodec
from service.core.classify import Classify
from service.core.draw import system_draw
from service.core.errors import Misconfigured
from service.core.evidence import EvidenceClassifier
from service.core.identifiers import KINDS, Detector
from service.core.paper import PaperClassifier
from service.core.pools import Pools, Rules
from service.core.pseudonyms import Pseudonyms
from service.core.unknown import LEAST_COUNT, Reduce
from service.knowledge.bundle import DEFAULT, Bundle
from service.local.checkpoint import Checkpoint
from service.local.output import STANDARD_OUTPUT
from service.local.reading import STANDARD_INPUT, Input, in_time_order
from service.local.runner import Run
from service.ports import ProfileStore
from service.settings import BundleSettings, KnowledgeSettings, MethodSettings, RunSettings
from service.stages.anonymizing import Anonymizing
from service.stages.classifying import Classifying
from service.stores.memory import MemoryProfiles
from service.stores.sqlite import SqliteProfiles


def open_bundle(settings: BundleSettings) -> Bundle:
    """Open the knowledge bundle that the settings name."""
    return Bundle(settings.knowledge or DEFAULT)


def make_classifier(settings: KnowledgeSettings, bundle: Bundle) -> Classify:
    """Put a classifier together.

    Raises Misconfigured where a kind of identifier is unknown.
    """
    if unknown := sorted(set(settings.keep_identifiers) - set(KINDS)):
        raise Misconfigured(
            f"--keep-identifiers: {unknown[0]!r} is no kind of identifier; those are {', '.join(KINDS)}"
        )
    detector = Detector(bundle, [kind for kind in KINDS if kind not in settings.keep_identifiers])
    if settings.classifier == "paper":
        return PaperClassifier(bundle, detector)
    return EvidenceClassifier(
        bundle, detector, Reduce(bundle, bundle.counts(LEAST_COUNT)), bundle.bias, settings.confidence
    )


def make_codec(settings: MethodSettings) -> Codec:
    """Return the codec that the settings name."""
    if settings.format == "aol":
        return AolCodec(time=settings.time_policy, urls=settings.urls)
    return JsonLinesCodec(
        fields=settings.json_fields, safe=settings.safe_fields, time=settings.time_policy, urls=settings.urls
    )


def make_rules(settings: MethodSettings) -> Rules:
    """Return the pools' rules that the settings name."""
    return Rules(settings.k, settings.mode, settings.delta, settings.max_hold, settings.hold_policy)


def read_pseudonyms(path: Path | None) -> Pseudonyms | None:
    """Read the pseudonym key, if there is one.

    Raises Misconfigured where the file cannot be read or the key is too short.
    """
    if path is None:
        return None
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise Misconfigured(f"cannot read the pseudonym key {path}: {error.strerror}") from None
    return Pseudonyms(key)


def open_profiles(path: Path | None, owned: ExitStack) -> ProfileStore:
    """Open the SQLite file of profiles, or a store that keeps none; `owned` closes it."""
    store: ProfileStore = SqliteProfiles(path) if path else MemoryProfiles()
    owned.callback(lambda: asyncio.run(store.close()))
    return store


def open_inputs(names: Sequence[str], settings: RunSettings, owned: ExitStack) -> list[Input]:
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
    if settings.checkpoint and (piped or settings.output == STANDARD_OUTPUT):
        raise Misconfigured("--checkpoint needs files: a pipe cannot be read or written a second time after a kill")
    _check_outputs(names, settings)
    return sources


def _check_outputs(names: Sequence[str], settings: RunSettings) -> None:
    outputs = [Path(name) for name in (settings.output, _refused(settings), settings.profiles) if name and name != "-"]
    for name in names:
        if any(output.exists() and output.samefile(name) for output in outputs if name != "-"):
            raise Misconfigured(f"{name} is an input and an output: name another output")
    files = [output.resolve() for output in outputs if output.is_file() or not output.exists()]
    if len(set(files)) < len(files):
        raise Misconfigured("two outputs have the same name: name each of them once")


def _refused(settings: RunSettings) -> str | None:
    """Return the name of the file of refused records; beside a pipe or a device there is none of its own."""
    output = Path(settings.output)
    if settings.refused or settings.output == STANDARD_OUTPUT or (output.exists() and not output.is_file()):
        return settings.refused
    return f"{settings.output}.refused"


def make_run(
    sources: list[Input], bundle: Bundle, settings: RunSettings, owned: ExitStack, tick: Callable[[], None]
) -> Run:
    """Put a local run together; `tick` is called now and then, for a progress bar.

    Raises Misconfigured where an output, the profiles or the checkpoint cannot be used.
    """
    codec = make_codec(settings)
    pseudonyms = read_pseudonyms(settings.pseudonym_key_file)
    classifying = Classifying(
        make_classifier(settings, bundle), unclassified=settings.unclassified, pseudonyms=pseudonyms
    )
    anonymizing = Anonymizing(Pools(make_rules(settings), system_draw()))
    profiles = open_profiles(settings.profiles, owned)
    checkpoint = None
    if settings.checkpoint:
        checkpoint = Checkpoint(settings.checkpoint, _identity(settings, sources, bundle.version, pseudonyms))
        owned.callback(checkpoint.close)
    in_order = settings.order == "time" and sources[0].regular
    return Run(
        sources,
        (lambda batches: in_time_order(batches, tick)) if in_order else iter,
        codec,
        classifying,
        anonymizing,
        profiles,
        settings.output,
        _refused(settings),
        checkpoint=checkpoint,
        tick=tick,
    )


def _identity(
    settings: RunSettings, sources: Sequence[Input], knowledge: str, pseudonyms: Pseudonyms | None
) -> dict[str, Any]:
    """Return what must be the same for a checkpoint to be resumed."""
    same = settings.model_dump(mode="json", exclude={"checkpoint", "knowledge"})
    if pseudonyms is not None:
        same["pseudonym_key"] = pseudonyms["checkpoint"]  # tells another key, and not the key
    return same | {"inputs": [list(source.identity) for source in sources], "knowledge": knowledge}


def collect_seldom() -> None:
    """Let the garbage collector leave alone what is here by now, and look seldom at what comes.

    What a log leaves behind is seldom a cycle, while the terms and answers that are remembered are many.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
