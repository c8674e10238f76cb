"""The two feeders, which hand a topic's records over to its processors.

Rules:
- Where a record is a line of a log, that is aiokafka in a consumer group of its own: batches of each partition.
- Where a record is a frame, it is a Faust agent a topic, which puts each frame into its partition's queue. A queue that
  is full takes no more, and the agent never waits: behind it stand the frames of all other partitions and topics. What
  a queue has left out is found missing and read from the log itself.
- A transaction costs far more than the few records in it. After a small batch the next one waits for twice as
  long as that one took, up to `BATCHING_DELAY`: a partition spends a third of its time in transactions at most. Where
  worker and brokers are idle they answer in a moment; where they are busy more comes together. Of many partitions each
  waits longer (`_PAUSE`), so that a worker with little to do is not busy with transactions. Large batches do not wait,
  nor does the first record after a pause.
- A batch is held until it has room and is done, and small records take four times their bytes. Where the batches of all
  partitions come to `MAX_ALL_QUEUED`, each takes `LEAST_HELD` only.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic
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
_TIMES_AS_LONG: Final = 2
"""The wait after a small batch, in times that it took."""
_PAUSE: Final = 0.01
"""Seconds that it is at least, times the partitions: those of a topic make 100 small transactions a second at most."""
SMALL: Final = 8
"""A batch is small that is less than this part of what a transaction takes, in records and in bytes."""
MAX_QUEUED_FRAMES: Final = 256
MAX_QUEUED_BYTES: Final = 4 << 20
"""Frames and bytes that wait in a partition's queue."""
MAX_ALL_QUEUED: Final = 24 << 20
"""Bytes that wait in all queues of a topic; then only an empty queue takes a frame. And those of all batches."""
RECORD_BYTES: Final = 256
"""What a record that was fetched takes in memory beside its bytes, about."""
LEAST_HELD: Final = 1 << 20
"""Bytes of a batch, with `RECORD_BYTES` a record, that it may have whatever the others have."""
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
    """Gathers the records of one partition of a topic, of which the worker has so many."""

    def __init__(self, partitions: int = 1, clock: Callable[[], float] = monotonic) -> None:
        self._least = _PAUSE * partitions
        self._clock = clock
        self._few = False
        self._since = 0.0
        """When the last batch was handed over."""

    async def wait(self) -> bool:
        """Wait, where the last batch was a small one; say whether it was."""
        if self._few:
            took = self._clock() - self._since
            await asyncio.sleep(min(BATCHING_DELAY, max(self._least, _TIMES_AS_LONG * took)))
        return self._few

    def note(self, records: int, size: int, limit: Limit) -> None:
        """Note that a batch of so many records and bytes is handed over."""
        self._few = 0 < records < limit.records / SMALL and size < limit.bytes / SMALL
        self._since = self._clock()


class _BatchFeed:
    """Batches of one partition."""

    def __init__(
        self, consumer: aiokafka.AIOKafkaConsumer, source: TopicPartition, queued: "Queued | None" = None
    ) -> None:
        self._consumer = consumer
        self._source = source
        self._queued = queued or Queued()
        self._held = 0
        """Bytes of memory that the batch takes which was handed over last."""
        self._linger = BatchingDelay(self._queued.partitions)

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return records that are there, or none after a moment."""
        waited = await self._linger.wait()
        self._hold(-self._held)
        records: list[Record] = []
        size = await self._fill(records, 0, limit, _WAIT_MS)
        if waited and 0 < len(records) < limit.records / SMALL:
            # aiokafka fetches no more of a partition before what it has is taken, and that may be old by now.
            size = await self._fill(records, size, limit, _MORE_MS)
        self._linger.note(len(records), size, limit)
        return records

    async def _fill(self, records: list[Record], size: int, limit: Limit, wait: int) -> int:
        """Add what is there, once there is something, to records of `size` bytes, and return the bytes of all."""
        while len(records) < limit.records and size < limit.bytes and self._may_hold_more():
            room = (limit.bytes - size) * len(records) // (size + 1) + 1 if records else _FIRST_PIECE
            most = min(limit.records - len(records), room, LARGEST_PIECE)
            some = await self._some(wait, most)
            records += some
            came = sum(map(size_of, some))
            size += came
            self._hold(came + RECORD_BYTES * len(some))
            wait = 0
            if len(some) < most:
                break
        return size

    def _may_hold_more(self) -> bool:
        return self._held < LEAST_HELD or self._queued.bytes < MAX_ALL_QUEUED

    def _hold(self, more: int) -> None:
        self._held += more
        self._queued.bytes += more

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
        queued = Queued(len(assigned))  # another one than before: of what is revoked nobody takes the bytes away
        for source in assigned:
            self._processors.begin(source, _BatchFeed(self._consumer, source, queued))
        self._processors.assigned()


class Queued:
    """How many partitions of a topic are here, and how much waits in their queues or is held in their batches."""

    def __init__(self, partitions: int = 1) -> None:
        self.bytes = 0
        self.partitions = partitions


class FrameFeed:
    """The queue of one partition's frames; `queued` is what it shares with those of the other partitions."""

    def __init__(self, queued: Queued | None = None) -> None:
        self._frames: deque[Record] = deque()
        self._bytes = 0
        self._queued = queued or Queued()
        self._there = asyncio.Event()
        self._linger = BatchingDelay(self._queued.partitions)

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
                self._linger.note(0, 0, limit)
                return ()
        taken: list[Record] = []
        size = 0
        while self._frames and len(taken) < limit.records and size < limit.bytes:
            taken.append(self._frames.popleft())
            size += size_of(taken[-1])
        self._bytes -= size
        self._queued.bytes -= size
        self._linger.note(len(taken), size, limit)
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
        mine = [ports.TopicPartition(*source) for source in sources if source.topic == processors.topic]
        queued = Queued(len(mine))  # another one than before: a processor that ends may still take from its old queue
        for source in mine:
            feed = feeds[source.partition] = FrameFeed(queued)
            processors.begin(source, feed)
        processors.assigned()

    async def revoked(sender: Any, sources: Iterable[TopicPartition], **kwargs: Any) -> None:
        await end()

    connect(app.on_partitions_assigned, assigned)
    connect(app.on_partitions_revoked, revoked)
