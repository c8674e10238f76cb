"""The feeder where a record is a frame: a Faust agent a topic, which puts each frame into its partition's queue.

Rules:
- A queue that is full takes no more, and the agent never waits: behind it stand the frames of all other partitions and
  topics. What a queue has left out is found missing and read from the log itself.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import faust
from faust.types import TP

from querymix.kafka.app import App, connect
from querymix.kafka.linger import BatchingDelay
from querymix.kafka.ports import Limit, Record, TopicPartition
from querymix.kafka.processors import Processors

MAX_FRAMES: Final = 256
MAX_BYTES: Final = 4 << 20
"""Frames and bytes that wait in a partition's queue."""
_WAIT: Final = 1.0


class Frame(NamedTuple):
    """A frame and where it stands."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]

    def __repr__(self) -> str:
        return f"Frame({self.topic}-{self.partition}@{self.offset})"


class FrameFeed:
    """The queue of one partition's frames."""

    def __init__(self) -> None:
        self._frames: deque[Record] = deque()
        self._bytes = 0
        self._there = asyncio.Event()
        self._linger = BatchingDelay()

    def put(self, frame: Record) -> None:
        """Put a frame in, unless the queue is full."""
        if len(self._frames) < MAX_FRAMES and self._bytes < MAX_BYTES:
            self._frames.append(frame)
            self._bytes += len(frame.value or b"")
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
            size += len(taken[-1].value or b"")
        self._bytes -= size
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
                    Frame(
                        message.topic, message.partition, message.offset, message.key, message.value,
                        tuple(message.headers or ()),
                    )
                )  # fmt: skip

    async def end() -> None:
        feeds.clear()
        await processors.end()

    async def assigned(sender: Any, sources: Iterable[TP], **kwargs: Any) -> None:
        await end()
        if app.should_stop:
            return
        for source in sources:
            if source.topic == processors.topic:
                feed = feeds[source.partition] = FrameFeed()
                processors.begin(TopicPartition(source.topic, source.partition), feed)
        processors.assigned()

    async def revoked(sender: Any, sources: Iterable[TP], **kwargs: Any) -> None:
        await end()

    connect(app.on_partitions_assigned, assigned)
    connect(app.on_partitions_revoked, revoked)
