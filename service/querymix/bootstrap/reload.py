"""What a worker takes over while it works, but for the rules, which its roles take over: credentials and the crowd."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from querymix import telemetry
from querymix.bootstrap.crowding import make_crowding
from querymix.bootstrap.mongo import try_mongo
from querymix.bootstrap.pages import Tokens, read_tokens
from querymix.bootstrap.parts import make_ordering, make_rules
from querymix.bootstrap.screening import open_crowd, screening_rules
from querymix.crowd.table import CrowdTable
from querymix.kafka.connection import Credentials, client_options, knock
from querymix.kafka.reloading import Prepare, Take
from querymix.settings import WorkerSettings
from querymix.settings.reloading import KAFKA
from querymix.stages.releasing import hash_of_rules
from querymix.stages.screening import Rule
from querymix.stores.mongo import Client

_log: Final = logging.getLogger(__name__)


def rules_of(settings: WorkerSettings) -> str:
    """Return the hash of the rules that settings name. Raises ConfigError where one is out of range."""
    crowding = make_crowding(settings)
    return hash_of_rules(make_rules(settings).check(), make_ordering(settings), crowding and crowding.rules)


def renewals(credentials: Credentials, tokens: Tokens, ask: Sequence[Callable[[Client], Client]]) -> list[Prepare]:
    """Return what prepares other tokens, credentials for Kafka and a client of MongoDB.

    `ask` hands a client to whatever asks MongoDB, and returns the one that it had. That of MongoDB comes last, since a
    client that is open would have to be closed where another part refuses.
    """
    closing: list[Any] = []

    async def token(new: WorkerSettings, names: frozenset[str]) -> Take:
        return partial(tokens.update, read_tokens(new))

    async def kafka(new: WorkerSettings, names: frozenset[str]) -> Take:
        """Make a connection with them first: with a wrong password the worker would go on until one breaks."""
        if not names & KAFKA:
            return nothing
        fresh = Credentials(new)
        await knock(new, client_options(new, fresh))
        return partial(credentials.take, fresh)

    async def mongo(new: WorkerSettings, names: frozenset[str]) -> Take:
        if "mongodb_uri_file" not in names:
            return nothing
        client = await try_mongo(new)

        def take() -> None:
            old = {use(client) for use in ask}
            closing.extend(asyncio.create_task(one.close()) for one in old)

        return take

    return [token, kafka, mongo]


def screening_of(settings: WorkerSettings) -> tuple[list[Rule], Callable[[], None]]:
    """Return a worker's rules, and what shows their table in its metrics and its log once they hold.

    Raises as `open_crowd` does.
    """
    table = open_crowd(settings)
    return screening_rules(settings, table), partial(_show, table)


def _show(table: CrowdTable | None) -> None:
    if table is None:
        return
    end = datetime.combine(table.last, datetime.min.time(), UTC) + timedelta(days=1)
    telemetry.CROWD_END.set(end.timestamp())
    _log.info("the crowd table %s counts what was asked from %s to %s", table.version[:16], table.first, table.last)
    if old := table.age_remark(time.time()):
        _log.warning("%s", old)


def nothing() -> None:
    """There is nothing to take over."""
