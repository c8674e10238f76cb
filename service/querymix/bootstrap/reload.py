"""What a worker takes over while it works, but for the rules, which its roles take over: credentials of all kinds."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from querymix.bootstrap.crowding import make_crowding
from querymix.bootstrap.mongo import try_mongo
from querymix.bootstrap.pages import Tokens, read_tokens
from querymix.bootstrap.parts import make_ordering, make_rules
from querymix.kafka.connection import Credentials, client_options, knock
from querymix.kafka.reloading import Prepare, Take
from querymix.settings import WorkerSettings
from querymix.settings.reloading import KAFKA
from querymix.stages.releasing import hash_of_rules
from querymix.stores.mongo import Client


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
            return _nothing
        fresh = Credentials(new)
        await knock(new, client_options(new, fresh))
        return partial(credentials.take, fresh)

    async def mongo(new: WorkerSettings, names: frozenset[str]) -> Take:
        if "mongodb_uri_file" not in names:
            return _nothing
        client = await try_mongo(new)

        def take() -> None:
            old = {use(client) for use in ask}
            closing.extend(asyncio.create_task(one.close()) for one in old)

        return take

    return [token, kafka, mongo]


def _nothing() -> None:
    """There is nothing to take over."""
