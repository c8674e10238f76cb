"""The local Kafka against a real client: transactions, crashes, three brokers."""

import asyncio
import uuid
from collections.abc import Iterator

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import ProducerFenced

from deploy.local.kafka import LocalKafka
from deploy.local.testing import require

SECONDS = 900


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalKafka]:
    """One broker for this module, since a test of it kills it; each test makes a topic of its own."""
    require("kafka")
    with LocalKafka(tmp_path_factory.mktemp("kafka")) as server:
        yield server


async def new_topic(bootstrap: str, copies: int = 1) -> TopicPartition:
    """A new topic's only partition."""
    name = f"test-{uuid.uuid4().hex}"
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(name, 1, copies)])
    finally:
        await admin.close()
    return TopicPartition(name, 0)


async def produce(bootstrap: str, at: TopicPartition, values: list[bytes]) -> None:
    """Write and wait until every record is acknowledged by all the replicas in sync."""
    async with AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all") as producer:
        await asyncio.gather(*[await producer.send(at.topic, value, partition=at.partition) for value in values])


async def read_until(bootstrap: str, at: TopicPartition, last: bytes, isolation: str = "read_committed") -> list[bytes]:
    """All values from the partition's start to the first that equals `last`."""
    values: list[bytes] = []
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap, isolation_level=isolation, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    async with consumer:
        consumer.assign([at])
        while last not in values:
            for records in (await consumer.getmany(timeout_ms=500)).values():
                values += [record.value for record in records]
    return values


async def test_a_committed_reader_sees_committed_transactions_and_never_an_aborted_one(kafka: LocalKafka) -> None:
    """What exactly-once rests on; the uncommitted reader proves that the aborted record was really written."""
    async with asyncio.timeout(SECONDS):
        at = await new_topic(kafka.bootstrap)
        async with AIOKafkaProducer(bootstrap_servers=kafka.bootstrap, transactional_id=at.topic) as producer:
            async with producer.transaction():
                await producer.send_and_wait(at.topic, b"first", partition=0)
            await producer.begin_transaction()
            await producer.send_and_wait(at.topic, b"aborted", partition=0)
            await producer.abort_transaction()
            async with producer.transaction():
                await producer.send_and_wait(at.topic, b"last", partition=0)
        assert await read_until(kafka.bootstrap, at, b"last") == [b"first", b"last"]
        everything = await read_until(kafka.bootstrap, at, b"last", "read_uncommitted")
        assert everything == [b"first", b"aborted", b"last"]


async def test_offsets_commit_with_the_transaction_and_a_second_producer_of_the_same_id_fences_the_first(
    kafka: LocalKafka,
) -> None:
    """The two other halves of consume, work, produce: the group's position, and one owner at a time."""
    async with asyncio.timeout(SECONDS):
        at = await new_topic(kafka.bootstrap)
        owner = AIOKafkaProducer(bootstrap_servers=kafka.bootstrap, transactional_id=at.topic)
        async with AIOKafkaConsumer(
            at.topic, bootstrap_servers=kafka.bootstrap, group_id=at.topic, enable_auto_commit=False
        ) as consumer:
            await owner.start()
            async with owner.transaction():
                await owner.send_offsets_to_transaction({at: 7}, at.topic)
            await owner.begin_transaction()
            await owner.send_offsets_to_transaction({at: 9}, at.topic)
            await owner.abort_transaction()
            assert await consumer.committed(at) == 7
        async with AIOKafkaProducer(bootstrap_servers=kafka.bootstrap, transactional_id=at.topic):
            await owner.begin_transaction()
            with pytest.raises(ProducerFenced):
                await owner.send_and_wait(at.topic, b"from a former owner", partition=0)
            await owner.stop()


async def test_acknowledged_records_are_there_after_a_kill_and_a_restart_on_the_same_address(kafka: LocalKafka) -> None:
    """A crash of the broker's process loses nothing that it acknowledged, and clients keep their address."""
    async with asyncio.timeout(SECONDS):
        before, at = kafka.bootstrap, await new_topic(kafka.bootstrap)
        values = [f"record {number}".encode() for number in range(1000)]
        await produce(kafka.bootstrap, at, values)
        kafka.kill()
        assert kafka.pids == []
        await asyncio.to_thread(kafka.start)
        assert kafka.bootstrap == before
        assert await read_until(kafka.bootstrap, at, values[-1]) == values


@pytest.mark.servers
async def test_three_brokers_go_on_without_the_one_that_was_killed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Three brokers replicate: with one gone, old records are read and new ones are acknowledged."""
    require("kafka")
    kafka = LocalKafka(tmp_path_factory.mktemp("cluster"), brokers=3)
    try:
        async with asyncio.timeout(SECONDS):
            await asyncio.to_thread(kafka.start)
            at = await new_topic(kafka.bootstrap, copies=3)
            await produce(kafka.bootstrap, at, [b"before"])
            kafka.kill(0)
            assert len(kafka.pids) == 2
            survivors = kafka.bootstrap.partition(",")[2]
            await produce(survivors, at, [b"after"])
            assert await read_until(survivors, at, b"after") == [b"before", b"after"]
    finally:
        kafka.kill()
