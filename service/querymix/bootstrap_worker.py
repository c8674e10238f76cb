"""The composition root of a worker of the service; `bootstrap` has the parts that a local run has too."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from querymix import telemetry
from querymix.bootstrap import (
    make_classifier,
    make_codec,
    make_ordering,
    make_pseudonyms,
    make_rules,
    open_bundle,
)
from querymix.bootstrap_mongo import connect_mongo
from querymix.codecs.recognize import Form
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.kafka.admin import connected
from querymix.kafka.anonymizer import Anonymizer, AnonymizerSetup
from querymix.kafka.app import App, add_pages, make_app
from querymix.kafka.assignment import MakeRole, Processors
from querymix.kafka.classifier import Classifier, ClassifierSetup, group_of
from querymix.kafka.connection import member_options
from querymix.kafka.current_knowledge import CurrentKnowledge
from querymix.kafka.feeders import BatchFeeder, add_frames
from querymix.kafka.gauges import PoolMeasures
from querymix.kafka.identity_watch import IdentityWatch, InstanceName
from querymix.kafka.log import KafkaLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.preflight import check_groups, check_port, check_session, check_topics, partitions_of
from querymix.kafka.profiler import Profiler, ProfilerSetup
from querymix.kafka.releases import ReleaseWriter
from querymix.kafka.slices import Room
from querymix.kafka.topics import Found, Placement, Topics, names, rights_of
from querymix.kafka.watchdog import Watchdog
from querymix.kafka.worker import Failure, Wait, Worker, first_of
from querymix.settings import WorkerSettings, read_secret
from querymix.stages.classifying import Classifying
from querymix.stages.partition import Partition
from querymix.stores.mongo import Client, MongoProfiles
from querymix.stores.mongo_knowledge import MongoKnowledge


@dataclass(frozen=True)
class _Parts:
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
    room: Room = field(default_factory=Room)
    processors: list[Processors] = field(default_factory=list)
    services: list[Any] = field(default_factory=list)
    """What runs beside Faust's agents."""

    @property
    def partitions(self) -> dict[str, int]:
        """How many partitions each topic has, by its whole name."""
        return partitions_of(self.found)

    def process(self, topic: str, make: MakeRole) -> Processors:
        """Add the processors of a topic and return them."""
        self.processors.append(Processors(topic, self.log, make, 2 * self.settings.session_timeout, self.failure))
        return self.processors[-1]


async def make_worker(settings: WorkerSettings) -> Worker:
    """Put a worker together; must be called inside the running loop.

    Raises ConfigError where an option, a file or a topic is wrong, TransientError where Kafka is unavailable.
    """
    if unknown := sorted(set(settings.roles) - _ROLES.keys()):
        raise ConfigError(f"--roles: {unknown[0]!r} is no role; the roles are {', '.join(_ROLES)}")
    form_of(settings)
    mongo, topics = connect_mongo(settings), names(settings)
    groups = {group_of(settings.group) if role == "classifier" else settings.group for role in settings.roles}
    check_port(settings.http_host, settings.http_port)
    async with AsyncExitStack() as owned:
        profiles = MongoProfiles(mongo, settings.database)
        owned.push_async_callback(profiles.close)
        admin = await owned.enter_async_context(connected(settings))
        found = await check_topics(admin, topics, rights_of(settings.roles))
        await check_groups(admin, groups)
        await check_session(admin, settings.session_timeout)
        log = await owned.enter_async_context(KafkaLog(admin, settings.group))
        failure = Failure(settings.instance)
        app = make_app(settings)
        parts = _Parts(settings, topics, found, log, mongo, profiles, app, failure)
        for role, add in _ROLES.items():
            if role in settings.roles:
                await add(parts)
        for processors in parts.processors:
            owned.push_async_callback(processors.end)
        name = InstanceName(settings.instance, settings.session_timeout)
        identity = IdentityWatch(admin, found, groups, name, failure)
        app.services = [_watch(parts), identity, *parts.services]
        app.producer_only = not app.agents
        return Worker(app, failure, owned.pop_all().aclose)


async def _add_classifier(parts: _Parts) -> None:
    """Raw lines go from a consumer group of their own through a `Classifier` a partition to the classified topic."""
    settings, topics = parts.settings, parts.topics
    classify = await _make_classify(parts)
    pseudonyms = make_pseudonyms(settings, form_of(settings), kept=True)
    setup = ClassifierSetup(
        settings.group,
        topics,
        parts.partitions,
        make_codec(settings, settings.time_policy, settings.time_precision, form_of(settings)),
        lambda: Classifying(classify, unclassified=settings.unclassified, pseudonyms=pseudonyms),
        Placement(parts.partitions[topics.classified], settings.hot),
        settings.transaction_logs,
        parts.found["raw"].id,
        parts.room,
    )
    processors = parts.process(topics.raw, partial(Classifier, setup))
    parts.services.append(BatchFeeder(processors, member_options(settings, group_of(settings.group))))


async def _make_classify(parts: _Parts) -> Classify:
    """Return the classifier; add the service that follows the knowledge in MongoDB where that is asked for."""
    settings = parts.settings
    if settings.knowledge_from == "bundle":
        bundle = open_bundle(settings)
        telemetry.KNOWLEDGE.labels(bundle.version[:16]).set(1)
        return make_classifier(settings, bundle)
    folder = Path(tempfile.mkdtemp(prefix="querymix-knowledge-"))
    source = MongoKnowledge(parts.mongo, settings.database)
    current = CurrentKnowledge(source, folder, partial(make_classifier, settings))
    await current.refresh()
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


async def _add_anonymizer(parts: _Parts) -> None:
    """Frames of classified records go from a Faust agent through an `Anonymizer` a partition to the released topics."""
    settings, topics = parts.settings, parts.topics
    codec = make_codec(settings, settings.time_policy, settings.time_precision, form_of(settings))
    setup = AnonymizerSetup(
        settings.group,
        topics,
        make_rules(settings).check(),
        system_draw(),
        time.time,
        ReleaseWriter(
            topics, parts.partitions, codec, category_header=settings.category_header == "on", room=parts.room
        ),
        codec.format,
        settings.transaction_logs,
        make_ordering(settings),
        parts.found["classified"].id,
        parts.room,
    )
    processors = parts.process(topics.classified, partial(Anonymizer, setup))
    add_frames(parts.app, "anonymize", processors)

    def states() -> dict[int, Partition]:
        roles = processors.roles.items()
        return {source.partition: role.state for source, role in roles if isinstance(role, Anonymizer)}

    parts.services.append(PoolMeasures(states, time.time))


async def _add_profiler(parts: _Parts) -> None:
    """Frames of evidence go from a Faust agent through a `Profiler` a partition to the profile store."""
    setup = ProfilerSetup(
        parts.settings.group, parts.topics, parts.profiles, topic_id=parts.found["evidence"].id, room=parts.room
    )
    add_frames(parts.app, "profile", parts.process(parts.topics.evidence, partial(Profiler, setup)))


_ROLES: Final[Mapping[str, Callable[[_Parts], Awaitable[None]]]] = {
    "classifier": _add_classifier,
    "anonymizer": _add_anonymizer,
    "profiler": _add_profiler,
}


def _watch(parts: _Parts) -> Watchdog:
    """Return the watchdog over all processors, and show on the pages what keeps the worker from being ready."""
    settings, app = parts.settings, parts.app
    waits: Wait = partial(
        first_of, [*(one.waits for one in parts.processors), lambda: "rebalancing" if app.rebalancing else ""]
    )
    always = TopicPartition(parts.topics.positions, 0)  # of a topic that any worker has
    watchdog = Watchdog(parts.log, parts.processors, always, settings.stall_timeout, parts.failure, waits)
    # The silence first, since all else follows from it; and well before the group gives the worker up.
    silence = partial(watchdog.silence, settings.session_timeout / 2)
    ready: Wait = partial(first_of, [silence, waits, partial(watchdog.behind, settings.ready_lag)])
    token = read_secret(settings.profiles_token_file, "--profiles-token-file")
    add_pages(app, ready, parts.profiles, token)
    return watchdog
