"""The dead-letter topic: refused records as they came, with why and where from in headers.

Rules:
- Headers: reason, topic, partition, offset. The record's key and value are those it came with; of one that is far
  longer than any log, only the beginning is kept, so that the letter fits a record of any topic.
- A batch that is not unpacked is one letter, with the offset of its last record, and how many they are in the header
  `batch`. Its value is the batch as it came.
"""

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from querymix.kafka.ports import Record, RefusedBatch, Transaction
from querymix.kafka.slices import with_pauses
from querymix.kafka.topics import MAX_KEPT

MAX_KEY: Final = 1 << 15
"""Bytes of its key: a raw topic that takes large records takes them in the key too."""
_NUMBER: Final = re.compile(r"[0-9]{1,19}")


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

    @classmethod
    def read(cls, record: Record) -> "DeadLetter":
        """Return the letter that a record holds; one that querymix did not write says so and has no place."""
        headers = {name: value.decode("utf-8", "replace") for name, value in record.headers if value is not None}
        place = (headers.get("partition", ""), headers.get("offset", ""), headers.get("batch", "0"))
        if "reason" not in headers or not all(_NUMBER.fullmatch(number) for number in place):
            return cls(record.key, record.value, "querymix did not write this letter", "", -1, -1)
        return cls(record.key, record.value, headers["reason"], headers.get("topic", ""), *map(int, place))

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
    async for letter in with_pauses(letters):
        await transaction.send(topic, letter.kept, key=letter.key, headers=letter.headers())
