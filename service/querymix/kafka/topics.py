"""The topics: their names, how each is made and what of that must hold, and where each record goes.

Rules:
- A category always goes to the same partition of the classified topic, or to one of its shards where it is hot; a
  pool lives in one partition.
- The state topic has as many partitions as the classified one, number by number: the pools' state and no other.
- The positions topic holds the accounts of the raw partitions, and is made with as many partitions as the raw topic:
  that of raw partition n stands in partition n modulo their number. They are apart from the pools' state, since an
  open transaction of one stage hides what another has committed after it in the same partition.
- A user's evidence always goes to the same partition, which is what makes profiles exactly-once.
- `wanted` is how a topic is made; a topic that is there may differ, and `topics create` reports it. `harm` is the part
  of a difference that loses or doubles records: neither a worker nor a command starts over it.
- The periods topic holds the key of the current period of released ids (querymix.kafka.periods), in one partition. It
  is needed where such ids are released, and looked at by who has to read it.
- Internal topics take the broker's time: a worker whose clock is wrong then neither stops at its first record, nor
  writes records that are past their retention at once.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from zlib import crc32

from querymix.codecs.base import LONGEST_LINE
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.settings import ConnectionSettings, TopicSettings

MAX_BYTES: Final = 8 << 20
"""Bytes of one record of an internal topic."""
MAX_KEPT: Final = 1 << 19
"""Bytes of a refused record's value that a dead letter keeps."""
READ: Final = "READ"
WRITE: Final = "WRITE"
_ROOM: Final = 1 << 16
"""Bytes that keys, headers and the batch around a record take, at most."""

_MIN_BYTES: Final = {
    "raw": 0,
    "classified": MAX_BYTES,
    "anonymized": 4 * LONGEST_LINE + _ROOM,
    "evidence": MAX_BYTES,
    "state": MAX_BYTES,
    "deadletter": MAX_KEPT + _ROOM,
    "positions": MAX_BYTES,
    "periods": _ROOM,
}
"""Bytes of the largest record that the service writes to each topic."""

_KEYS_KEPT: Final = 8 * 86_400.0
"""Seconds that the keys of periods stay where nobody may delete them: longer than a period of a week."""
_RELEASED: Final = ("anonymized", "evidence")
_COMPACTED: Final = ("state", "positions")

_RIGHTS: Final[Mapping[str, Mapping[str, set[str]]]] = {
    "classifier": {"raw": {READ}, "positions": {READ, WRITE}, "classified": {WRITE}, "deadletter": {WRITE}},
    "anonymizer": {
        "classified": {READ}, "state": {READ, WRITE}, "anonymized": {WRITE}, "evidence": {WRITE}, "deadletter": {WRITE},
        "periods": {READ, WRITE},
    },
    "profiler": {"evidence": {READ}, "deadletter": {WRITE}},
}  # fmt: skip


class Topics(NamedTuple):
    """The topics' names."""

    raw: str
    classified: str
    anonymized: str
    evidence: str
    state: str
    deadletter: str
    positions: str
    periods: str


def names(settings: ConnectionSettings) -> Topics:
    """Return the topics' names. Raises ConfigError where the raw topic is one of the service's own."""
    found = Topics(*(f"{settings.prefix}.{field}" for field in Topics._fields))
    if settings.raw_topic in found[1:]:
        raise ConfigError(f"--raw-topic: {settings.raw_topic} is a topic that the service itself writes; name another")
    return found._replace(raw=settings.raw_topic or found.raw)


class Found(NamedTuple):
    """A topic as the brokers have it."""

    name: str
    id: str
    """Kafka's topic id, as 32 hexadecimal digits."""
    partitions: int
    copies: int
    """Copies of the partition that has the fewest."""
    rights: frozenset[str]
    """What this user may do with it, of READ and WRITE."""


class Plan(NamedTuple):
    """A topic as it is to be made."""

    partitions: int
    copies: int
    configs: Mapping[str, str]


def wanted(settings: TopicSettings) -> dict[str, Plan]:
    """Return the topics as they are to be made, by their names."""
    topic = names(settings)
    short = {
        "cleanup.policy": "delete",
        "retention.ms": str(int(settings.internal_retention * 1000)),
        "retention.bytes": "-1",
        "max.message.bytes": str(MAX_BYTES),
        "message.timestamp.type": "LogAppendTime",
    }
    kept = {
        "cleanup.policy": "compact",
        "max.message.bytes": str(MAX_BYTES),
        "segment.ms": "600000",
        # The state topic holds queries with their owners: what a newer record replaces has to go soon.
        "max.compaction.lag.ms": "3600000",
        "message.timestamp.type": "LogAppendTime",
    }
    keys = {
        "cleanup.policy": "delete",
        "retention.ms": str(int(_KEYS_KEPT * 1000)),
        "retention.bytes": "-1",
        # What is deleted goes from the disk with its segment, once that is not the last one.
        "segment.ms": "600000",
        "message.timestamp.type": "LogAppendTime",
    }
    out = {"cleanup.policy": "delete", "message.timestamp.type": "LogAppendTime"}
    plan: dict[str, tuple[int, Mapping[str, str]]] = {
        topic.raw: (settings.raw_partitions, {"cleanup.policy": "delete"}),
        topic.classified: (settings.pool_partitions, short),
        topic.anonymized: (settings.out_partitions, out),
        topic.evidence: (settings.evidence_partitions, short),
        topic.state: (settings.pool_partitions, kept),
        topic.deadletter: (1, out),
        topic.positions: (settings.raw_partitions, kept),
        topic.periods: (1, keys),
    }
    return {name: Plan(partitions, settings.replication, configs) for name, (partitions, configs) in plan.items()}


def harm(field: str, configs: Mapping[str, str]) -> str:
    """Return the command's settings that would repair a topic whose settings lose records, nothing where all is well.

    `field` is the topic's name in `Topics`.
    """
    policy = set(filter(None, configs.get("cleanup.policy", "").replace(" ", "").split(",")))
    if field in _COMPACTED:
        if "cleanup.policy" in configs and policy != {"compact"}:
            return "cleanup.policy=compact"
    elif "compact" in policy:
        return "cleanup.policy=delete"
    least = _MIN_BYTES[field]
    if int(configs.get("max.message.bytes", least)) < least:
        return f"max.message.bytes={least}"
    return ""


def rights_of(roles: Iterable[str], *, dry_run: bool = False, period_keys: bool = True) -> dict[str, set[str]]:
    """Return the rights that workers with these roles need, by the topics' names in `Topics`.

    In a dry run nothing is written to the topics of releases and evidence. `period_keys` says whether they share the
    keys of periods.
    """
    needed: dict[str, set[str]] = {}
    for role in roles:
        for field, rights in _RIGHTS[role].items():
            if field == "periods" and not period_keys:
                continue
            needed.setdefault(field, set()).update(rights - {WRITE} if dry_run and field in _RELEASED else rights)
    return needed


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
