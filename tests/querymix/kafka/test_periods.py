"""The keys of periods: one for all workers, whatever they do at once, and none that comes back."""

import asyncio
import gc
import logging
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.errors import RefusedError, TransientError
from querymix.core.periods import Ids
from querymix.kafka.failures import AwayError
from querymix.kafka.memory_log import MemoryLog, MemoryTransaction
from querymix.kafka.periods import KEY_BYTES, SKEW, PeriodKeys
from querymix.kafka.ports import Record, TopicPartition, Writer
from querymix.telemetry import REGISTRY

settings = how(deadline=None)
DAY = 86_400.0
TOPIC = "periods"
PLACE = TopicPartition(TOPIC, 0)
NOON = 100.5 * DAY
"""In period 100."""


class Clock:
    """A clock that can be set."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def log() -> MemoryLog:
    return MemoryLog({TOPIC: 1})


def worker(memory: MemoryLog, clock: Clock | None = None) -> PeriodKeys:
    return PeriodKeys(memory, TOPIC, "group", DAY, clock or Clock())


async def one(keys: PeriodKeys, now: float = NOON) -> str:
    """Return the id of a user."""
    return (await keys.ids(now))["479"]


def stands(memory: MemoryLog) -> list[bytes | None]:
    """Return the periods whose keys stand in the topic."""
    return [record.key for record in memory.records(TOPIC)]


class Racing(MemoryLog):
    """Lets others come first at any step."""

    def __init__(self, random: Random) -> None:
        super().__init__({TOPIC: 1})
        self._random = random

    async def others(self) -> None:
        for _ in range(self._random.randrange(4)):
            await asyncio.sleep(0)

    async def scan(self, source: TopicPartition) -> AsyncIterator[Record]:
        await self.others()
        async for record in super().scan(source):
            yield record
        await self.others()

    @asynccontextmanager
    async def writer(self, name: str, source: TopicPartition, group: str) -> AsyncIterator[Writer]:
        async with super().writer(name, source, group) as writer:
            await self.others()
            yield _RacingWriter(self, writer)


class _RacingWriter:
    def __init__(self, log: Racing, writer: Writer) -> None:
        self._log = log
        self._writer = writer

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MemoryTransaction]:
        async with self._writer.transaction() as transaction:
            await self._log.others()
            yield transaction  # type: ignore[misc]  # it is the log in memory
            await self._log.others()


@settings
@given(st.integers(0, 1 << 30), st.lists(st.floats(0, 10), min_size=1, max_size=5))
def test_workers_that_need_a_key_at_once_get_the_same_one(seed: int, clocks: list[float]) -> None:
    """Their clocks differ by some seconds, in the middle of a period."""

    async def go() -> None:
        memory = Racing(Random(seed))
        found = await asyncio.gather(*(one(worker(memory), NOON + behind) for behind in clocks))
        assert len(set(found)) == 1
        assert set(stands(memory)) == {b"100"}
        assert await one(worker(memory)) == found[0]

    asyncio.run(go())


@settings
@given(st.integers(0, 1 << 30), st.lists(st.floats(-SKEW, SKEW), min_size=2, max_size=5))
def test_a_period_has_one_key_though_clocks_differ_around_its_beginning(seed: int, clocks: list[float]) -> None:
    """Some workers begin it while others are in the one before; all are in it at last, and those started by then."""

    async def go() -> None:
        memory = Racing(Random(seed))
        workers = [worker(memory) for _ in clocks]
        first = {await one(keys, NOON) for keys in workers}
        ids = await asyncio.gather(*(one(keys, 101 * DAY + by) for keys, by in zip(workers, clocks, strict=True)))
        last = {await one(keys, 101 * DAY + SKEW + by) for keys, by in zip(workers, clocks, strict=True)}
        assert len(first) == len(last) == 1
        assert set(ids) <= first | last
        if max(clocks) >= 0:
            assert {await one(worker(memory), 101 * DAY + by) for by in clocks} == last

    asyncio.run(go())


async def test_a_worker_that_starts_in_the_middle_of_a_period_goes_on_with_its_ids() -> None:
    memory = log()
    before = await one(worker(memory))
    assert await one(worker(memory), NOON + 0.4 * DAY) == before


async def test_a_new_period_has_other_ids_and_the_old_key_is_gone_from_the_topic_and_from_memory() -> None:
    memory, clock = log(), Clock()
    keys = worker(memory, clock)
    before = await one(keys)
    old = weakref.ref(await keys.ids(NOON))
    await keys.follow()
    assert stands(memory) == [b"100"]
    clock.now += DAY
    await keys.follow()
    gc.collect()
    assert stands(memory) == [b"101"]
    assert old() is None
    assert await one(keys, clock.now) != before


async def test_a_key_is_dropped_when_its_period_is_over_though_the_next_cannot_be_had() -> None:
    memory, clock = log(), Clock()
    keys = worker(memory, clock)
    old = weakref.ref(await keys.ids(NOON))
    memory.available = False
    clock.now += DAY
    await keys.follow()
    gc.collect()
    assert old() is None
    with pytest.raises(TransientError):
        await keys.ids(clock.now)
    memory.available = True
    await keys.follow()
    assert stands(memory) == [b"101"]


async def test_a_worker_that_is_behind_takes_the_period_that_another_has_begun() -> None:
    memory = log()
    ahead = await one(worker(memory), 101 * DAY + 1)
    assert await one(worker(memory), 101 * DAY - 1) == ahead
    assert stands(memory) == [b"101"]


@pytest.mark.parametrize("back", [60.0, DAY, 5 * DAY])
@pytest.mark.parametrize("deleted", [True, False])
@pytest.mark.parametrize("restarted", [True, False])
async def test_a_clock_that_is_put_back_brings_no_old_key_back(back: float, deleted: bool, restarted: bool) -> None:
    memory, clock = log(), Clock()
    keys = worker(memory, clock)
    old = set()
    for _ in range(8):
        old.add(await one(keys, clock.now))
        if deleted:
            await keys.follow()
        clock.now += DAY
    last = await one(keys, clock.now)
    clock.now -= back
    keys = worker(memory, clock) if restarted else keys
    now = await one(keys, clock.now)
    assert now not in old
    if back <= DAY:
        assert now == last, "clocks may differ by a period"


async def test_a_period_that_was_over_does_not_come_back_though_no_other_was_begun() -> None:
    """The topic was away when the clock left it, and the clock is put back."""
    memory, clock = log(), Clock()
    keys = worker(memory, clock)
    before = await one(keys)
    memory.available = False
    clock.now += DAY
    await keys.follow()
    memory.available = True
    assert await one(keys, NOON) != before
    assert stands(memory) == [b"100", b"101"]


async def test_ids_of_a_clock_that_was_far_ahead_do_not_stay_once_it_is_right() -> None:
    memory = log()
    keys = worker(memory)
    far = await one(keys, NOON + 400 * DAY)
    right = await one(keys, NOON)
    assert right != far
    assert await one(worker(memory), NOON) == right


async def test_a_clock_that_is_far_ahead_costs_the_others_no_id_while_they_run() -> None:
    memory = log()
    keys = worker(memory)
    before = await one(keys)
    await one(worker(memory), NOON + 400 * DAY)
    assert await one(keys, NOON + 0.1 * DAY) == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"100", b"short"), (b"100", None), (b"100", b"x" * (KEY_BYTES + 1)), (None, b"x" * KEY_BYTES),
        (b"", b"x" * KEY_BYTES), (b"-100", b"x" * KEY_BYTES), (b"9" * 5000, b"x" * KEY_BYTES),
        ("\u0661\u0660\u0660".encode(), b"x" * KEY_BYTES), (b"secret", b"a query of somebody"),
    ],
)  # fmt: skip
async def test_a_record_that_is_no_key_is_passed_over_and_told_once_without_its_content(
    key: bytes | None, value: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    memory = log()
    memory.put(TOPIC, 0, key, value)
    keys = worker(memory)
    first = await one(keys)
    memory.put(TOPIC, 0, key, value)
    assert await one(worker(memory)) == first
    assert await one(keys, NOON + DAY) != first
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(told) == 3, "each worker once, and once more where there are more of them"
    assert all("no keys" in text and "secret" not in text and "query" not in text for text in told)


async def test_the_first_of_a_periods_records_is_its_key() -> None:
    """No worker writes a second one; whoever else does changes nothing."""
    memory = log()
    first = await one(worker(memory))
    memory.put(TOPIC, 0, b"100", b"y" * KEY_BYTES)
    assert await one(worker(memory)) == first


async def test_keys_that_may_not_be_deleted_are_told_once_with_what_to_do_and_hold_up_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Refusing(MemoryLog):
        async def delete(self, source: TopicPartition, before: int) -> None:
            raise RefusedError("the broker denies this user a right on the topic: grant it")

    memory, clock = Refusing({TOPIC: 1}), Clock()
    keys = worker(memory, clock)
    for _ in range(3):
        await keys.follow()
        clock.now += DAY
    (told,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "grant it" in told
    assert "retention.ms" in told
    assert stands(memory) == [b"100", b"101", b"102"]


async def test_what_could_not_be_deleted_while_kafka_was_away_is_deleted_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Failing(MemoryLog):
        fails = False

        async def delete(self, source: TopicPartition, before: int) -> None:
            if self.fails:
                raise AwayError("the brokers do not answer")
            await super().delete(source, before)

    memory, clock = Failing({TOPIC: 1}), Clock()
    keys = worker(memory, clock)
    await keys.follow()
    clock.now += DAY
    memory.fails = True
    await keys.follow()
    await keys.follow()
    memory.fails = False
    assert stands(memory) == [b"100", b"101"]
    await keys.follow()
    assert stands(memory) == [b"101"]
    assert sum("the brokers do not answer" in record.getMessage() for record in caplog.records) == 1


async def test_a_worker_that_starts_deletes_what_another_has_left() -> None:
    memory = log()
    await one(worker(memory))
    await one(worker(memory), NOON + DAY)
    assert stands(memory) == [b"100", b"101"]
    await worker(memory, Clock(NOON + DAY)).follow()
    assert stands(memory) == [b"101"]


async def test_neither_key_nor_id_shows_in_a_repr_or_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    memory = log()
    keys = worker(memory)
    shown = await one(keys)
    (record,) = memory.records(TOPIC)
    assert record.value is not None
    assert Ids(record.value)["479"] == shown
    for text in (repr(keys), repr(await keys.ids(NOON)), repr(record), caplog.text):
        assert shown not in text
        assert str(record.value) not in text
        assert record.value.hex() not in text


async def test_a_period_that_begins_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Without the part's name before it, as mode would put it: a worker's log leaves such lines out."""
    caplog.set_level(logging.INFO, "querymix.kafka")
    keys = worker(log())
    for day in (0, 0, 1):
        await keys.ids(NOON + day * DAY)
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"released ids are those of period {number}" for number in (100, 101)]


async def test_the_period_and_how_often_it_changed_are_measured() -> None:
    def value(name: str) -> float:
        return REGISTRY.get_sample_value(f"querymix_pseudonym_{name}") or 0.0

    before = value("periods_total")
    keys = worker(log())
    for day in (0, 0, 1):
        await keys.ids(NOON + day * DAY)
    assert value("periods_total") == before + 2
    assert value("period_began_timestamp_seconds") == 101 * DAY
