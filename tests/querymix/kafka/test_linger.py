"""How long feeders gather records."""

from collections.abc import Sequence

import pytest
from querymix.kafka import linger
from querymix.kafka.frames import FrameFeed
from querymix.kafka.linger import BatchingDelay
from querymix.kafka.memory_log import Kept
from querymix.kafka.ports import Limit, Record

LIMIT = Limit(10, 1000)


def batch(number: int, size: int = 1) -> Sequence[Record]:
    return [Kept("t", 0, offset, None, b"x" * size) for offset in range(number)]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What was waited for, in seconds, instead of waiting."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr("querymix.kafka.linger.asyncio.sleep", sleep)
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
    assert waits == [linger.BATCHING_DELAY] * expected


async def test_frames_that_come_during_the_wait_are_in_the_next_batch(waits: list[float]) -> None:
    feed = FrameFeed()
    for record in batch(1):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 1
    for record in batch(3):
        feed.put(record)
    assert len(await feed.next(LIMIT)) == 3
    assert waits == [linger.BATCHING_DELAY]
