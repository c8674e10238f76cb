"""The log on a real Kafka: committed records by offset, ends, group positions, and transactions.

Rules:
- One reader serves all processors of a worker, one read at a time: it is asked only for records that are there.
- Nothing here belongs to a consumer group; what a feeder is assigned, and how far it is, has no say.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final, Self

import aiokafka
from aiokafka.errors import OffsetOutOfRangeError

from querymix.core.errors import TransientError
from querymix.kafka.admin import Admin
from querymix.kafka.connection import reaching, stop_producer
from querymix.kafka.failures import AwayError
from querymix.kafka.ports import Chunk, End, Limit, Record, TopicPartition, Writer, size_of
from querymix.kafka.transactions import KafkaWriter

_WAIT_MS: Final = 20
"""The broker answers a fetch of nothing after so long, and so does the client. All that wait for the reader wait behind
it: the markers of transactions are such nothing, and at the end of a quiet partition there are only those."""
_PATIENCE: Final = 90.0
"""Seconds without progress until a partition counts as unreadable: longer than the broker lets a dead worker's
transaction stay open."""
_PAUSE: Final = 0.2
_SCANNED: Final = Limit(500, 1 << 20)


class KafkaLog:
    """A PartitionedLog over a broker, to be entered.

    `admin` is a session with it, which stays open as long; `prefix` is what transactional ids begin with.
    """

    def __init__(self, admin: Admin, prefix: str = "") -> None:
        self._admin = admin
        self.options = admin.options
        """Those of every client of the same brokers."""
        self._prefix = prefix
        self._reader: Any = None
        self._latest: Any = None
        self._busy = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Connect. Raises TransientError where the broker is unavailable."""
        common: dict[str, Any] = {**self._admin.options, "enable_auto_commit": False, "auto_offset_reset": "none"}
        # Not made before: a client that nobody stops prints a warning at the end, behind the reason for it.
        self._reader = aiokafka.AIOKafkaConsumer(**common, isolation_level="read_committed", fetch_max_wait_ms=_WAIT_MS)
        self._latest = aiokafka.AIOKafkaConsumer(**common, isolation_level="read_uncommitted")
        try:
            with reaching("Kafka failed while connecting"):
                await self._reader.start()
                await self._latest.start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Disconnect."""
        await self._reader.stop()
        await self._latest.stop()

    @asynccontextmanager
    async def writer(self, name: str, source: TopicPartition, group: str) -> AsyncIterator[Writer]:
        """Become the writer `name` for an input partition of `group`."""
        writer = KafkaWriter(self._admin.options, f"{self._prefix}-{name}-{source.partition}", group, source)
        try:
            with reaching(f"Kafka failed while beginning to write for {source.topic} partition {source.partition}"):
                await writer.producer.start()
            yield writer
        finally:
            await stop_producer(writer.producer)

    async def read(self, source: TopicPartition, start: int, end: int, limit: Limit) -> Chunk:
        """Return committed records from `start` on and before `end`, about as many as the limit says."""
        async with self._busy:
            with reaching(f"Kafka failed while reading {source.topic} partition {source.partition}"):
                try:
                    return await self._read(source, start, end, limit)
                finally:
                    # It would go on fetching what nobody has asked for.
                    self._reader.pause(*self._reader.assignment())

    async def _read(self, source: TopicPartition, start: int, end: int, limit: Limit) -> Chunk:
        consumer, source = self._reader, aiokafka.TopicPartition(*source)  # its own type, which it looks for
        if consumer.assignment() != {source}:
            consumer.assign([source])
            consumer.seek(source, start)
        else:
            consumer.resume(source)
            if await consumer.position(source) != start:
                consumer.seek(source, start)
        begin = start
        found: list[Record] = []
        size, moved = 0, monotonic()
        while (at := await consumer.position(source)) < end and len(found) < limit.records and size < limit.bytes:
            try:
                answer = await consumer.getmany(
                    source, timeout_ms=_WAIT_MS, max_records=min(limit.records - len(found), end - at)
                )
            except OffsetOutOfRangeError:
                begin = (await consumer.beginning_offsets([source]))[source]
                if begin <= start:
                    raise TransientError(
                        f"{source.topic} partition {source.partition} ends before offset {start}, which was read: the "
                        "topic is not the one that it was"
                    ) from None
                consumer.seek(source, begin)
                continue
            some = [record for record in answer.get(source, ()) if record.offset < end]
            found += some
            size += sum(map(size_of, some))
            if await consumer.position(source) != at:
                moved = monotonic()
            elif monotonic() - moved > _PATIENCE:
                raise AwayError(f"{source.topic} partition {source.partition} cannot be read up to offset {end}")
        return Chunk(found, begin, min(await consumer.position(source), max(end, begin)))

    async def scan(self, source: TopicPartition) -> AsyncIterator[Record]:
        """Yield all committed records of a partition, after waiting for transactions that are open now."""
        with reaching(f"Kafka failed while reading {source.topic} partition {source.partition}"):
            at = (await self._latest.beginning_offsets([source]))[source]
            end = await self._decided(source)
        while at < end:
            chunk = await self.read(source, at, end, _SCANNED)
            for record in chunk.records:
                yield record
            at = chunk.next

    async def _decided(self, source: TopicPartition) -> int:
        """Return where what is decided ends, once that takes in all that is there now.

        Never in the middle of a transaction: the records of one belong together.
        """
        last = (await self._latest.end_offsets([source]))[source]
        start = monotonic()
        while monotonic() - start < _PATIENCE:
            stable: int = (await self._reader.end_offsets([source]))[source]
            if stable >= last:
                return stable
            await asyncio.sleep(_PAUSE)
        raise AwayError(f"{source.topic} partition {source.partition} has a transaction that stays open")

    async def ends(self, sources: Collection[TopicPartition]) -> Mapping[TopicPartition, End]:
        """Return where partitions end."""
        with reaching("Kafka failed while asking where partitions end"):
            stable = await self._reader.end_offsets(sources)
            last = await self._latest.end_offsets(sources)
        return {source: End(stable[source], last[source]) for source in sources}

    async def committed(self, group: str, source: TopicPartition) -> int | None:
        """Return the offset that a group goes on at, None where it has none."""
        with reaching(f"Kafka failed while asking for the position of the group {group}"):
            return await self._admin.committed(group, source)

    async def delete(self, source: TopicPartition, before: int) -> None:
        """Remove for good what stands in a partition before an offset. Raises RefusedError where this user may not."""
        with reaching(f"Kafka failed while deleting from {source.topic} partition {source.partition}"):
            await self._admin.delete(source, before)
