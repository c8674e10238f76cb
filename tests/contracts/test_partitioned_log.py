"""What any partitioned log does: a real Kafka, and the one in memory that other tests use."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from uuid import uuid4

import aiokafka
import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic, RecordsToDelete
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.errors import TransientError
from querymix.kafka.admin import connected
from querymix.kafka.log import KafkaLog
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import FencedError, Limit, PartitionedLog, TopicPartition
from querymix.settings import ConnectionSettings

GROUP = "group"
MANY = Limit(1000, 1 << 20)
PATIENCE = 300.0
"""Seconds within which what is waited for comes, on a busy machine too."""


class World:
    """A log with a topic of two partitions, and what a contract test does to it beside the port."""

    def __init__(self, log: PartitionedLog, topic: str) -> None:
        self.log = log
        self.topic = topic
        self.a, self.b = TopicPartition(topic, 0), TopicPartition(topic, 1)

    async def put(self, *values: bytes) -> None:
        """Append records to `a` outside of any transaction."""
        raise NotImplementedError

    async def trim(self, first: int) -> None:
        """Let retention remove what stands in `a` before `first`."""
        raise NotImplementedError

    async def values(self, source: TopicPartition | None = None, start: int = 0) -> list[bytes | None]:
        """Return the committed values of a partition in which every transaction is over.

        A commit that was acknowledged is done for good, and its markers follow a moment later.
        """
        source = source or self.a
        while True:
            end = (await self.log.ends([source]))[source]
            if end.stable == end.last:
                break
            await asyncio.sleep(0.02)
        return [record.value for record in (await self.log.read(source, start, end.stable, MANY)).records]

    async def goes_on_at(self, offset: int) -> bool:
        """Say whether the group comes to stand at an offset of `a`: its marker, too, follows an acknowledged commit."""
        return await _comes(lambda: self._stands_at(offset))

    async def _stands_at(self, offset: int) -> bool:
        return await self.log.committed(GROUP, self.a) == offset


class MemoryWorld(World):
    """In memory."""

    def __init__(self) -> None:
        topic = "topic"
        self.memory = MemoryLog({topic: 2})
        super().__init__(self.memory, topic)

    async def put(self, *values: bytes) -> None:
        for value in values:
            self.memory.put(self.topic, 0, b"key", value, [("name", b"header")])

    async def trim(self, first: int) -> None:
        self.memory.trim(self.a, first)


class KafkaWorld(World):
    """On a broker."""

    def __init__(self, log: KafkaLog, topic: str, broker: str) -> None:
        super().__init__(log, topic)
        self._broker = broker

    async def put(self, *values: bytes) -> None:
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=self._broker) as producer:
            for value in values:
                headers = [("name", b"header")]
                await producer.send_and_wait(self.topic, value, key=b"key", partition=0, headers=headers)

    async def trim(self, first: int) -> None:
        async with admin_of(self._broker) as admin:
            await admin.delete_records({self.a: RecordsToDelete(before_offset=first)})


@asynccontextmanager
async def admin_of(broker: str) -> AsyncIterator[AIOKafkaAdminClient]:
    admin = AIOKafkaAdminClient(bootstrap_servers=broker)
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


@pytest.fixture(params=["memory", pytest.param("kafka", marks=[pytest.mark.servers, pytest.mark.short])])
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    if request.param == "memory":
        yield MemoryWorld()
        return
    broker = request.getfixturevalue("kafka").bootstrap
    topic = f"t{uuid4().hex}"
    async with admin_of(broker) as admin:
        await admin.create_topics([NewTopic(topic, 2, 1)])

        async def there() -> bool:
            return topic in await admin.list_topics()

        assert await _comes(there), "the broker does not know the topic"
    async with connected(ConnectionSettings(broker=broker)) as session, KafkaLog(session, topic) as log:
        yield KafkaWorld(log, topic, broker)


async def test_records_are_read_in_order_with_key_headers_and_place(world: World) -> None:
    await world.put(b"a", b"b", b"c")
    chunk = await world.log.read(world.a, 0, 3, MANY)
    assert [(record.offset, record.key, record.value) for record in chunk.records] == [
        (0, b"key", b"a"), (1, b"key", b"b"), (2, b"key", b"c"),
    ]  # fmt: skip
    assert {(record.topic, record.partition) for record in chunk.records} == {(world.topic, 0)}
    assert [tuple(record.headers) for record in chunk.records] == 3 * [(("name", b"header"),)]
    assert (chunk.begin, chunk.next) == (0, 3)


async def test_a_read_stays_within_its_offsets_and_its_limit_and_says_where_to_go_on(world: World) -> None:
    await world.put(b"a", b"b", b"c", b"d", b"e")
    first = await world.log.read(world.a, 1, 4, Limit(2, 1 << 20))
    assert [record.value for record in first.records] == [b"b", b"c"]
    second = await world.log.read(world.a, first.next, 4, Limit(2, 1 << 20))
    assert [record.value for record in second.records] == [b"d"]
    assert second.next == 4
    assert (await world.log.read(world.a, 0, 1, MANY)).next == 1, "a read may go back"


async def test_a_transaction_shows_nothing_before_it_is_committed_and_all_of_it_then(world: World) -> None:
    log = world.log
    async with log.writer("role", world.a, GROUP) as writer:
        async with writer.transaction() as transaction:
            await transaction.send(world.topic, b"one", partition=0)
            await transaction.send_many(world.topic, 1, [(b"k", b"two", []), (b"k", b"x" * 400_000, [("h", b"v")])])
            transaction.reached(41)
            assert await log.committed(GROUP, world.a) is None
        assert await world.values(world.a) == [b"one"]
        assert await world.values(world.b) == [b"two", b"x" * 400_000]
        assert await world.goes_on_at(42)
        assert await log.committed(GROUP, world.b) is None


async def test_a_transaction_that_reached_nothing_leaves_the_group_where_it_is(world: World) -> None:
    async with world.log.writer("role", world.a, GROUP) as writer:
        async with writer.transaction() as transaction:
            transaction.reached(7)
        async with writer.transaction() as transaction:
            await transaction.send(world.topic, b"one", partition=0)
    assert await world.goes_on_at(8)


async def test_a_body_that_raises_leaves_nothing_but_a_gap(world: World) -> None:
    async with world.log.writer("role", world.a, GROUP) as writer:
        with pytest.raises(ZeroDivisionError):  # noqa: PT012 - the transaction is what raises
            async with writer.transaction() as transaction:
                await transaction.send(world.topic, b"undone", partition=0)
                transaction.reached(7)
                await _until(world.log, world.a, 1)
                raise ZeroDivisionError
        async with writer.transaction() as transaction:
            await transaction.send(world.topic, b"done", partition=0)
    assert await world.values() == [b"done"]
    assert await world.log.committed(GROUP, world.a) is None


async def test_the_marker_behind_the_last_record_is_read_past(world: World) -> None:
    """So an idle partition can be read to its end, which is what makes its lag 0."""
    async with world.log.writer("role", world.a, GROUP) as writer, writer.transaction() as transaction:
        await transaction.send(world.topic, b"one", partition=0)
    assert await world.values() == [b"one"]
    end = (await world.log.ends([world.a]))[world.a]
    assert end.stable == end.last == 2
    chunk = await world.log.read(world.a, 1, end.stable, MANY)
    assert (chunk.records, chunk.begin, chunk.next) == ([], 1, 2)


async def test_an_open_transaction_holds_up_readers_of_its_partition_until_it_is_decided(world: World) -> None:
    log = world.log
    async with log.writer("role", world.a, GROUP) as writer, log.writer("other", world.b, GROUP) as other:
        async with other.transaction() as open_one:
            await open_one.send(world.topic, b"late", partition=0)
            await _until(log, world.a, 1)
            async with writer.transaction() as transaction:
                await transaction.send(world.topic, b"early", partition=0)
            await _until(log, world.a, 3)
            end = (await log.ends([world.a]))[world.a]
            assert (end.stable, end.last) == (0, 3)
            reading = asyncio.create_task(_all(log, world.a))
            await asyncio.sleep(0.05)
            assert not reading.done()
        assert await asyncio.wait_for(reading, PATIENCE) == [b"late", b"early"]


async def test_a_scan_gives_all_records_of_a_transaction_or_none(world: World) -> None:
    """Also where it begins while the transaction is half written: a snapshot in parts is worth nothing in part."""
    log = world.log
    async with log.writer("role", world.a, GROUP) as writer:
        async with writer.transaction() as transaction:
            await transaction.send(world.topic, b"part 0", partition=0)
            await _until(log, world.a, 1)
            scanning = asyncio.create_task(_all(log, world.a))
            await asyncio.sleep(0.05)
            await transaction.send(world.topic, b"part 1", partition=0)
        assert await asyncio.wait_for(scanning, PATIENCE) == [b"part 0", b"part 1"]


async def _until(log: PartitionedLog, source: TopicPartition, last: int) -> None:
    async def there() -> bool:
        return (await log.ends([source]))[source].last >= last

    assert await _comes(there), "nothing came"


async def _comes(condition: Callable[[], Awaitable[bool]]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not (holds := await condition()) and time.monotonic() < deadline:  # noqa: ASYNC110 - a broker is asked
        await asyncio.sleep(0.02)
    return holds


async def _all(log: PartitionedLog, source: TopicPartition) -> list[bytes | None]:
    return [record.value async for record in log.scan(source)]


async def test_a_second_writer_of_the_name_fences_the_first_and_undoes_what_it_left_open(world: World) -> None:
    log = world.log
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(log.writer("role", world.a, GROUP))
        with pytest.raises(FencedError):  # noqa: PT012 - the transaction is what raises
            async with first.transaction() as transaction:
                await transaction.send(world.topic, b"zombie", partition=0)
                transaction.reached(1)
                second = await stack.enter_async_context(log.writer("role", world.a, GROUP))
                async with second.transaction() as rightful:
                    await rightful.send(world.topic, b"rightful", partition=0)
                    rightful.reached(2)
        with pytest.raises(FencedError):
            async with first.transaction() as transaction:
                await transaction.send(world.topic, b"zombie", partition=0)
        assert await world.values() == [b"rightful"]
        assert await world.goes_on_at(3)


@pytest.mark.parametrize("other", [lambda world: ("role", world.b), lambda world: ("another", world.a)])
async def test_writers_of_other_partitions_or_names_do_not_fence(
    world: World, other: Callable[[World], tuple[str, TopicPartition]]
) -> None:
    log = world.log
    name, source = other(world)
    async with log.writer("role", world.a, GROUP) as first, log.writer(name, source, GROUP) as second:
        for writer, value in ((first, b"one"), (second, b"two"), (first, b"three")):
            async with writer.transaction() as transaction:
                await transaction.send(world.topic, value, partition=1)
    assert await world.values(world.b) == [b"one", b"two", b"three"]


async def test_a_read_from_what_retention_has_removed_begins_where_the_log_does(world: World) -> None:
    await world.put(b"a", b"b", b"c", b"d")
    await world.trim(3)
    chunk = await world.log.read(world.a, 1, 4, MANY)
    assert [record.value for record in chunk.records] == [b"d"]
    assert (chunk.begin, chunk.next) == (3, 4)
    assert await _all(world.log, world.a) == [b"d"]


async def test_what_is_deleted_is_gone_and_what_comes_after_it_stays(world: World) -> None:
    await world.put(b"a", b"b", b"c")
    await world.log.delete(world.a, 2)
    assert await _all(world.log, world.a) == [b"c"]
    await world.log.delete(world.a, 1)
    assert await _all(world.log, world.a) == [b"c"], "to delete what is gone already is no error"
    assert (await world.log.ends([world.a]))[world.a].last == 3


async def test_a_read_from_past_the_end_says_that_the_topic_is_another_one(world: World) -> None:
    await world.put(b"a")
    with pytest.raises(TransientError, match="the topic is not the one that it was"):
        await world.log.read(world.a, 5, 9, MANY)


async def test_an_empty_partition_has_no_records_and_ends_at_0(world: World) -> None:
    assert (await world.log.ends([world.a, world.b]))[world.b] == (0, 0)
    assert await _all(world.log, world.a) == []
    assert await world.log.committed("nobody", world.a) is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["commit", "abort", "plain"]), st.integers(1, 3)), max_size=12), st.data())
def test_any_read_of_the_log_in_memory_gives_what_is_committed_there_and_nothing_else(
    steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    """Other tests rest on it, so it is held to more than the examples above."""

    async def go() -> None:
        world = MemoryWorld()
        shown: list[tuple[int, bytes]] = []
        async with world.log.writer("role", world.a, GROUP) as writer:
            for step, number in steps:
                first = len(world.memory.slots[world.a])
                values = [b"%d" % (first + nth) for nth in range(number)]
                if step == "plain":
                    await world.put(*values)
                else:
                    with suppress(ZeroDivisionError):
                        async with writer.transaction() as transaction:
                            for value in values:
                                await transaction.send(world.topic, value, partition=0)
                            if step == "abort":
                                raise ZeroDivisionError
                if step != "abort":
                    shown += [(first + nth, value) for nth, value in enumerate(values)]
        end = len(world.memory.slots[world.a])
        begin = start = data.draw(st.integers(0, end))
        stop = data.draw(st.integers(start, end))
        limit = Limit(data.draw(st.integers(1, 5)), 1 << 20)
        found: list[tuple[int, bytes | None]] = []
        while start < stop:
            chunk = await world.log.read(world.a, start, stop, limit)
            assert len(chunk.records) <= limit.records
            assert start < chunk.next <= stop
            found += [(record.offset, record.value) for record in chunk.records]
            start = chunk.next
        assert [one for one in shown if begin <= one[0] < stop] == found

    asyncio.run(go())
