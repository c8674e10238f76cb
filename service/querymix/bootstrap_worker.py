"""The composition root of a worker of the service; `bootstrap` has the parts that a local run has too."""

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from querymix import telemetry
from querymix.bootstrap import (
    make_classifier,
    make_codec,
    make_ordering,
    make_rules,
    open_bundle,
    read_pseudonyms,
)
from querymix.bootstrap_mongo import connect_mongo
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.kafka.admin import Found, connected
from querymix.kafka.anonymizer import Anonymizer, AnonymizerSetup
from querymix.kafka.app import App, Web, make_app
from querymix.kafka.batches import BatchFeeder
from querymix.kafka.checks import check_groups, check_session, check_topics
from querymix.kafka.classifier import Classifier, ClassifierSetup, group_of
from querymix.kafka.frames import add_frames
from querymix.kafka.gauges import PoolMeasures
from querymix.kafka.knowledge import CurrentKnowledge
from querymix.kafka.log import KafkaLog
from querymix.kafka.member import Member
from querymix.kafka.pages import add_pages
from querymix.kafka.plan import rights_of
from querymix.kafka.processors import MakeRole, Processors
from querymix.kafka.profiler import Profiler, ProfilerSetup
from querymix.kafka.releases import ReleaseWriter, ReleaseWriterSetup
from querymix.kafka.same import IdentityWatch, Name
from querymix.kafka.starting import check_port
from querymix.kafka.topics import Placement, Topics, names, positions_partition
from querymix.kafka.watchdog import Watchdog
from querymix.kafka.worker import Failure, Wait, Worker, first_of
from querymix.settings import WorkerSettings, read_secret
from querymix.stages.classifying import Classifying
from querymix.stages.partition import Partition
from querymix.stores.mongo import Client, MongoProfiles
from querymix.stores.mongo_knowledge import MongoKnowledge

ROLES = ("classifier", "anonymizer", "profiler")


@dataclass(frozen=True)
class _Shared:
    """What the parts of one worker share."""

    settings: WorkerSettings
    topics: Topics
    found: Mapping[str, Found]
    """The topics as the brokers have them, by their names in `Topics`."""
    log: KafkaLog
    mongo: Client
    failure: Failure

    @property
    def partitions(self) -> dict[str, int]:
        """How many partitions each topic has, by its whole name."""
        return {topic.name: topic.partitions for topic in self.found.values()}

    def processors(self, topic: str, make: MakeRole) -> Processors:
        """Return a topic's processors."""
        return Processors(topic, self.log, make, 2 * self.settings.session_timeout, self.failure)


async def make_worker(settings: WorkerSettings) -> Worker:
    """Put a worker together; must be called inside the running loop.

    Raises ConfigError where an option, a file or a topic is wrong, TransientError where Kafka is unavailable.
    """
    if unknown := sorted(set(settings.roles) - set(ROLES)):
        raise ConfigError(f"--roles: {unknown[0]!r} is no role; the roles are {', '.join(ROLES)}")
    mongo = connect_mongo(settings)
    check_port(settings.http_host, settings.http_port)
    async with AsyncExitStack() as owned:
        admin = await owned.enter_async_context(connected(settings))
        topics = names(settings)
        found = await check_topics(admin, topics, rights_of(settings.roles))
        await check_groups(admin, _groups(settings))
        await check_session(admin, settings.session_timeout)
        profiles = MongoProfiles(mongo, settings.database)
        owned.push_async_callback(profiles.close)
        log = await owned.enter_async_context(KafkaLog(admin, settings.group))
        shared = _Shared(settings, topics, found, log, mongo, Failure(settings.instance))
        member = Member(settings.group, settings.session_timeout, settings.instance)
        app = make_app(settings, member, Web(settings.http_host, settings.http_port))
        processors, services = await _make_roles(shared, app, member, profiles, admin.options)
        for one in processors:
            owned.push_async_callback(one.end)
        watchdog = Watchdog(log, processors, positions_partition(topics), settings.stall_timeout, shared.failure)
        token = read_secret(settings.profiles_token_file, "--profiles-token-file")
        add_pages(app, _readiness(app, settings, processors, watchdog), profiles, token)
        name = Name(settings.instance, settings.session_timeout)
        same = IdentityWatch(admin, found, _groups(settings), name, shared.failure)
        app.services = [watchdog, same, *services]
        app.producer_only = not app.agents
        return Worker(app, shared.failure, owned.pop_all().aclose)


async def _make_roles(
    shared: _Shared, app: App, member: Member, profiles: MongoProfiles, options: Mapping[str, Any]
) -> tuple[list[Processors], list[Any]]:
    """Return the processors of each role that the worker has, and the services that feed or measure them."""
    settings, topics = shared.settings, shared.topics
    processors: list[Processors] = []
    services: list[Any] = []
    if "classifier" in settings.roles:
        classify, followers = await _make_classify(shared)
        setup = _classifier_setup(shared, classify)
        processors.append(shared.processors(topics.raw, partial(Classifier, setup)))
        feeder = BatchFeeder(processors[-1], replace(member, group=group_of(member.group)), options)
        services += [*followers, feeder]
    if "anonymizer" in settings.roles:
        anonymizers = shared.processors(topics.classified, partial(Anonymizer, _anonymizer_setup(shared)))
        processors.append(anonymizers)
        add_frames(app, "anonymize", anonymizers)
        services.append(PoolMeasures(lambda: _states(anonymizers), time.time))
    if "profiler" in settings.roles:
        profiler = ProfilerSetup(settings.group, topics, profiles, topic_id=shared.found["evidence"].id)
        processors.append(shared.processors(topics.evidence, partial(Profiler, profiler)))
        add_frames(app, "profile", processors[-1])
    return processors, services


def _readiness(app: App, settings: WorkerSettings, processors: Sequence[Processors], watchdog: Watchdog) -> Wait:
    """Return what says what the worker waits for before it is ready, and tell the watchdog what must not last."""
    waits: list[Wait] = [partial(_waits_of, one) for one in processors]
    waits.append(lambda: "rebalancing" if app.rebalancing else "")
    watchdog.waits = partial(first_of, waits)
    return partial(
        first_of,
        [
            # First, since all else follows from it; and well before the group gives the worker up.
            lambda: watchdog.silence(settings.session_timeout / 2),
            *waits,
            lambda: "" if watchdog.lag <= settings.ready_lag else f"lag of {watchdog.lag} records",
        ],
    )


def _groups(settings: WorkerSettings) -> set[str]:
    """Return the groups that this worker joins."""
    return {group_of(settings.group) if role == "classifier" else settings.group for role in settings.roles}


def _waits_of(processors: Processors) -> str:
    return processors.waits


def _states(anonymizers: Processors) -> dict[int, Partition]:
    return {source.partition: role.state for source, role in anonymizers.roles.items() if isinstance(role, Anonymizer)}


async def _make_classify(shared: _Shared) -> tuple[Classify, list[Any]]:
    """Return the classifier, and the service that follows the knowledge in MongoDB where that is asked for."""
    settings = shared.settings
    if settings.knowledge_from == "bundle":
        bundle = open_bundle(settings)
        telemetry.KNOWLEDGE.labels(bundle.version[:16]).set(1)
        return make_classifier(settings, bundle), []
    folder = Path(tempfile.mkdtemp(prefix="querymix-knowledge-"))
    source = MongoKnowledge(shared.mongo, settings.database)
    current = CurrentKnowledge(source, folder, partial(make_classifier, settings))
    await current.refresh()
    return current, [current]


def _classifier_setup(shared: _Shared, classify: Classify) -> ClassifierSetup:
    settings = shared.settings
    pseudonyms = read_pseudonyms(settings.pseudonym_key_file)
    return ClassifierSetup(
        settings.group,
        shared.topics,
        shared.partitions,
        make_codec(settings, settings.time_policy, settings.time_precision),
        lambda: Classifying(classify, unclassified=settings.unclassified, pseudonyms=pseudonyms),
        Placement(shared.partitions[shared.topics.classified], settings.hot),
        settings.transaction_logs,
        shared.found["raw"].id,
    )


def _anonymizer_setup(shared: _Shared) -> AnonymizerSetup:
    settings = shared.settings
    header = settings.category_header == "on"
    codec = make_codec(settings, settings.time_policy, settings.time_precision)
    release_writer = ReleaseWriter(ReleaseWriterSetup(shared.topics, shared.partitions, codec, header))
    return AnonymizerSetup(
        settings.group,
        shared.topics,
        make_rules(settings).check(),
        system_draw(),
        time.time,
        release_writer,
        codec.format,
        settings.transaction_logs,
        make_ordering(settings),
        shared.found["classified"].id,
    )
