"""What feeders hand over: how long they gather records, and the queues of frames."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import KafkaError
from aiokafka.structs import TopicPartition
from querymix.core.errors import TransientError
from querymix.kafka.feeders import (
    BATCHING_DELAY,
    MAX_QUEUED_BYTES,
    MAX_QUEUED_FRAMES,
    BatchingDelay,
    FrameFeed,
    _BatchFeed,
)
from querymix.kafka.ports import Limit, PlainRecord, Record

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
    ("records", "expected"),
    [
        pytest.param(batch(0), 0, id="nothing came: the next record is handed over at once"),
        pytest.param(batch(1), 1, id="one record"),
        pytest.param(batch(4), 1, id="less than half of the records"),
        pytest.param(batch(5), 0, id="half of the records"),
        pytest.param(batch(2, 249), 1, id="less than half of the bytes"),
        pytest.param(batch(2, 250), 0, id="half of the bytes"),
    ],
)
async def test_only_after_a_small_batch_there_is_a_wait(
    records: Sequence[Record], expected: int, waits: list[float]
) -> None:
    one = BatchingDelay()
    await one.wait()
    assert waits == []
    one.note(records, LIMIT)
    await one.wait()
    assert waits == [BATCHING_DELAY] * expected


async def test_frames_that_come_during_the_wait_are_in_the_next_batch(waits: list[float]) -> None:
    feed = FrameFeed()
    for record in batch(1):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 1
    for record in batch(3):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 3
    assert waits == [BATCHING_DELAY]


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
