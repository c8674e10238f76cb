"""The two feeders, which hand a topic's records over to its processors.

Rules:
- Where a record is a line of a log, that is aiokafka in a consumer group of its own: batches of each partition.
- Where a record is a frame, it is a Faust agent a topic, which puts each frame into its partition's queue. A queue that
  is full takes no more, and the agent never waits: behind it stand the frames of all other partitions and topics. What
  a queue has left out is found missing and read from the log itself.
- A transaction costs far more than the records in it. After a batch that was less than half full, the next one waits
  for `BATCHING_DELAY`: while little comes in, a partition has ten transactions a second at most. Full batches do not
  wait, nor does the first record after a pause.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import aiokafka
import faust
from aiokafka.errors import KafkaError
from aiokafka.structs import TopicPartition
from mode import Service

from querymix.core.errors import TransientError
from querymix.kafka import ports
from querymix.kafka.app import App, connect
from querymix.kafka.assignment import Processors
from querymix.kafka.connection import left_for_good
from querymix.kafka.failures import explained
from querymix.kafka.ports import Limit, Record, size_of
from querymix.kafka.slices import FETCHED_BYTES

BATCHING_DELAY: Final = 0.1
"""Seconds, as Kafka's `linger.ms`."""
MAX_QUEUED_FRAMES: Final = 256
MAX_QUEUED_BYTES: Final = 4 << 20
"""Frames and bytes that wait in a partition's queue."""
MAX_ALL_QUEUED: Final = 24 << 20
"""Bytes that wait in all queues of a topic; then only an empty queue takes a frame."""
_FIRST_PIECE: Final = 16
LARGEST_PIECE: Final = 64
"""Records that aiokafka is asked for at once, which knows no bound in bytes."""
_WAIT_MS: Final = 100
"""Milliseconds that an empty partition is waited for."""
_MORE_MS: Final = 10
"""Milliseconds that more records are waited for."""
_WAIT: Final = 1.0
"""Seconds that an empty queue is waited for."""


class BatchingDelay:
    """Gathers the records of one partition."""

    def __init__(self) -> None:
        self._few = False

    async def wait(self) -> None:
        """Wait, where the last batch was a small one."""
        if self._few:
            await asyncio.sleep(BATCHING_DELAY)

    def note(self, records: Sequence[Record], limit: Limit) -> None:
        """Note the batch that is handed over."""
        self._few = 0 < len(records) < limit.records // 2 and sum(map(size_of, records)) < limit.bytes // 2


class _BatchFeed:
    """Batches of one partition."""

    def __init__(self, consumer: aiokafka.AIOKafkaConsumer, source: TopicPartition) -> None:
        self._consumer = consumer
        self._source = source
        self._linger = BatchingDelay()

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return records that are there, or none after a moment."""
        await self._linger.wait()
        records: list[Record] = []
        size = await self._fill(records, 0, limit, _WAIT_MS)
        if 0 < len(records) < limit.records // 2:
            # aiokafka fetches no more of a partition before what it has is taken, and that may be old by now.
            await self._fill(records, size, limit, _MORE_MS)
        self._linger.note(records, limit)
        return records

    async def _fill(self, records: list[Record], size: int, limit: Limit, wait: int) -> int:
        """Add what is there, once there is something, to records of `size` bytes, and return the bytes of all."""
        while len(records) < limit.records and size < limit.bytes:
            room = (limit.bytes - size) * len(records) // (size + 1) + 1 if records else _FIRST_PIECE
            most = min(limit.records - len(records), room, LARGEST_PIECE)
            some = await self._some(wait, most)
            records += some
            size += sum(map(size_of, some))
            wait = 0
            if len(some) < most:
                break
        return size

    async def _some(self, wait: int, most: int) -> list[Record]:
        try:
            fetched = await self._consumer.getmany(self._source, timeout_ms=wait, max_records=most)
        except KafkaError as error:
            if left_for_good(self._consumer):
                # To begin the partition anew would not help: that is this same client.
                raise TransientError(str(explained(error, "the consumer group"))) from None
            raise
        return list(fetched.get(self._source, ()))


class BatchFeeder(Service, aiokafka.ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    """Feeds a topic's processors with batches. `options` are those of a member of its group."""

    def __init__(self, processors: Processors, options: Mapping[str, Any]) -> None:
        super().__init__()
        self._processors = processors
        self._options = options

    async def on_start(self) -> None:
        """Join the group."""
        self._consumer = aiokafka.AIOKafkaConsumer(
            **self._options,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=FETCHED_BYTES,
        )
        await self._consumer.start()
        self._consumer.subscribe([self._processors.topic], listener=self)

    async def on_stop(self) -> None:
        """End all processors, then leave the group."""
        await self._processors.end()
        await self._consumer.stop()

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Stop work on partitions."""
        await self._processors.end(set(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Start work on partitions, unless the worker is on its way out."""
        if self.should_stop:
            return
        for source in assigned:
            self._processors.begin(source, _BatchFeed(self._consumer, source))
        self._processors.assigned()


class Queued:
    """How much waits in all queues of a topic."""

    def __init__(self) -> None:
        self.bytes = 0


class FrameFeed:
    """The queue of one partition's frames; `queued` is what it shares with those of the other partitions."""

    def __init__(self, queued: Queued | None = None) -> None:
        self._frames: deque[Record] = deque()
        self._bytes = 0
        self._queued = queued or Queued()
        self._there = asyncio.Event()
        self._linger = BatchingDelay()

    def put(self, frame: Record) -> None:
        """Put a frame in, unless the queue is full."""
        free = self._bytes < MAX_QUEUED_BYTES and self._queued.bytes < MAX_ALL_QUEUED
        if not self._frames or (free and len(self._frames) < MAX_QUEUED_FRAMES):
            size = size_of(frame)
            self._frames.append(frame)
            self._bytes += size
            self._queued.bytes += size
            self._there.set()

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return frames that are there, or none after a moment."""
        await self._linger.wait()
        if not self._frames:
            self._there.clear()
            try:
                # Not `wait_for`, which in Python 3.11 can swallow a cancellation.
                async with asyncio.timeout(_WAIT):
                    await self._there.wait()
            except TimeoutError:
                self._linger.note((), limit)
                return ()
        taken: list[Record] = []
        size = 0
        while self._frames and len(taken) < limit.records and size < limit.bytes:
            taken.append(self._frames.popleft())
            size += size_of(taken[-1])
        self._bytes -= size
        self._queued.bytes -= size
        self._linger.note(taken, limit)
        return taken


def add_frames(app: App, name: str, processors: Processors) -> None:
    """Feed a topic's processors from an agent of this name."""
    topic = app.topic(processors.topic, key_serializer="raw", value_serializer="raw")
    feeds: dict[int, FrameFeed] = {}

    @app.agent(topic, name=name)
    async def agent(stream: faust.StreamT[bytes]) -> None:
        async for event in stream.events():
            message = event.message
            feed = feeds.get(message.partition)
            if feed is not None:
                feed.put(
                    ports.PlainRecord(
                        message.topic, message.partition, message.offset, message.key, message.value,
                        tuple(message.headers or ()),
                    )
                )  # fmt: skip

    async def end() -> None:
        feeds.clear()
        await processors.end()

    async def assigned(sender: Any, sources: Iterable[TopicPartition], **kwargs: Any) -> None:
        await end()
        if app.should_stop:
            return
        queued = Queued()  # another one than before: a processor that ends may still take from its old queue
        for source in sources:
            if source.topic == processors.topic:
                feed = feeds[source.partition] = FrameFeed(queued)
                processors.begin(ports.TopicPartition(*source), feed)
        processors.assigned()

    async def revoked(sender: Any, sources: Iterable[TopicPartition], **kwargs: Any) -> None:
        await end()

    connect(app.on_partitions_assigned, assigned)
    connect(app.on_partitions_revoked, revoked)
