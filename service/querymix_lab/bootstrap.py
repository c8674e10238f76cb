"""Puts the parts of the batch methods together: from a log's name to what is released of it, and to bytes."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple

from querymix.bootstrap.parts import make_classifier, make_codec
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.codecs.base import ENCODING, ERRORS, Codec
from querymix.codecs.recognize import Form
from querymix.core.draw import Draw, seeded_draw, system_draw
from querymix.core.errors import ConfigError
from querymix.core.records import UNCLASSIFIED, Query, Refusal, Release
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle
from querymix.local.forms import form_of
from querymix.local.reading import Batch, Input
from querymix.local.unread_inputs import unread_remark
from querymix.settings import FormSettings
from querymix.stores.memory import MemoryProfiles
from querymix.stores.sqlite import SqliteProfiles

from querymix_lab.batch.base import Log, Outcome
from querymix_lab.batch.log_reading import read
from querymix_lab.batch.phrases import Phrases
from querymix_lab.settings import BatchSettings


def read_log(name: str, settings: FormSettings, owned: ExitStack) -> Iterator[Query]:
    """Yield the queries of one record, in its order.

    Raises ConfigError where it cannot be opened, or where nothing of it can be read.
    """
    source = Input(name)
    owned.callback(source.close)
    form = form_of([source], settings)
    for batch in _batches(source, make_codec(settings, "query", form=form), form):
        yield from batch.queries


def _batches(source: Input, codec: Codec, form: Form) -> Iterator[Batch]:
    """Yield all that is read; raises ConfigError at the end where that is no query."""
    yield from source.batches(codec)
    if not source.queries:
        raise ConfigError(unread_remark(source, form) or f"{source.name}: no query is in it")


class ReadLog(NamedTuple):
    """A log as a batch method sees it, and what writing it back needs."""

    log: Log
    refusals: list[Refusal]
    codec: Codec
    form: Form


def read_batch_log(source: Input, settings: BatchSettings, bundle: Bundle, tick: Callable[[], None]) -> ReadLog:
    """Read and classify a whole log; `tick` is called after each block.

    Raises ConfigError where nothing of it can be read.
    """
    form = form_of([source], settings)
    if len(settings.outer_names) < len(settings.fields):
        raise ConfigError(
            "--fields names lists of results or clicks, and a batch method looks at queries alone: they would leave as "
            "they are. Leave them out"
        )
    codec, refusals = make_codec(settings, "query", form=form), list[Refusal]()

    def queries() -> Iterator[Query]:
        for batch in _batches(source, codec, form):
            refusals.extend(batch.refusals)
            yield from batch.queries
            tick()

    classify = make_classifier(settings, bundle)
    pseudonyms = make_pseudonyms(settings, form, kept=bool(settings.profiles))
    log = read(queries(), classify, pseudonyms, make_phrases(bundle))
    return ReadLog(replace(log, refused=len(refusals)), refusals, codec, form)


def make_phrases(bundle: Bundle) -> Phrases:
    """Return what looks up the noun phrases of a query."""
    return Phrases(bundle, Reduce(bundle, bundle.counts))


def make_draw(settings: BatchSettings) -> Draw:
    """Return where the methods' chance comes from: the operating system, unless a seed is given."""
    return system_draw() if settings.seed is None else seeded_draw(settings.seed)


def released_bytes(outcome: Outcome, codec: Codec, source: Input) -> bytes:
    """Return the released log as it is written, in the form that `source` came in."""
    lines = codec.encode(
        [Release(row.user, row.category, row.query, row.category, row.query, 0) for row in outcome.released.rows]
    )
    if lines and source.header:
        lines.insert(0, source.header)
    return (source.newline.join(lines) + source.newline).encode(ENCODING, ERRORS) if lines else b""


def prepare_profiles(settings: BatchSettings, owned: ExitStack) -> SqliteProfiles | MemoryProfiles:
    """Open the profiles; `owned` closes them. Raises ConfigError where that fails."""
    profiles = SqliteProfiles(settings.profiles, at_end=True) if settings.profiles else MemoryProfiles()
    owned.callback(lambda: asyncio.run(profiles.close()))
    return profiles


def add_profiles(outcome: Outcome, profiles: SqliteProfiles | MemoryProfiles) -> None:
    """Count the released log into the profiles, all at once. Raises TransientError where that fails."""
    counts = Counter(
        (row.user, row.category)
        for row in outcome.released.rows
        if row.category != UNCLASSIFIED and not row.generalized
    )

    async def add() -> None:
        await profiles.apply(f"batch {os.urandom(8).hex()}", {0: counts})
        await profiles.finish()

    asyncio.run(add())
