"""A worker's processors: begun on assignment, over before partitions are another worker's."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import errors as kafka
from querymix.core.errors import ConfigError, RefusedError, TransientError
from querymix.kafka import assignment
from querymix.kafka.assignment import Processors
from querymix.kafka.failures import AwayError
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition

from tests.querymix.kafka.whole import Honest, Service, check, write

PATIENCE = 120.0
"""Seconds within which what is waited for comes, on a busy machine too."""
UNTIL_TOLD = 0.25
"""Stands for the seconds that the group may take to say whose a partition is: the test says when they are over."""
RAW = [TopicPartition("raw", number) for number in range(2)]


class Worker:
    """The raw partitions' processors of one worker of a service."""

    def __init__(self, service: Service, until_told: float = 60.0) -> None:
        self.failed: list[BaseException] = []
        self.log = service.log
        self._made = partial(Processors, "raw", service.log, service.make["raw"], until_told, self.failed.append)
        self.processors = self.made()

    def made(self, back: Callable[[], Awaitable[None]] = assignment.at_once) -> Processors:
        """Return processors that ask this whether the log is back."""
        return self._made(back)

    def begin(self, *sources: TopicPartition) -> None:
        for source in sources:
            self.processors.begin(source, Honest(self.log, source))
        self.processors.assigned()

    async def rests(self) -> None:
        """Wait until all that is there is done with."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            await asyncio.sleep(0.001)
            progress = self.processors.ends(await self.log.ends(list(self.processors.sources)))
            if all(one is not None and one.at >= one.end for one in progress.values()):
                return
        raise AssertionError("it does not come to rest")


async def test_what_is_waited_for_is_told_until_all_partitions_are_worked_on() -> None:
    worker = Worker(Service(Honest))
    assert worker.processors.waits() == "waiting for partitions of raw"
    worker.begin(*RAW)
    assert worker.processors.waits() == "restoring raw"
    await worker.rests()
    assert worker.processors.waits() == ""
    await worker.processors.end()
    assert list(worker.processors.sources) == []


async def test_a_partition_moves_from_worker_to_worker_and_back() -> None:
    service = Service(Honest)
    one, other = Worker(service), Worker(service)
    sent = write(service.memory, Random(1), 30)
    one.begin(*RAW)
    await one.rests()
    for holder, taker in ((one, other), (other, one)):
        await holder.processors.end([RAW[1]])
        taker.begin(RAW[1])
        sent |= write(service.memory, Random(len(sent)), 20, len(sent))
        await one.rests()
        await other.rests()
    await one.processors.end()
    await other.processors.end()
    check(await service.go(), sent)
    assert one.failed == other.failed == []


async def test_a_worker_whose_partition_was_taken_waits_to_be_told_begins_anew_once_and_then_gives_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker fences the writer of a transaction that was open for too long as well: then nobody else has it."""
    monkeypatch.setattr(assignment, "_OFTEN", 10_000)
    monkeypatch.setattr(assignment, "_FIRST_PAUSE", 0.001)
    service = Service(Honest)
    one, other = Worker(service, UNTIL_TOLD), Worker(service)
    waits, waited, again = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        if seconds == UNTIL_TOLD:
            waits.set()
            await waited.wait()
        else:
            await asyncio.sleep(seconds)

    monkeypatch.setattr(assignment, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))

    async def back() -> None:
        await again.wait()

    one.processors = one.made(back)
    one.begin(RAW[0])
    await one.rests()
    other.begin(RAW[0])
    await other.rests()
    sent = write(service.memory, Random(2), 20)
    await until(waits.is_set)
    assert one.processors.trouble() == ""
    assert one.failed == []
    waited.set()
    await until(lambda: one.processors.trouble() != "")
    assert one.processors.trouble() == "raw partition 0 was taken over and the group has not said so"
    again.set()
    await until(lambda: one.processors.trouble() == "")
    assert one.failed == []
    other.begin(RAW[0])
    await other.rests()
    sent |= write(service.memory, Random(3), 20, len(sent))
    await until(lambda: one.failed)
    assert [str(error) for error in one.failed] == ["raw partition 0 was taken over and the group has not said so"]
    await one.processors.end()
    await other.processors.end()
    check(await service.go(), sent)


async def until(condition: Callable[[], object]) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never comes")


async def test_a_log_that_is_unavailable_is_told_as_it_is_and_a_fault_of_ours_by_its_kind_only() -> None:
    service = Service(Honest)
    worker = Worker(service)
    worker.begin(RAW[0])
    await worker.rests()
    service.memory.available = False
    await until(lambda: worker.failed)
    assert str(worker.failed[0]) == "the log is unavailable"
    service.memory.available = True

    def fault(what: str) -> None:
        raise ZeroDivisionError("somebody's query")

    service.memory.happened = fault
    worker.begin(RAW[1])
    write(service.memory, Random(3), 20)
    await until(lambda: len(worker.failed) > 1)
    assert isinstance(worker.failed[1], TransientError)
    said = str(worker.failed[1])
    assert said.startswith("raw partition 1: ZeroDivisionError (test_assignment.py, line ")
    assert "). Start again" in said
    assert "query" not in said
    await worker.processors.end()


class Deaf(Honest):
    """A feeder that swallows the first cancellation, as `asyncio.wait_for` does now and then in Python 3.11."""

    def __init__(self, log: PartitionedLog, source: TopicPartition) -> None:
        super().__init__(log, source)
        self.asked = asyncio.Event()
        self.cancelled = 0

    async def next(self, limit: Limit) -> Sequence[Record]:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            if self.cancelled > 1:
                raise
        return await super().next(limit)


async def test_a_processor_whose_cancellation_was_swallowed_ends_without_a_second_one() -> None:
    service = Service(Honest)
    worker = Worker(service)
    feed = Deaf(service.log, RAW[0])
    worker.processors.begin(RAW[0], feed)
    await feed.asked.wait()
    await worker.processors.end()
    assert feed.cancelled == 1


class Trouble:
    """Fails a step of the log's transactions some times with an error, and what a worker asks before it goes on."""

    def __init__(self, service: Service, step: str, error: Exception, times: int = 1) -> None:
        self.left = times
        self.asked = 0
        self.away: list[Exception] = []
        """What is still raised when it is asked whether Kafka is back."""
        self._step = step
        self._error = error
        service.memory.happened = self.happens

    def happens(self, what: str) -> None:
        if what == self._step and self.left:
            self.left -= 1
            raise self._error

    async def back(self) -> None:
        self.asked += 1
        if self.away:
            raise self.away.pop(0)


@pytest.mark.parametrize("step", ["send", "commit", "committed"])
@pytest.mark.parametrize(
    "error",
    [
        kafka.KafkaConnectionError(),
        kafka.InvalidProducerIdMapping(),
        kafka.UnknownProducerId(),
        kafka.TopicAuthorizationFailedError(),
        kafka.KafkaError("something new"),
        AwayError("the brokers have not taken it"),
    ],
)
async def test_what_passes_begins_the_partition_anew_without_an_end_and_nothing_is_lost_or_doubled(
    monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    """Neither where it was committed and the answer got lost."""
    monkeypatch.setattr(assignment, "_FIRST_PAUSE", 0.001)
    service = Service(Honest)
    worker = Worker(service)
    trouble = Trouble(service, step, error, times=3)
    trouble.away = [AwayError("nothing listens there"), RefusedError("the password")]
    worker.processors = worker.made(trouble.back)
    sent = write(service.memory, Random(4), 60)
    worker.begin(*RAW)
    await until(lambda: trouble.asked >= 3 and not trouble.left)
    await worker.rests()
    assert worker.failed == []
    assert worker.processors.trouble() == ""
    assert worker.processors.waits() == ""
    await worker.processors.end()
    check(await service.go(), sent)


async def test_a_right_that_was_never_there_is_a_wrong_setting_and_no_reason_to_wait() -> None:
    class Refusing:
        @asynccontextmanager
        async def writer(self, *_: object) -> AsyncIterator[None]:
            raise kafka.TransactionalIdAuthorizationFailed
            yield

    service = Service(Honest)
    worker = Worker(service)
    log: Any = Refusing()
    processors = Processors("raw", log, service.make["raw"], 60.0, worker.failed.append)
    processors.begin(RAW[0], Honest(worker.log, RAW[0]))
    await until(lambda: worker.failed)
    assert type(worker.failed[0]) is RefusedError
    await processors.end()


async def test_while_it_waits_it_is_not_ready_and_says_why_and_ends_at_once_when_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assignment, "_FIRST_PAUSE", 0.001)
    service = Service(Honest)
    worker = Worker(service)
    trouble = Trouble(service, "commit", kafka.KafkaConnectionError())
    trouble.away = [AwayError("nothing listens there")] * 9999
    worker.processors = worker.made(trouble.back)
    sent = write(service.memory, Random(4), 60)
    worker.begin(RAW[0])
    await until(lambda: worker.processors.trouble() == "nothing listens there")
    assert worker.processors.waits() == "restoring raw"
    assert worker.processors.ends(await service.log.ends(RAW)) == {RAW[0]: None}, "it is not taken for a stall"
    await worker.processors.end()
    assert worker.processors.trouble() == ""
    assert worker.failed == []
    check(await service.go(), sent)


async def test_a_log_that_comes_back_with_other_topics_is_refused_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, "_FIRST_PAUSE", 0.001)
    service = Service(Honest)
    worker = Worker(service)
    trouble = Trouble(service, "commit", kafka.KafkaConnectionError())
    trouble.away = [AwayError("nothing listens there"), ConfigError("the topic raw was made anew")]
    worker.processors = worker.made(trouble.back)
    write(service.memory, Random(4), 60)
    worker.begin(RAW[0])
    await until(lambda: worker.failed)
    service.memory.reads.clear()
    assert [str(error) for error in worker.failed] == ["the topic raw was made anew"]
    await asyncio.sleep(0.05)
    assert service.memory.reads == []
    await worker.processors.end()


class Stuck(Honest):
    """A feeder that swallows every cancellation, as what hangs in a client may."""

    def __init__(self, log: PartitionedLog, source: TopicPartition) -> None:
        super().__init__(log, source)
        self.over = asyncio.Event()

    async def next(self, limit: Limit) -> Sequence[Record]:
        while not self.over.is_set():
            with suppress(asyncio.CancelledError):
                await self.over.wait()
        return ()


async def test_a_processor_that_does_not_end_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, "_ENDS_WITHIN", 0.01)
    service = Service(Honest)
    worker = Worker(service)
    feed = Stuck(service.log, RAW[0])
    worker.processors.begin(RAW[0], feed)
    await until(lambda: worker.processors.waits() == "" or worker.processors.roles)
    await asyncio.sleep(0.01)
    await worker.processors.end()
    assert not worker.processors.sources
    assert worker.failed == []
    feed.over.set()


class Failing(Honest):
    """A feeder that fails where it is told to end, as a client may."""

    def __init__(self, log: PartitionedLog, source: TopicPartition, error: Exception) -> None:
        super().__init__(log, source)
        self.asked = asyncio.Event()
        self._error = error

    async def next(self, limit: Limit) -> Sequence[Record]:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise self._error from None
        return ()


@pytest.mark.parametrize("error", [kafka.KafkaConnectionError(), ValueError("a fault of the client's")])
async def test_what_fails_while_a_partition_is_taken_away_neither_ends_the_worker_nor_begins_it_anew(
    error: Exception,
) -> None:
    service = Service(Honest)
    worker = Worker(service)
    feed = Failing(service.log, RAW[0], error)
    worker.processors.begin(RAW[0], feed)
    await feed.asked.wait()
    await worker.processors.end()
    assert worker.failed == []
    assert worker.processors.trouble() == ""
    assert not worker.processors.roles
