"""A partitioned log with transactions in memory: a broker to embed and try with, in microseconds and without a client.

The contract suite (tests/contracts/test_partitioned_log.py) runs over it and over a real Kafka.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple
from zlib import crc32

from querymix.core.errors import TransientError
from querymix.kafka.ports import Chunk, End, FencedError, Headers, Limit, PlainRecord, Record, TopicPartition, Writer


class _Slot(NamedTuple):
    """One offset: a record, or the marker of a transaction."""

    record: PlainRecord | None
    transaction: "MemoryTransaction | None"


class MemoryTransaction:
    """A transaction."""

    def __init__(self, log: "MemoryLog", writer: "MemoryWriter") -> None:
        self.decided = self.committed = False
        self.touched: set[TopicPartition] = set()
        self.position: int | None = None
        self._log = log
        self._writer = writer

    async def send(
        self, topic: str, value: bytes | None, *, key: bytes | None = None, partition: int | None = None,
        headers: Headers = (),
    ) -> None:  # fmt: skip
        """Put one record into it."""
        self._writer.check()
        number = crc32(key or b"") % self._log.topics[topic] if partition is None else partition
        self.touched.add(self._log.put(topic, number, key, value, headers, self))
        self._log.happened("send")

    async def send_many(self, topic: str, partition: int, records: Iterable[tuple[bytes, bytes, Headers]]) -> None:
        """Put many records into it."""
        for key, value, headers in records:
            await self.send(topic, value, key=key, partition=partition, headers=headers)

    def reached(self, position: int) -> None:
        """Let it move the group to the record after `position`."""
        self.position = position


class MemoryWriter:
    """A writer, until another of its name begins."""

    def __init__(self, log: "MemoryLog", source: TopicPartition, group: str) -> None:
        self.over = False
        self.open: MemoryTransaction | None = None
        self._log = log
        self._source = source
        self._group = group

    def check(self) -> None:
        """Raise Fenced where another has begun."""
        self._log.check()
        if self.over:
            raise FencedError

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MemoryTransaction]:
        """Run the body in a transaction."""
        self.check()
        transaction = self.open = MemoryTransaction(self._log, self)
        try:
            yield transaction
            self._log.happened("commit")
            self.check()
        except BaseException:
            self.undo()
            raise
        if transaction.position is not None:
            self._log.groups[self._group, self._source] = transaction.position + 1
        self._decide(committed=True)
        self._log.happened("committed")

    def undo(self) -> None:
        """Abort what is open."""
        self._decide(committed=False)

    def _decide(self, *, committed: bool) -> None:
        transaction, self.open = self.open, None
        if transaction is None:
            return
        transaction.decided, transaction.committed = True, committed
        for source in transaction.touched:
            self._log.slots[source].append(MARKER)


MARKER = _Slot(None, None)
"""What stands at an offset that is no record, or no longer."""


class MemoryLog:
    """A PartitionedLog. `topics` gives the number of partitions of each topic."""

    def __init__(self, topics: Mapping[str, int]) -> None:
        self.topics = dict(topics)
        self.slots = {
            TopicPartition(topic, number): list[_Slot]() for topic, count in topics.items() for number in range(count)
        }
        self.first = dict.fromkeys(self.slots, 0)
        self.groups: dict[tuple[str, TopicPartition], int] = {}
        self.available = True
        self.happened: Callable[[str], None] = lambda what: None
        """Called at each step of a transaction; what it raises happens there."""
        self.reads: list[tuple[TopicPartition, int, int]] = []
        self._stable_at: dict[TopicPartition, int] = {}
        self._writers: dict[tuple[str, int], MemoryWriter] = {}

    def check(self) -> None:
        """Raise TransientError where the log is unavailable."""
        if not self.available:
            raise TransientError("the log is unavailable")

    def put(
        self, topic: str, number: int, key: bytes | None, value: bytes | None, headers: Headers = (),
        transaction: MemoryTransaction | None = None, timestamp: float = 0.0,
    ) -> TopicPartition:  # fmt: skip
        """Append a record; `timestamp` is in milliseconds since 1970."""
        source = TopicPartition(topic, number)
        slots = self.slots[source]
        record = PlainRecord(topic, number, len(slots), key, value, tuple(headers), timestamp)
        slots.append(_Slot(record, transaction))
        return source

    def trim(self, source: TopicPartition, first: int) -> None:
        """Let retention remove what stands before `first`."""
        self.first[source] = first

    @asynccontextmanager
    async def writer(self, name: str, source: TopicPartition, group: str) -> AsyncIterator[Writer]:
        """Become the writer `name` for an input partition."""
        self.check()
        before = self._writers.get((name, source.partition))
        if before is not None:
            before.over = True
            before.undo()
        writer = self._writers[name, source.partition] = MemoryWriter(self, source, group)
        yield writer

    async def read(self, source: TopicPartition, start: int, end: int, limit: Limit) -> Chunk:
        """Return committed records from `start` on and before `end`."""
        self.check()
        self.reads.append((source, start, end))
        begin = at = max(start, self.first[source])
        slots = self.slots[source]
        if start > len(slots):
            raise TransientError("the topic is not the one that it was")
        found: list[Record] = []
        size = 0
        while at < end and len(found) < limit.records and size < limit.bytes:
            while at >= self._stable(source):  # noqa: ASYNC110 - a transaction that is open ends within a few turns
                await asyncio.sleep(0)
            record, transaction = slots[at]
            at += 1
            if record is not None and (transaction is None or transaction.committed):
                found.append(record)
                size += len(record.value or b"")
        return Chunk(found, begin, at)

    async def scan(self, source: TopicPartition) -> AsyncIterator[Record]:
        """Yield all committed records of a partition."""
        last = len(self.slots[source])
        while self._stable(source) < last:  # noqa: ASYNC110 - a transaction that is open ends within a few turns
            await asyncio.sleep(0)
        for record in (await self.read(source, 0, self._stable(source), Limit(1 << 30, 1 << 40))).records:
            yield record

    async def ends(self, sources: Collection[TopicPartition]) -> Mapping[TopicPartition, End]:
        """Return where partitions end."""
        self.check()
        return {source: End(self._stable(source), len(self.slots[source])) for source in sources}

    async def committed(self, group: str, source: TopicPartition) -> int | None:
        """Return the offset that a group goes on at."""
        self.check()
        return self.groups.get((group, source))

    async def delete(self, source: TopicPartition, before: int) -> None:
        """Remove for good what stands in a partition before an offset."""
        self.check()
        self.trim(source, max(before, self.first[source]))

    def _stable(self, source: TopicPartition) -> int:
        slots = self.slots[source]
        at = min(self._stable_at.get(source, 0), len(slots))
        while at < len(slots) and ((writing := slots[at].transaction) is None or writing.decided):
            at += 1
        self._stable_at[source] = at
        return at

    def records(self, topic: str) -> list[PlainRecord]:
        """Return all committed records of a topic that are still there, partition by partition."""
        sources = [TopicPartition(topic, number) for number in range(self.topics[topic])]
        return [
            record
            for source in sources
            for record, transaction in self.slots[source][self.first[source] :]
            if record is not None and (transaction is None or transaction.committed)
        ]
