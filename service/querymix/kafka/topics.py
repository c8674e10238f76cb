"""The topics: their names, their settings, and where each record goes.

Rules:
- A category always goes to the same partition of the classified topic, or to one of its shards where it is hot; a
  pool lives in one partition.
- The state topic has as many partitions as the classified one, number by number: the pools' state and no other.
- The positions topic holds the accounts of the raw partitions, and is made with as many partitions as the raw topic:
  that of raw partition n stands in partition n modulo their number. They are apart from the pools' state, since an
  open transaction of one stage hides what another has committed after it in the same partition.
- A user's evidence always goes to the same partition, which is what makes profiles exactly-once.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from zlib import crc32

from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.kafka.ports import TopicPartition
from querymix.settings import ConnectionSettings

MAX_BYTES: Final = 8 << 20
"""Bytes of one record of an internal topic."""


class Topics(NamedTuple):
    """The topics' names."""

    raw: str
    classified: str
    anonymized: str
    evidence: str
    state: str
    deadletter: str
    positions: str


def names(settings: ConnectionSettings) -> Topics:
    """Return the topics' names under the settings' prefix."""
    return Topics(*(f"{settings.prefix}.{field}" for field in Topics._fields))


def positions_partition(topics: Topics) -> TopicPartition:
    """Return the partition of the positions topic that is always there, for questions that need any partition."""
    return TopicPartition(topics.positions, 0)


class Placement:
    """Where a category's frames go.

    `hot` gives the number of shards of a category by its name. Raises ConfigError where a name or number is wrong.
    """

    def __init__(self, partitions: int, hot: Mapping[str, str]) -> None:
        self._partitions = partitions
        self._shards: dict[int, int] = {}
        for name, number in hot.items():
            if name not in CATEGORIES or not number.isdigit() or not 1 <= int(number) <= partitions:
                raise ConfigError(f"--hot: give category=shards with 1 to {partitions} shards, such as Arts=2")
            self._shards[CATEGORIES.index(name)] = int(number)

    def partition(self, category: int, turn: int) -> int:
        """Return the classified topic's partition for a category; `turn` picks the shard of a hot one."""
        return (category + turn % self._shards.get(category, 1)) % self._partitions


def partition_of(user: str, partitions: int) -> int:
    """Return a user's partition."""
    return crc32(user.encode("utf-8", "surrogateescape")) % partitions
