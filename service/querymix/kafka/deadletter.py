"""The dead-letter topic: refused records as they came, with why and where from in headers.

Rules:
- Headers: reason, topic, partition, offset. The record's key and value are those it came with; of one that is far
  longer than any log, only the beginning is kept, so that the letter fits a record of any topic.
- A batch that is not unpacked is one letter, with the offset of its last record, and how many they are in the header
  `batch`. Its value is the batch as it came.
- Showing dead letters shows reasons and places; content only where it is asked for, since it may be a raw query.
- A replay puts each raw record back on the raw topic, once, from all partitions; the group remembers how far it got.
  Frames of internal topics stay letters: a damaged frame is not repaired by writing it again.
"""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final, NamedTuple

from querymix.core.errors import TransientError
from querymix.kafka.ports import (
    FencedError,
    Limit,
    PartitionedLog,
    Record,
    RefusedBatch,
    TopicPartition,
    Transaction,
)
from querymix.kafka.topics import MAX_KEPT, Found

MAX_KEY: Final = 1 << 15
"""Bytes of its key: a raw topic that takes large records takes them in the key too."""
_NUMBER: Final = re.compile(r"[0-9]{1,19}")
_REPLAY: Final = "replay"
"""Part of the transactional id and of the group's name; it must never change."""
_AT_ONCE: Final = Limit(500, 16 << 20)


class DeadLetter(NamedTuple):
    """A refused record."""

    key: bytes | None
    value: bytes | None
    reason: str
    topic: str
    partition: int
    offset: int
    batch: int = 0
    """Records of the batch that it is, 0 where it is a record."""

    @classmethod
    def of(cls, record: Any, reason: str) -> "DeadLetter":
        """Return the letter for a record of aiokafka's; one that stands for a batch has its own reason."""
        key, value, batch = record.key and record.key[:MAX_KEY], record.value, 0
        if isinstance(value, RefusedBatch):
            reason, batch = value.reason, value.records
        return cls(key, value, reason, record.topic, record.partition, record.offset, batch)

    @property
    def records(self) -> int:
        """How many records it stands for."""
        return self.batch or 1

    @property
    def kept(self) -> bytes | None:
        """What the letter keeps of the record; nothing at all is kept as an empty value, which can be sent."""
        if self.value is None:
            return None if self.key else b""
        return self.value[:MAX_KEPT]

    @property
    def whole(self) -> bool:
        """Whether the letter holds all of a record."""
        return not self.batch and len(self.key or b"") < MAX_KEY and len(self.value or b"") < MAX_KEPT

    def headers(self) -> list[tuple[str, bytes]]:
        """Return why and where from."""
        places: dict[str, Any] = {"topic": self.topic, "partition": self.partition, "offset": self.offset}
        if self.batch:
            places["batch"] = self.batch
        return [("reason", self.reason.encode()), *((name, str(value).encode()) for name, value in places.items())]

    def __repr__(self) -> str:
        return f"Letter({self.topic}-{self.partition}@{self.offset}: {self.reason})"


async def send_dead_letters(transaction: Transaction, topic: str, letters: Iterable[DeadLetter]) -> None:
    """Put letters into the open transaction."""
    for letter in letters:
        await transaction.send(topic, letter.kept, key=letter.key, headers=letter.headers())


async def read_dead_letters(log: PartitionedLog, found: Found) -> AsyncIterator[tuple[int, int, DeadLetter]]:
    """Yield the letters that are in the topic `found` now, each with its partition and offset, in their order."""
    for source in _partitions(found):
        async for records in _records(log, source, 0):
            for record in records:
                yield record.partition, record.offset, _dead_letter(record)


def _partitions(found: Found) -> list[TopicPartition]:
    return [TopicPartition(found.name, number) for number in range(found.partitions)]


async def _records(log: PartitionedLog, source: TopicPartition, start: int) -> AsyncIterator[Sequence[Record]]:
    """Yield what is committed by now, in batches."""
    end = (await log.ends([source]))[source]
    if start > end.last:
        start = 0  # the topic was made anew since
    while start < end.stable:
        chunk = await log.read(source, start, end.stable, _AT_ONCE)
        if chunk.records:
            yield chunk.records
        start = chunk.next


def _dead_letter(record: Any) -> DeadLetter:
    """Return the letter that a record holds; one that querymix did not write says so and has no place."""
    headers = {name: value.decode("utf-8", "replace") for name, value in record.headers if value is not None}
    place = (headers.get("partition", ""), headers.get("offset", ""), headers.get("batch", "0"))
    if "reason" not in headers or not all(_NUMBER.fullmatch(number) for number in place):
        return DeadLetter(record.key, record.value, "querymix did not write this letter", "", -1, -1)
    return DeadLetter(record.key, record.value, headers["reason"], headers.get("topic", ""), *map(int, place))


class Replayed(NamedTuple):
    """What became of the letters that no replay had seen yet."""

    replayed: int
    left: int
    """Those that stay letters: frames of an internal topic, records that were not kept whole, strangers' records."""


async def replay(log: PartitionedLog, found: Found, raw: str, group: str) -> Replayed:
    """Put each raw record among the letters of the topic `found`, if it was not put back yet, on the topic `raw` again.

    Each goes in one transaction with the group's position, so that a replay that was killed loses and doubles none.
    What workers refuse again meanwhile is the next replay's.
    Raises TransientError where Kafka is away or another replay has begun.
    """
    group = f"{group}-{_REPLAY}"
    replayed = left = 0
    for source in _partitions(found):
        try:
            async with log.writer(_REPLAY, source, group) as writer:
                async for records in _records(log, source, await log.committed(group, source) or 0):
                    letters = [_dead_letter(record) for record in records]
                    again = [letter for letter in letters if letter.topic == raw and letter.whole]
                    async with writer.transaction() as transaction:
                        for letter in again:
                            await transaction.send(raw, letter.value, key=letter.key)
                        transaction.reached(records[-1].offset)
                    replayed += len(again)
                    left += len(letters) - len(again)
        except FencedError:
            raise TransientError(f"another replay began; this one ends after {replayed} records") from None
    return Replayed(replayed, left)
