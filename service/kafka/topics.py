"""The topics: their names, their settings, and where each record goes.

Rules:
- A category always goes to the same partition of the classified topic, or to one of its shards where it is hot; a
  pool lives in one partition.
- The state topic has as many partitions as the classified one, number by number: the pools' state and no other.
- The positions topic holds the accounts of the raw partitions. They are apart from the pools' state, since an open
  transaction of one stage hides what another has committed after it in the same partition.
- A user's evidence always goes to the same partition, which is what makes profiles exactly-once.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from zlib import crc32

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from service.core.errors import Broken, Misconfigured
from service.core.knowledge import CATEGORIES
from service.kafka.connection import client_options, reaching
from service.settings import ConnectionSettings, TopicSettings

MOST_BYTES: Final = 8 << 20
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


def wanted(settings: TopicSettings) -> list[NewTopic]:
    """Return the topics as they are to be made."""
    topic = names(settings)
    short = {"retention.ms": str(int(settings.internal_retention * 1000)), "max.message.bytes": str(MOST_BYTES)}
    compacted = {"cleanup.policy": "compact", "max.message.bytes": str(MOST_BYTES), "segment.ms": "600000"}
    # The state topic holds queries with their owners: what a newer record replaces has to go soon.
    compacted["max.compaction.lag.ms"] = "3600000"
    plan: dict[str, tuple[int, Mapping[str, str]]] = {
        topic.raw: (settings.raw_partitions, {}),
        topic.classified: (settings.pool_partitions, short),
        topic.anonymized: (settings.out_partitions, {}),
        topic.evidence: (settings.evidence_partitions, short),
        topic.state: (settings.pool_partitions, compacted),
        topic.deadletter: (1, {}),
        topic.positions: (settings.raw_partitions, compacted),
    }
    return [
        NewTopic(name, partitions, settings.replication, topic_configs=dict(configs))
        for name, (partitions, configs) in plan.items()
    ]


async def create(settings: TopicSettings) -> dict[str, str]:
    """Make the topics that are missing and return what became of each.

    Raises Broken where the broker cannot be reached or refuses.
    """
    admin = AIOKafkaAdminClient(**client_options(settings))
    done: dict[str, str] = {}
    try:
        with reaching(settings):
            await admin.start()
            answer = await admin.create_topics(wanted(settings))
        for name, code, *why in answer.topic_errors:
            error = for_code(code)
            if code and error is not TopicAlreadyExistsError:
                raise Broken(f"cannot make the topic {name}: {why[0] if why and why[0] else error.__name__}")
            done[name] = "was there" if code else "made"
    finally:
        await admin.close()
    return done


class Placement:
    """Where a category's frames go.

    `hot` gives the number of shards of a category by its name. Raises Misconfigured where a name or number is wrong.
    """

    def __init__(self, partitions: int, hot: Mapping[str, str]) -> None:
        self._partitions = partitions
        self._shards: dict[int, int] = {}
        for name, number in hot.items():
            if name not in CATEGORIES or not number.isdigit() or not 1 <= int(number) <= partitions:
                raise Misconfigured(f"--hot: give category=shards with 1 to {partitions} shards, such as Arts=2")
            self._shards[CATEGORIES.index(name)] = int(number)

    def partition(self, category: int, turn: int) -> int:
        """Return the classified topic's partition for a category; `turn` picks the shard of a hot one."""
        return (category + turn % self._shards.get(category, 1)) % self._partitions


def partition_of(user: str, partitions: int) -> int:
    """Return a user's partition."""
    return crc32(user.encode("utf-8", "surrogateescape")) % partitions


async def partitions_of(settings: ConnectionSettings) -> dict[str, int]:
    """Return the number of partitions of each of the topics.

    Raises Misconfigured where one is missing or the numbers do not go together, Broken where Kafka is away.
    """
    topics = names(settings)
    admin = AIOKafkaAdminClient(**client_options(settings))
    try:
        with reaching(settings):
            await admin.start()
            found = await admin.describe_topics(list(topics))
    finally:
        await admin.close()
    counts = {one["topic"]: len(one["partitions"]) for one in found if not one["error_code"]}
    missing = [name for name in topics if name not in counts]
    if missing:
        raise Misconfigured(f"the topic {missing[0]} is not there: make it with 'querymix topics create'")
    if counts[topics.state] != counts[topics.classified]:
        raise Misconfigured(f"{topics.state} needs as many partitions as {topics.classified}: make both anew")
    return counts
