"""`querymix worker`: the service on Kafka."""

import asyncio
import logging
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from service import telemetry
from service.bootstrap import collect_seldom, make_classifier, make_codec, make_rules, open_bundle, read_pseudonyms
from service.commands.common import reporting
from service.core.classify import Classify
from service.core.draw import system_draw
from service.core.errors import Misconfigured
from service.kafka.anonymizer import Anonymizer
from service.kafka.app import Failure, Refusals, add_anonymizer, make_app
from service.kafka.checks import check_topics
from service.kafka.ingest import Ingest
from service.kafka.knowledge import CurrentKnowledge
from service.kafka.pages import add_pages
from service.kafka.plan import rights_of
from service.kafka.profiler import Profiler
from service.kafka.topics import Placement, names
from service.kafka.watchdog import Watchdog
from service.settings import WorkerSettings, load, options, read_secret
from service.stages.classifying import Classifying
from service.stores.mongo import MongoProfiles, connect
from service.stores.mongo_knowledge import MongoKnowledge

ROLES: Final = ("classifier", "anonymizer", "profiler")
_GRACE: Final = 30.0


@click.command()
@options(WorkerSettings)
@reporting
def worker(settings: Path | None, **given: Any) -> None:
    """Run a worker of the service until it is told to stop (SIGTERM) or something breaks for good.

    Make the topics first: querymix topics create.

    Exit codes: 0 stopped; 1 Kafka or a partition gave way, start it again and it resumes; 2 an option is wrong.
    """
    chosen = load(WorkerSettings, given, settings)
    if unknown := sorted(set(chosen.roles) - set(ROLES)):
        raise Misconfigured(f"--roles: {unknown[0]!r} is none; those are {', '.join(ROLES)}")
    _log(chosen.log_level)
    asyncio.run(_serve(chosen))


def _log(level: str) -> None:
    """Log what querymix and Faust say; the clients' debug lines would hold whole records, so they never do."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for client in ("aiokafka", "pymongo", "kafka", "asyncio"):
        logging.getLogger(client).setLevel(max(logging.INFO, logging.getLevelName(level.upper())))


async def _serve(chosen: WorkerSettings) -> None:
    failure = Failure()
    topics = names(chosen)
    found = await check_topics(chosen, rights_of(chosen.roles))
    counts = {topic.name: topic.partitions for topic in found.values()}
    watchdog = Watchdog(chosen.stall_timeout, failure)
    app = make_app(chosen)
    services: list[Any] = [watchdog]
    waits: list[Any] = []
    refusals = Refusals(chosen, topics.deadletter)
    codec = make_codec(chosen)
    client = connect(read_secret(chosen.mongodb_uri_file, "--mongodb-uri-file") or chosen.mongodb)
    profiles = MongoProfiles(client, chosen.database)
    if "classifier" in chosen.roles:
        classify: Classify
        if chosen.knowledge_from == "mongodb":
            folder = Path(tempfile.mkdtemp(prefix="querymix-knowledge-"))
            classify = current = CurrentKnowledge(
                MongoKnowledge(client, chosen.database), folder, lambda bundle: make_classifier(chosen, bundle)
            )
            await current.refresh()
            services.append(current)
        else:
            bundle = open_bundle(chosen)
            classify = make_classifier(chosen, bundle)
            telemetry.KNOWLEDGE.labels(bundle.version[:16]).set(1)
        pseudonyms = read_pseudonyms(chosen.pseudonym_key_file)
        ingest = Ingest(
            chosen,
            topics,
            codec,
            lambda: Classifying(classify, unclassified=chosen.unclassified, pseudonyms=pseudonyms),
            Placement(counts[topics.classified], chosen.hot),
            counts[topics.state],
            watchdog,
            failure,
        )
        services.append(ingest)
        waits.append(lambda: "" if ingest.assigned.is_set() else "waiting for raw partitions")
    if "anonymizer" in chosen.roles:
        anonymizer = Anonymizer(
            chosen, topics, counts, codec, make_rules(chosen).check(), system_draw(), time.time, watchdog, failure
        )
        add_anonymizer(app, topics, anonymizer)
        services.append(anonymizer)
        waits.append(lambda: "" if anonymizer.ready else "restoring pools")
    if "profiler" in chosen.roles:
        profiler = Profiler(chosen, topics, profiles, refusals, watchdog, failure)
        services.append(profiler)
        waits.append(lambda: "" if profiler.assigned.is_set() else "waiting for evidence partitions")
    waits.append(lambda: "" if not app.rebalancing else "rebalancing")
    watchdog.waits = partial(_waits, waits[:])
    waits.append(lambda: "" if watchdog.lag <= chosen.ready_lag else f"lag of {watchdog.lag} records")
    token = read_secret(chosen.profiles_token_file, "--profiles-token-file")
    add_pages(app, partial(_waits, waits), profiles, token)
    app.services = services
    app.producer_only = not app.agents
    collect_seldom()
    await _until_told(app, failure)
    await refusals.close()
    await profiles.close()
    if failure.error is not None:
        raise failure.raised()


def _waits(waits: Iterable[Callable[[], str]]) -> str:
    """Return the first thing that the worker waits for, nothing where there is none."""
    return next(filter(None, (wait() for wait in waits)), "")


async def _until_told(app: Any, failure: Failure) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    ends = [
        asyncio.create_task(told.wait()),
        asyncio.create_task(failure.happened.wait()),
        asyncio.create_task(_crash(app, failure)),
    ]
    try:
        await app.start()
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    except Exception as error:
        failure(error)
    finally:
        for end in ends:
            end.cancel()
        try:
            await asyncio.wait_for(app.stop(), _GRACE)
        except TimeoutError:
            # Nothing is lost by an end without farewell: all that counts is in transactions.
            logging.getLogger("querymix").error("the worker did not stop in time and ends now")
            os._exit(1)


async def _crash(app: Any, failure: Failure) -> None:
    while not app.crashed:  # noqa: ASYNC110 - mode has no public event for it
        await asyncio.sleep(0.2)
    failure(app.crash_reason or RuntimeError("crashed"))
