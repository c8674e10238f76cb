"""The roles of a worker: what each is made of, and what they share."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from querymix import telemetry
from querymix.bootstrap.crowding import OPTIONS as CROWD_OPTIONS
from querymix.bootstrap.crowding import make_crowding
from querymix.bootstrap.pages import Tokens
from querymix.bootstrap.parts import make_classifier, make_codec, make_ordering, make_rules, open_bundle
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.bootstrap.reload import nothing, screening_of
from querymix.bootstrap.swapping import make_surrogates, make_swapping
from querymix.codecs.base import Codec
from querymix.codecs.recognize import Form
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError, RefusedError, TransientError
from querymix.kafka.anonymizer import Anonymizer, AnonymizerSetup
from querymix.kafka.app import App
from querymix.kafka.assignment import MakeRole, Processors
from querymix.kafka.classifier import Classifier, ClassifierSetup, group_of
from querymix.kafka.connection import Credentials, knock, member_options
from querymix.kafka.current_knowledge import CurrentKnowledge
from querymix.kafka.feeders import BatchFeeder, add_frames
from querymix.kafka.gauges import PoolMeasures
from querymix.kafka.identity_watch import IdentityWatch
from querymix.kafka.log import KafkaLog
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.preflight import partitions_of
from querymix.kafka.profiler import Profiler, ProfilerSetup
from querymix.kafka.releases import DryRun, ReleaseWriter, Writes
from querymix.kafka.reloading import Prepare, Take
from querymix.kafka.slices import Room
from querymix.kafka.topics import Found, Placement, Topics, names
from querymix.kafka.worker import Failure
from querymix.settings import WorkerSettings
from querymix.settings.rare import STREAM
from querymix.settings.reloading import RULES
from querymix.stages.classifying import Classifying
from querymix.stages.partition import Partition
from querymix.stages.screening import Rule
from querymix.stores.mongo import Client, MongoProfiles
from querymix.stores.mongo_knowledge import MongoKnowledge

DRY_RUN: Final = "-dry-run"
"""What the names of a dry run's group and topics have added, but for the raw topic."""
_DATABASE_ANSWERS_WITHIN: Final = 5.0


@dataclass(frozen=True)
class Parts:
    """What the roles of one worker share, and what they add to it."""

    settings: WorkerSettings
    topics: Topics
    found: Mapping[str, Found]
    """The topics as the brokers have them, by their names in `Topics`."""
    log: KafkaLog
    mongo: Client
    profiles: MongoProfiles
    app: App
    failure: Failure
    identity: IdentityWatch
    credentials: Credentials
    """What connections to Kafka are made with."""
    tokens: Tokens
    """What opens the pages; those of now."""
    reloads: list[Prepare]
    """What takes over other settings while the worker works."""
    room: Room = field(default_factory=Room)
    processors: list[Processors] = field(default_factory=list)
    asks: list[Callable[[Client], Client]] = field(default_factory=list)
    """Hand a client of MongoDB to whatever asks it, and return the one before."""
    services: list[Any] = field(default_factory=list)
    """What runs beside Faust's agents."""

    @property
    def partitions(self) -> dict[str, int]:
        """How many partitions each topic has, by its whole name."""
        return partitions_of(self.found)

    def process(self, topic: str, make: MakeRole) -> Processors:
        """Add the processors of a topic and return them."""
        until_told = 2 * self.settings.session_timeout
        self.processors.append(Processors(topic, self.log, make, until_told, self.failure, self._back))
        return self.processors[-1]

    async def why(self) -> None:
        """Raise why Kafka cannot be reached. What ends a worker at its start makes one that runs wait."""
        try:
            await knock(self.settings, self.log.options)
        except ConfigError as error:
            raise RefusedError(str(error)) from None

    async def _back(self) -> None:
        """Return once Kafka answers, has the same topics, and the group has had time to take partitions away."""
        await self.why()
        await self.identity.same()
        await asyncio.sleep(self.settings.session_timeout / 2)


async def _add_classifier(parts: Parts) -> None:
    """Raw lines go from a consumer group of their own through a `Classifier` a partition to the classified topic."""
    settings, topics = parts.settings, parts.topics
    classify = await _make_classify(parts)
    pseudonyms = make_pseudonyms(settings, form_of(settings), kept=True)
    surrogates = make_surrogates(settings)

    def stage(chosen: WorkerSettings, screens: Sequence[Rule]) -> Callable[[], Classifying]:
        drop, swap = chosen.unclassified, partial(make_swapping, chosen, surrogates)
        return lambda: Classifying(classify, unclassified=drop, pseudonyms=pseudonyms, rules=screens, swapping=swap())

    screens, show = await asyncio.to_thread(screening_of, settings)
    show()
    setup = ClassifierSetup(
        settings.group,
        topics,
        parts.partitions,
        codec_of(settings),
        stage(settings, screens),
        Placement(parts.partitions[topics.classified], settings.hot),
        settings.transaction_logs,
        parts.found["raw"].id,
        parts.room,
        make_rules(settings).check(),
    )
    processors = parts.process(topics.raw, partial(Classifier, setup))
    options = member_options(settings, group_of(settings.group), parts.credentials)
    parts.services.append(BatchFeeder(processors, options))

    async def prepare(new: WorkerSettings, names: frozenset[str]) -> Take:
        rules, made, show = make_rules(new).check(), setup.stage, nothing
        if names & {"unclassified", "dedupe", *CROWD_OPTIONS}:
            screens, show = await asyncio.to_thread(screening_of, new)  # it reads the whole table
            made = stage(new, screens)

        def take() -> None:
            setup.rules, setup.stage = rules, made
            show()

        return take

    parts.reloads.append(prepare)


async def _make_classify(parts: Parts) -> Classify:
    """Return the classifier; add the service that follows the knowledge in MongoDB where that is asked for."""
    settings = parts.settings
    if settings.knowledge_from == "bundle":
        bundle = open_bundle(settings)
        telemetry.KNOWLEDGE.labels(bundle.version[:16]).set(1)
        return make_classifier(settings, bundle)
    folder = Path(tempfile.mkdtemp(prefix="querymix-knowledge-"))
    source = MongoKnowledge(parts.mongo, settings.database)
    parts.asks.append(source.use)
    current = CurrentKnowledge(source, folder, partial(make_classifier, settings))
    try:
        await current.refresh()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # the start is tried again, with another one
        raise
    parts.services.append(current)
    return current


def form_of(settings: WorkerSettings) -> Form:
    """Return the form of the raw records. Raises ConfigError where it is one that a topic cannot carry."""
    if settings.format in ("aol", "json", "access"):
        return Form(settings.format)
    raise ConfigError(
        f"--format {settings.format} is read from files, where the first lines tell its fields: send the worker AOL "
        "lines (aol), JSON (json) or lines of an access log (access)"
    )


def codec_of(settings: WorkerSettings) -> Codec:
    """Return the codec of the raw records. Raises ConfigError where an option is not for their form."""
    return make_codec(settings, settings.time_policy, settings.time_precision, form_of(settings))


async def _add_anonymizer(parts: Parts) -> None:
    """Frames of classified records go from a Faust agent through an `Anonymizer` a partition to the released topics."""
    settings, topics, keys = parts.settings, parts.topics, None
    pooled = parts.partitions[topics.classified]
    if (period := shared_period(settings)) is not None:
        keys = PeriodKeys(parts.log, topics.periods, settings.group, period, time.time)
        parts.services.append(keys)

    release_writer = partial(_release_writer, parts, keys)
    setup = AnonymizerSetup(
        settings.group,
        topics,
        make_rules(settings).check(),
        system_draw(),
        time.time,
        release_writer(settings),
        codec_of(settings).format,
        settings.transaction_logs,
        make_ordering(settings),
        parts.found["classified"].id,
        parts.partitions,
        parts.room,
        make_crowding(settings, pooled),
        settings.crowd == STREAM,
    )
    processors = parts.process(topics.classified, partial(Anonymizer, setup))
    add_frames(parts.app, "anonymize", processors)

    def states() -> dict[int, Partition]:
        roles = processors.roles.items()
        return {source.partition: role.state for source, role in roles if isinstance(role, Anonymizer)}

    parts.services.append(PoolMeasures(states, time.time))

    async def prepare(new: WorkerSettings, names: frozenset[str]) -> Take:
        rules, ordering, writer = make_rules(new).check(), make_ordering(new), release_writer(new)
        crowding = make_crowding(new, pooled)

        def take() -> None:  # in one turn of the loop: no step may have the rules of one and the grid of another
            setup.rules, setup.ordering, setup.release_writer = rules, ordering, writer
            setup.crowding = crowding

        return take if names & RULES else lambda: None

    parts.reloads.append(prepare)


def _release_writer(parts: Parts, keys: PeriodKeys | None, chosen: WorkerSettings) -> Writes:
    if chosen.dry_run == "on":
        return DryRun()
    return ReleaseWriter(
        parts.topics,
        parts.partitions,
        codec_of(chosen),
        category_header=chosen.category_header == "on",
        room=parts.room,
        period=chosen.pseudonym_period,
        keys=keys,
    )


def shared_period(settings: WorkerSettings) -> float | None:
    """Return the seconds of a period whose key a worker shares with all anonymizers, None where it needs none."""
    releases = "anonymizer" in settings.roles and settings.dry_run == "off"
    period = settings.pseudonym_period
    return period if releases and isinstance(period, float) else None


async def _add_profiler(parts: Parts) -> None:
    """Frames of evidence go from a Faust agent through a `Profiler` a partition to the profile store."""
    await _refuse_wrong_password(parts.profiles)
    setup = ProfilerSetup(
        parts.settings.group, parts.topics, parts.profiles, topic_id=parts.found["evidence"].id, room=parts.room
    )
    add_frames(parts.app, "profile", parts.process(parts.topics.evidence, partial(Profiler, setup)))


async def _refuse_wrong_password(profiles: MongoProfiles) -> None:
    """Raise RefusedError where the database refuses this user. One that is away holds up nothing."""
    with suppress(TransientError, TimeoutError):
        async with asyncio.timeout(_DATABASE_ANSWERS_WITHIN):
            await profiles.get("")


ROLES: Final[Mapping[str, Callable[[Parts], Awaitable[None]]]] = {
    "classifier": _add_classifier,
    "anonymizer": _add_anonymizer,
    "profiler": _add_profiler,
}


def checked(settings: WorkerSettings) -> WorkerSettings:
    """Return the settings as a worker goes by them: a dry run has names of its own, and takes nothing from a service.

    Raises ConfigError where a role is unknown, none is left, or the form is one that a topic cannot carry.
    """
    if unknown := sorted(set(settings.roles) - ROLES.keys()):
        raise ConfigError(f"--roles: {unknown[0]!r} is no role; the roles are {', '.join(ROLES)}")
    form_of(settings)
    dry_run = settings.dry_run == "on"
    roles = [role for role in settings.roles if not (dry_run and role == "profiler")]
    if not roles:
        raise ConfigError("--roles: there is no role left" + ", since a dry run has no profiler" * dry_run)
    if not dry_run:
        return settings
    own = {"prefix": f"{settings.prefix}{DRY_RUN}", "group": f"{settings.group}{DRY_RUN}"}
    return settings.model_copy(update={"raw_topic": names(settings).raw, "roles": roles} | own)
