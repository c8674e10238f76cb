"""What feeders hand over: how long they gather records, and the queues of frames."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import KafkaError
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.errors import TransientError
from querymix.kafka.feeders import (
    BATCHING_DELAY,
    LARGEST_PIECE,
    LEAST_HELD,
    MAX_ALL_QUEUED,
    MAX_QUEUED_BYTES,
    MAX_QUEUED_FRAMES,
    RECORD_BYTES,
    BatchingDelay,
    FrameFeed,
    Queued,
    _BatchFeed,
)
from querymix.kafka.ports import Limit, PlainRecord, Record, TopicPartition, size_of

LIMIT = Limit(10, 1000)
MANY = Limit(1000, 1 << 30)


def batch(number: int, size: int = 1) -> Sequence[Record]:
    return [PlainRecord("t", 0, offset, None, b"x" * size) for offset in range(number)]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What was waited for, in seconds, instead of waiting."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr("querymix.kafka.feeders.asyncio.sleep", sleep)
    return found


@pytest.mark.parametrize(
    ("records", "size", "small"),
    [
        pytest.param(0, 0, False, id="nothing came: the next record is handed over at once"),
        pytest.param(1, 1, True, id="one record"),
        pytest.param(9, 9, True, id="less than an eighth of the records"),
        pytest.param(10, 10, False, id="an eighth of the records"),
        pytest.param(2, 999, True, id="less than an eighth of the bytes"),
        pytest.param(2, 1000, False, id="an eighth of the bytes"),
    ],
)
@pytest.mark.parametrize(
    ("took", "partitions", "expected"),
    [
        (0.0, 1, 0.01),
        (0.02, 1, 0.04),
        (0.02, 4, 0.04),
        (0.02, 6, 0.06),
        (0.02, 48, BATCHING_DELAY),
        (BATCHING_DELAY, 1, BATCHING_DELAY),
        (5.0, 4, BATCHING_DELAY),
    ],
)
async def test_only_after_a_small_batch_there_is_a_wait_twice_as_long_as_that_one_took_within_bounds(
    records: int, size: int, small: bool, took: float, partitions: int, expected: float, waits: list[float]
) -> None:
    now = [7.0]
    one = BatchingDelay(partitions, lambda: now[0])
    assert not await one.wait()
    assert waits == []
    one.note(records, size, Limit(80, 8000))
    now[0] += took
    assert await one.wait() is small
    assert waits == [pytest.approx(expected)] * small


async def test_frames_that_come_during_the_wait_are_in_the_next_batch(waits: list[float]) -> None:
    feed = FrameFeed()
    for record in batch(1):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 1
    for record in batch(3):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 3
    assert len(waits) == 1


def frame(offset: int, size: int = 1) -> PlainRecord:
    return PlainRecord("classified", 0, offset, None, b"x" * size, ())


async def test_a_queue_of_frames_hands_them_over_in_order_within_the_limit() -> None:
    feed = FrameFeed()
    for offset in range(5):
        feed.put(frame(offset, 10))
    assert [one.offset for one in await feed.next(Limit(2, 1000))] == [0, 1]
    assert [one.offset for one in await feed.next(Limit(10, 15))] == [2, 3]
    assert [one.offset for one in await feed.next(MANY)] == [4]


async def test_a_full_queue_leaves_frames_out_and_nobody_waits_for_it() -> None:
    feed = FrameFeed()
    for offset in range(2 * MAX_QUEUED_FRAMES):
        feed.put(frame(offset))
    assert len(await feed.next(MANY)) == MAX_QUEUED_FRAMES
    for offset in range(10):
        feed.put(frame(offset, MAX_QUEUED_BYTES // 2))
    assert len(await feed.next(MANY)) == 2
    feed.put(frame(99))
    assert [one.offset for one in await feed.next(MANY)] == [99], "there is room again"


async def test_an_empty_queue_waits_for_a_frame() -> None:
    feed = FrameFeed()
    waiting = asyncio.create_task(feed.next(MANY))
    await asyncio.sleep(0)
    feed.put(frame(7))
    assert [one.offset for one in await waiting] == [7]


def test_a_frame_does_not_show_what_it_holds() -> None:
    assert repr(PlainRecord("classified", 1, 7, b"somebody", b"query", ())) == "PlainRecord(classified-1@7)"


@pytest.mark.parametrize("over", [True, False])
async def test_a_client_that_has_left_its_group_for_good_ends_the_worker_and_one_that_only_fails_does_not(
    over: bool,
) -> None:
    """Its partitions would be begun anew for ever, by a client that never comes back."""
    ended = asyncio.get_running_loop().create_future()
    if over:
        ended.set_result(None)

    async def getmany(*_: object, **__: object) -> None:
        raise KafkaError("Unexpected error during coordination UnknownError()")

    consumer: Any = SimpleNamespace(getmany=getmany, _coordinator=SimpleNamespace(_coordination_task=ended))
    with pytest.raises(TransientError if over else KafkaError) as caught:
        await _BatchFeed(consumer, TopicPartition("t", 0)).next(LIMIT)
    assert type(caught.value) is (TransientError if over else KafkaError)
    assert not over or str(caught.value).startswith("the consumer group: ")


class Consumer:
    """Gives records as aiokafka does: at once what is there of them, by number and whatever their size."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.left = list(records)

    async def getmany(self, source: object, *, timeout_ms: int, max_records: int) -> dict[object, list[Record]]:
        assert max_records > 0
        some, self.left = self.left[:max_records], self.left[max_records:]
        return {source: some} if some else {}


@how(deadline=None)
@given(st.lists(st.sampled_from([0, 1, 50, 2000]), max_size=600), st.integers(1, 300), st.integers(1, 20_000))
def test_batches_are_bounded_in_records_and_about_in_bytes_and_leave_nothing_out(
    sizes: list[int], most: int, size: int
) -> None:
    async def go() -> None:
        given = [PlainRecord("t", 0, offset, None, b"x" * size) for offset, size in enumerate(sizes)]
        feed = _BatchFeed(Consumer(given), TopicPartition("t", 0))
        feed._linger = Impatient()
        taken: list[Record] = []
        while some := await feed.next(Limit(most, size)):
            assert len(some) <= most
            assert sum(map(size_of, some[:-LARGEST_PIECE])) < size, "at most a piece too many"
            taken += some
        assert taken == given

    asyncio.run(go())


class Impatient(BatchingDelay):
    async def wait(self) -> bool:
        """Wait for nothing."""
        return True


@pytest.mark.parametrize("size", [70, 59_000])
async def test_the_batches_of_all_partitions_are_bounded_in_memory_and_each_partition_has_some(size: int) -> None:
    """48 partitions that lag had 16,000 records each, 265 MiB, while they waited for room."""
    queued, limit = Queued(), Limit(16_000, 2 << 20)
    record = PlainRecord("t", 0, 0, None, b"x" * size)
    feeds = [_BatchFeed(Consumer([record] * 16_000), TopicPartition("t", 0), queued) for _ in range(48)]
    batches = [await feed.next(limit) for feed in feeds]
    piece, most = LARGEST_PIECE * (size + RECORD_BYTES), MAX_ALL_QUEUED + len(feeds) * LEAST_HELD
    memory = [len(batch) * (size + RECORD_BYTES) for batch in batches]
    assert len(batches[0]) == min(16_000, -(-limit.bytes // size)), "the first have full ones"
    assert min(memory) >= LEAST_HELD
    assert queued.bytes == sum(memory) <= most + len(feeds) * piece
    for feed in feeds:
        feed._consumer.left.clear()
        feed._linger = Impatient()
        assert not await feed.next(limit)
    assert queued.bytes == 0, "what is done takes no room"


async def test_where_all_queues_of_a_topic_are_full_only_an_empty_one_takes_a_frame() -> None:
    queued = Queued()
    size = MAX_QUEUED_BYTES // 2
    feeds = [FrameFeed(queued) for _ in range(MAX_ALL_QUEUED // size - 1)]
    for offset in range(3):
        for feed in feeds:
            feed.put(frame(offset, size))
    assert queued.bytes == MAX_ALL_QUEUED
    feeds.append(FrameFeed(queued))
    feeds[-1].put(frame(7, size))
    taken = [[one.offset for one in await feed.next(MANY)] for feed in feeds]
    assert taken == [[0, 1], *[[0]] * (len(feeds) - 2), [7]], "no partition waits for the others' frames"
    assert queued.bytes == 0
