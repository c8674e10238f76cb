"""A worker of the service, put together of its roles, its pages and what watches over it."""

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

from querymix import telemetry
from querymix.bootstrap.mongo import connect_mongo
from querymix.bootstrap.pages import make_pages, read_tokens
from querymix.bootstrap.reload import renewals, rules_of
from querymix.bootstrap.roles import ROLES, Parts, checked, shared_period
from querymix.kafka.admin import connected
from querymix.kafka.app import make_app
from querymix.kafka.classifier import group_of
from querymix.kafka.connection import Credentials
from querymix.kafka.identity_watch import IdentityWatch, InstanceName
from querymix.kafka.log import KafkaLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.preflight import check_groups, check_period, check_session, check_topics
from querymix.kafka.reloading import Prepare, Reloader
from querymix.kafka.topics import names, rights_of
from querymix.kafka.watchdog import Watchdog
from querymix.kafka.worker import Failure, Wait, Worker, first_of
from querymix.settings import WorkerSettings
from querymix.signals import Terminal
from querymix.stores.mongo import MongoProfiles

_log: Final = logging.getLogger(__name__)


async def make_worker(read: Callable[[], WorkerSettings], file: Path | None, terminal: Terminal) -> Worker:
    """Put a worker together; must be called inside the running loop.

    `read` reads the settings, now and again, of which some may stand in `file`; `terminal` is what it was started on.
    Raises ConfigError where an option, a file or a topic is wrong, TransientError where Kafka is unavailable.
    """
    reloads: list[Prepare] = []
    reloader = Reloader(read, file, reloads, rules_of)  # notes what the secrets' files hold before they are read
    settings = checked(reloader.settings)
    dry_run = settings.dry_run == "on"
    mongo, topics = connect_mongo(settings), names(settings)
    groups = {group_of(settings.group) if role == "classifier" else settings.group for role in settings.roles}
    async with AsyncExitStack() as owned:
        profiles = MongoProfiles(mongo, settings.database)
        owned.push_async_callback(profiles.close)
        credentials = Credentials(settings)
        admin = await owned.enter_async_context(connected(settings, credentials))
        period = shared_period(settings)
        rights = rights_of(settings.roles, dry_run=dry_run, period_keys=period is not None)
        found = await check_topics(admin, topics, rights)
        if period is not None:
            await check_period(admin, topics, period)
        await check_groups(admin, groups, topics)
        await check_session(admin, settings.session_timeout)
        log = await owned.enter_async_context(KafkaLog(admin, settings.group))
        failure = Failure(settings.instance)
        app, tokens = make_app(settings, credentials), read_tokens(settings)
        name = InstanceName(settings.instance, settings.session_timeout)
        identity = IdentityWatch(admin, found, groups, name, failure)
        parts = Parts(
            settings, topics, found, log, mongo, profiles, app, failure, identity, credentials, tokens, reloads
        )
        parts.asks.append(profiles.use)
        for role, add in ROLES.items():
            if role in settings.roles:
                await add(parts)
        for processors in parts.processors:
            owned.push_async_callback(processors.end)
        parts.reloads.extend(renewals(credentials, tokens, parts.asks))
        app.services = [_watch(parts), identity, reloader, *parts.services]
        app.producer_only = not app.agents
        if dry_run:
            _tell_dry_run(settings)
        return Worker(app, failure, owned.pop_all().aclose, reloader.asked.set, terminal)


def _tell_dry_run(settings: WorkerSettings) -> None:
    telemetry.DRY_RUN.set(1)
    _log.warning(
        "dry run: nothing is released, and no profile grows. Look at it with: querymix account --prefix %s --group %s "
        "--raw-topic %s",
        settings.prefix, settings.group, settings.raw_topic,
    )  # fmt: skip


def _watch(parts: Parts) -> Watchdog:
    """Return the watchdog over all processors, and show on the pages what keeps the worker from being ready."""
    settings, app = parts.settings, parts.app
    waits: Wait = partial(
        first_of, [*(one.waits for one in parts.processors), lambda: "rebalancing" if app.rebalancing else ""]
    )
    always = TopicPartition(parts.topics.positions, 0)  # of a topic that any worker has
    trouble: Wait = partial(first_of, [one.trouble for one in parts.processors])
    watchdog = Watchdog(
        parts.log, parts.processors, always, settings.stall_timeout, parts.failure, waits, trouble, parts.why
    )
    # The silence first, since all else follows from it; and well before the group gives the worker up.
    silence = partial(watchdog.silence, settings.session_timeout / 2)
    ready: Wait = partial(first_of, [silence, trouble, waits, partial(watchdog.behind, settings.ready_lag)])
    app.pages = [make_pages(settings, ready, parts.profiles, parts.tokens)]
    return watchdog
