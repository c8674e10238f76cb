"""How each topic is made, and what of that must hold before anything works with it.

Rules:
- `wanted` is how a topic is made; a topic that is there may differ, and `topics create` reports it.
- `harm` is the part of a difference that loses or doubles records: neither a worker nor a command starts over it.
- Internal topics take the broker's time: a worker whose clock is wrong then neither stops at its first record, nor
  writes records that are past their retention at once.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from querymix.codecs.base import LONGEST_LINE
from querymix.kafka.admin import READ, WRITE, Found, Plan
from querymix.kafka.deadletter import MAX_KEPT
from querymix.kafka.topics import MAX_BYTES, names
from querymix.settings import TopicSettings

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
}
"""Bytes of the largest record that the service writes to each topic."""

_COMPACTED: Final = ("state", "positions")

_RIGHTS: Final[Mapping[str, Mapping[str, set[str]]]] = {
    "classifier": {
        "raw": {READ},
        "positions": {READ, WRITE},
        "state": {READ},
        "classified": {WRITE},
        "deadletter": {WRITE},
    },
    "anonymizer": {
        "classified": {READ},
        "state": {READ, WRITE},
        "anonymized": {WRITE},
        "evidence": {WRITE},
        "deadletter": {WRITE},
    },
    "profiler": {"evidence": {READ}, "deadletter": {WRITE}},
}


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
    out = {"cleanup.policy": "delete", "message.timestamp.type": "LogAppendTime"}
    plan: dict[str, tuple[int, Mapping[str, str]]] = {
        topic.raw: (settings.raw_partitions, {"cleanup.policy": "delete"}),
        topic.classified: (settings.pool_partitions, short),
        topic.anonymized: (settings.out_partitions, out),
        topic.evidence: (settings.evidence_partitions, short),
        topic.state: (settings.pool_partitions, kept),
        topic.deadletter: (1, out),
        topic.positions: (settings.raw_partitions, kept),
    }
    return {name: Plan(partitions, settings.replication, configs) for name, (partitions, configs) in plan.items()}


def differences(plan: Plan, found: Found, configs: Mapping[str, str]) -> list[str]:
    """Return in words how a topic differs from how it would be made."""
    different = []
    if found.partitions != plan.partitions:
        different.append(f"has {found.partitions} partitions, not {plan.partitions}")
    if found.copies != plan.copies:
        different.append(f"has {found.copies} copies, not {plan.copies}")
    different += [
        f"{name} is {configs[name]}, not {value}"
        for name, value in plan.configs.items()
        if name in configs and configs[name] != value
    ]
    return different


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


def rights_of(roles: Iterable[str]) -> dict[str, set[str]]:
    """Return the rights that workers with these roles need, by the topics' names in `Topics`."""
    needed: dict[str, set[str]] = {}
    for role in roles:
        for field, rights in _RIGHTS[role].items():
            needed.setdefault(field, set()).update(rights)
    return needed
