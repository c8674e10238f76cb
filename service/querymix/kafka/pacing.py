"""How often aiokafka's clients ask: for metadata, and for connections to brokers that have just refused one."""

import asyncio
from collections.abc import Iterator
from math import inf
from typing import Any, Final

from aiokafka.client import AIOKafkaClient

from querymix.kafka.retrying import jittered

_BETWEEN_UPDATES: Final = 0.1
"""Seconds between two updates of a client's metadata."""
_FIRST_RECONNECT: Final = 0.05
_LONGEST_RECONNECT: Final = 2.0

_update_metadata: Final = AIOKafkaClient._metadata_update  # noqa: SLF001 - no option paces it


async def _paced_update(self: Any, *arguments: Any) -> bool:
    """Update metadata, but no two updates within `_BETWEEN_UPDATES`."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(getattr(self, "updated_at", -inf) + _BETWEEN_UPDATES - loop.time())
    updated: bool = await _update_metadata(self, *arguments)
    self.updated_at = loop.time()
    return updated


# While a partition has no leader, as after a broker was stopped in order, a producer asks for metadata again as soon as
# it was told: each took a whole core until the broker was back. Java's clients pause as long (retry.backoff.ms).
AIOKafkaClient._metadata_update = _paced_update  # noqa: SLF001

_get_connection: Final = AIOKafkaClient._get_conn  # noqa: SLF001 - no option paces it


async def _paced_connect(self: Any, node: Any, **how: Any) -> Any:
    """Connect to a broker, but not at once to one that has just refused it."""
    # By the client and the broker: pauses, and when the next try may begin.
    refused: dict[Any, tuple[Iterator[float], float]] = self.__dict__.setdefault("refused", {})
    place, loop = (node, how.get("group")), asyncio.get_running_loop()
    if place in refused:
        await asyncio.sleep(refused[place][1] - loop.time())
    connection = await _get_connection(self, node, **how)
    if connection is None:
        pauses = refused[place][0] if place in refused else jittered(_FIRST_RECONNECT, _LONGEST_RECONNECT)
        refused[place] = pauses, loop.time() + next(pauses)
    else:
        refused.pop(place, None)
    return connection


# A worker's clients asked a broker that is away 150 times a second, and one that refuses their password as often, which
# locks an account. Java's clients pause too (reconnect.backoff.max.ms).
AIOKafkaClient._get_conn = _paced_connect  # noqa: SLF001
