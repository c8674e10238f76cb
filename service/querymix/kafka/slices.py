"""Bounds on what is done at once: how long the event loop is held, and how much memory a worker takes.

Rules:
- Work goes in slices of `SLICE` bytes: 0.2 s at the worst cost that was measured, 9 microseconds a byte
  (docs/performance.md). Who holds the loop longer than the session with Kafka lasts loses its partitions.
- Slices take turns (`Room.turn`). With a mere `sleep(0)` each partition would have one before the loop comes round to
  its signs of life: 16 partitions held it for 5 s.
- A batch is bounded in bytes, and what batches come to (text, queries, frames) is bounded over all partitions
  (`Room.of`): each may wait with a batch, but few are worked on at a time where batches are large.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import accumulate, islice
from time import monotonic
from typing import Final, TypeVar

from querymix.kafka.ports import Limit, Record, size_of

T = TypeVar("T")

SLICE: Final = Limit(1000, 1 << 14)
"""What is worked on before the event loop has its turn. One record may be larger, but only so much of it is a query."""
FETCHED_BYTES: Final = 1 << 20
"""Bytes of a partition that are fetched at once: a consumer keeps so many of each. Kafka gives one batch at least."""
MOVES_WITHIN: Final = 120.0
"""Seconds within which a batch leaves a full room: all work takes 40 s at worst, and to be sent a batch waits 50 s."""
BATCH_BYTES: Final = 1 << 21
"""Bytes of a transaction's records, about. Those of a usual one that is full are half."""
_SENT: Final = 200
"""Records that are sent before the event loop comes round."""
ROOM_BYTES: Final = 4 << 20
"""Bytes of records that all partitions work on at a time. What they come to is twelve times as much at worst: text that
takes four bytes a character, its parts, frames, and what waits to be sent. Their work takes 40 s at worst."""


def slices(records: Sequence[Record], most: Limit = SLICE) -> Iterator[Sequence[Record]]:
    """Yield records in their order, in slices whose values are of about `most`."""
    ends = list(accumulate([len(record.value or b"") for record in records]))
    start = before = 0
    while start < len(records):
        fits = bisect_right(ends, before + most.bytes, start)
        end = min(max(fits, start + 1), start + most.records, len(records))
        yield records[start:end]
        start, before = end, ends[end - 1]


async def with_pauses(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield what is to be sent; the event loop comes round now and then: to send does not wait where there is room."""
    for number, item in enumerate(items, 1):
        yield item
        if number % _SENT == 0:
            await asyncio.sleep(0)


class Room:
    """What the partitions of a worker share: room for batches of `most` bytes at a time, and turns."""

    def __init__(self, most: int = ROOM_BYTES, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._free = most
        self._clock = clock
        self._moved = clock()
        self._door = asyncio.Lock()
        self._freed = asyncio.Event()
        self._turns = asyncio.Lock()

    @asynccontextmanager
    async def of(self, records: Sequence[Record]) -> AsyncIterator[None]:
        """Run the body once there is room for these records: in the order of coming, and a larger batch alone."""
        size = min(sum(map(size_of, records)), self._most)
        async with self._door:
            while self._free < size:
                self._freed.clear()
                await self._freed.wait()
            self._free -= size
        self._moved = self._clock()
        try:
            yield
        finally:
            self._free += size
            self._moved = self._clock()
            self._freed.set()

    @property
    def moves(self) -> bool:
        """Whether a batch came in or left a short time ago; who waits for a room that does not move has stalled."""
        return self._clock() - self._moved <= MOVES_WITHIN

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Run the body, which waits for nothing; the event loop comes round before anybody's next turn."""
        async with self._turns:
            yield
            await asyncio.sleep(0)

    async def turns(self, pieces: Iterator[T]) -> AsyncIterator[T]:
        """Yield what an iterator makes, a turn each."""
        while True:
            async with self.turn():
                made = list(islice(pieces, 1))
            if not made:
                return
            yield made[0]
