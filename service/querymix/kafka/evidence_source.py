"""What the profile store calls a partition of the evidence topic, and what it was called before.

Rules:
- A name that stands in a store is a format: under another one the offsets match no more, and all that the topic still
  holds would be counted again. So what was applied under the old name is carried over, before anything is applied.
- Kafka's id of the topic is part of the name, since the offsets of a topic that was made anew begin again. The first
  versions had no id in it. Their offsets are only carried over to the topic that they belong to: the frame that they
  name is there, has no number, which those versions did not give, and its users have it.
"""

import logging
from typing import Final, NamedTuple

from querymix.codecs.frames import decode_evidence
from querymix.kafka.numbers import number_of
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition
from querymix.ports import ProfileStore

_ONE: Final = Limit(1, 1)
_log: Final = logging.getLogger(__name__)


def name_of(source: TopicPartition, topic_id: str) -> str:
    """Return the name of a partition's evidence in the store; without an id where the log gives none, as in memory."""
    return "-".join(filter(None, (source.topic, topic_id, str(source.partition))))


def old_name_of(source: TopicPartition) -> str:
    """Return the name that the versions before 158d9a4 gave it."""
    return name_of(source, "")


class Known(NamedTuple):
    """What the store knows of a partition's evidence."""

    applied: int
    """Offset of the last evidence that was applied, under whatever name; -1 before the first."""
    former: str = ""
    """The old name, where what was applied under it is to be carried over."""
    foreign: int | None = None
    """Offset under the old name, where it belongs to an evidence topic that is no more."""


async def known(log: PartitionedLog, store: ProfileStore, source: TopicPartition, topic_id: str) -> Known:
    """Return what the store knows of a partition's evidence.

    Raises TransientError where the log or the store is unavailable.
    """
    name, former = name_of(source, topic_id), old_name_of(source)
    now = await store.reached(name)
    applied = -1 if now is None else now
    if former == name:
        return Known(applied)
    before = await store.reached(former)
    if before is None:
        begun = now is None and await _begun(log, store, source)
        return Known(applied, former if begun else "")
    if before <= applied:
        return Known(applied)
    if await _belongs(log, store, source, before):
        return Known(before, former)
    return Known(applied, foreign=before)


async def carry_over(log: PartitionedLog, store: ProfileStore, source: TopicPartition, topic_id: str) -> None:
    """Let a partition's evidence go on after what was applied under its old name, where that is further."""
    found = await known(log, store, source, topic_id)
    if found.former:
        await store.carry_over(name_of(source, topic_id), found.former)
        _log.info(
            "%s partition %d: evidence up to offset %d was applied by an older version and is not applied again",
            *source,
            found.applied,
        )
    elif found.foreign is not None:
        _log.warning(
            "%s partition %d: the store has evidence up to offset %d of an older topic of that name, which is left out",
            *source,
            found.foreign,
        )


async def _belongs(log: PartitionedLog, store: ProfileStore, source: TopicPartition, offset: int) -> bool:
    """Say whether evidence up to an offset, applied under the old name, was of the topic as it is now."""
    if (await log.ends([source]))[source].last <= offset:
        return False
    chunk = await log.read(source, offset, offset + 1, _ONE)
    # Retention has removed it, with all before it: what is left was either not applied, or in half, under this name.
    return chunk.begin > offset or any([await _has(store, record) for record in chunk.records])


async def _has(store: ProfileStore, record: Record) -> bool:
    """Say whether a frame is one of the old versions, and was applied under the old name."""
    users = _users(record)
    return bool(users) and await store.has_applied(_old_name(record), record.offset, users)


async def _begun(log: PartitionedLog, store: ProfileStore, source: TopicPartition) -> bool:
    """Say whether a worker was killed in the middle of the first frame, so that the store has no offset yet."""
    stable = (await log.ends([source]))[source].stable
    records = (await log.read(source, 0, stable, _ONE)).records if stable else ()
    return any([await store.has_applied(_old_name(one), one.offset, {user}) for one in records for user in _users(one)])


def _old_name(record: Record) -> str:
    return old_name_of(TopicPartition(record.topic, record.partition))


def _users(record: Record) -> set[str]:
    """Return the users of a frame of the old versions, none where it is another's or cannot be read."""
    if number_of(record) is not None:
        return set()
    try:
        return {user for user, _ in decode_evidence(record.value)}
    except ValueError:
        return set()
