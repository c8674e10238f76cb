"""A worker's processors: begun on assignment, over before partitions are another worker's."""

import asyncio
from collections.abc import Sequence
from random import Random

from querymix.core.errors import TransientError
from querymix.kafka.assignment import Processors
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition

from tests.querymix.kafka.whole import Honest, Service, check, write

RAW = [TopicPartition("raw", number) for number in range(2)]


class Worker:
    """The raw partitions' processors of one worker of a service."""

    def __init__(self, service: Service, until_told: float = 60.0) -> None:
        self.failed: list[BaseException] = []
        self.log = service.log
        self.processors = Processors("raw", service.log, service.make["raw"], until_told, self.failed.append)

    def begin(self, *sources: TopicPartition) -> None:
        for source in sources:
            self.processors.begin(source, Honest(self.log, source))
        self.processors.assigned()

    async def rests(self) -> None:
        """Wait until all that is there is done with."""
        for _ in range(3000):
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


async def test_a_worker_whose_partition_was_taken_waits_to_be_told_and_fails_where_nobody_tells() -> None:
    service = Service(Honest)
    one, other = Worker(service, 0.05), Worker(service)
    one.begin(RAW[0])
    await one.rests()
    other.begin(RAW[0])
    await other.rests()
    sent = write(service.memory, Random(2), 20)
    await asyncio.sleep(0.02)
    assert one.failed == []
    await asyncio.sleep(0.2)
    assert [str(error) for error in one.failed] == ["raw partition 0 was taken over and the group has not said so"]
    await one.processors.end()
    await other.processors.end()
    check(await service.go(), sent)


async def test_a_log_that_is_unavailable_is_told_as_it_is_and_a_fault_of_ours_by_its_kind_only() -> None:
    service = Service(Honest)
    worker = Worker(service)
    worker.begin(RAW[0])
    await worker.rests()
    service.memory.available = False
    await asyncio.sleep(0.02)
    assert str(worker.failed[0]) == "the log is unavailable"
    service.memory.available = True

    def fault(what: str) -> None:
        raise ZeroDivisionError("somebody's query")

    service.memory.happened = fault
    worker.begin(RAW[1])
    write(service.memory, Random(3), 20)
    await asyncio.sleep(0.1)
    assert isinstance(worker.failed[1], TransientError)
    assert str(worker.failed[1]).startswith("raw partition 1: ZeroDivisionError. Start again")
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
