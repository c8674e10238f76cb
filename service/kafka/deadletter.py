"""The dead-letter topic: refused records as they came, with why and where from in headers.

Rules:
- Headers: reason, topic, partition, offset. The record's key and value are those it came with; of one that is far
  longer than any log, only the beginning is kept, so that the letter fits a record of any topic.
- Showing dead letters shows reasons and places; content only where it is asked for, since it may be a raw query.
- A replay puts each letter back on the topic that it came from, once; the group remembers how far it got.
"""

from collections.abc import AsyncIterator, Iterable
from typing import Any, Final, NamedTuple

import aiokafka
from aiokafka.structs import TopicPartition

from service.kafka.connection import client_options
from service.kafka.ports import Transaction
from service.kafka.transactions import KafkaWriter
from service.settings import ConnectionSettings

MOST_KEPT: Final = 1 << 19
"""Bytes of a record that a letter keeps."""
_IDLE_MS: Final = 2000


class Letter(NamedTuple):
    """A refused record."""

    key: bytes | None
    value: bytes | None
    reason: str
    topic: str
    partition: int
    offset: int

    @classmethod
    def of(cls, record: Any, reason: str) -> "Letter":
        """Return the letter for a record of aiokafka's."""
        return cls(record.key, record.value, reason, record.topic, record.partition, record.offset)

    @property
    def kept(self) -> bytes | None:
        """What the letter keeps of the record; nothing at all is kept as an empty value, which can be sent."""
        if self.value is None:
            return None if self.key else b""
        return self.value[:MOST_KEPT]

    def headers(self) -> list[tuple[str, bytes]]:
        """Return why and where from."""
        places = {"topic": self.topic, "partition": self.partition, "offset": self.offset}
        return [("reason", self.reason.encode()), *((name, str(value).encode()) for name, value in places.items())]

    def __repr__(self) -> str:
        return f"Letter({self.topic}-{self.partition}@{self.offset}: {self.reason})"


async def send_letters(transaction: Transaction, topic: str, letters: Iterable[Letter]) -> None:
    """Put letters into the open transaction."""
    for letter in letters:
        await transaction.send(topic, letter.kept, key=letter.key, headers=letter.headers())


async def read_letters(settings: ConnectionSettings, topic: str) -> AsyncIterator[tuple[int, Letter]]:
    """Yield all letters that are there now, each with its own offset, oldest first."""
    consumer = aiokafka.AIOKafkaConsumer(
        topic,
        **client_options(settings),
        isolation_level="read_committed",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    await consumer.start()
    try:
        sources = list(consumer.assignment())
        ends = await consumer.end_offsets(sources)
        while any([await consumer.position(source) < ends[source] for source in sources]):
            for records in (await consumer.getmany(timeout_ms=_IDLE_MS)).values():
                for record in records:
                    yield record.offset, _letter(record)
    finally:
        await consumer.stop()


def _letter(record: Any) -> Letter:
    headers = {name: value.decode("utf-8", "replace") for name, value in record.headers}
    return Letter(
        record.key,
        record.value,
        headers.get("reason", "unknown"),
        headers.get("topic", ""),
        int(headers.get("partition", -1)),
        int(headers.get("offset", -1)),
    )


async def replay(settings: ConnectionSettings, topic: str) -> int:
    """Put each letter that was not replayed yet back on its topic, and return how many.

    Each goes in one transaction with the group's position, so that a replay that was killed loses and doubles none.
    """
    group = f"{settings.group}-replay"
    source = TopicPartition(topic, 0)
    writer = KafkaWriter(client_options(settings), f"{group}-{source.partition}", group, source)
    await writer.start()
    consumer = aiokafka.AIOKafkaConsumer(
        **client_options(settings),
        group_id=group,
        isolation_level="read_committed",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    await consumer.start()
    done = 0
    try:
        consumer.assign([source])
        end = (await consumer.end_offsets([source]))[source]
        while await consumer.position(source) < end:
            for records in (await consumer.getmany(timeout_ms=_IDLE_MS, max_records=500)).values():
                async with writer.transaction() as transaction:
                    for record in records:
                        letter = _letter(record)
                        await transaction.send(letter.topic, letter.value, key=letter.key)
                    transaction.reached(records[-1].offset)
                done += len(records)
    finally:
        await consumer.stop()
        await writer.stop()
    return done
