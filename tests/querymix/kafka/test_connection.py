"""What is changed about aiokafka's clients."""

import asyncio
from types import SimpleNamespace
from typing import Any

import aiokafka.client
import pytest
from aiokafka import errors
from aiokafka.client import AIOKafkaClient, CoordinationType
from aiokafka.protocol.metadata import MetadataResponse_v1
from querymix.kafka import connection, pacing
from querymix.kafka.connection import reaching, stop_producer, why_it_failed
from querymix.kafka.failures import AwayError


async def test_a_client_whose_brokers_are_away_pauses_between_questions() -> None:
    client = AIOKafkaClient(bootstrap_servers="127.0.0.1:1")
    loop = asyncio.get_running_loop()
    start = loop.time()
    for _ in range(4):
        assert not await client._metadata_update(client.cluster, None)
    assert loop.time() - start >= 0.3
    await client.close()


async def test_brokers_whose_answers_name_no_broker_yet_are_away() -> None:
    """So a broker answers that has just come back; the client, which then has nobody to ask, says AssertionError."""
    client = AIOKafkaClient(bootstrap_servers="127.0.0.1:1")
    with pytest.raises(AwayError, match="here: the brokers are not ready yet"), reaching("here"):
        await client.coordinator_lookup(CoordinationType.GROUP, "group")
    await client.close()


async def test_a_client_that_a_broker_refuses_pauses_longer_and_longer_before_it_connects_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each try with a wrong password counts towards the lock of an account."""
    tries: list[int] = []
    there: list[object] = []

    async def connect(client: Any, node: int, **how: Any) -> object:
        tries.append(node)
        return there[0] if there else None

    monkeypatch.setattr(pacing, "_get_connection", connect)
    client = AIOKafkaClient(bootstrap_servers="127.0.0.1:1")
    loop = asyncio.get_running_loop()
    start = loop.time()
    for _ in range(5):
        assert await client._get_conn(1) is None
    assert loop.time() - start >= 0.37, "half of 0.05, 0.1, 0.2 and 0.4 s"
    assert await client._get_conn(2) is None
    there.append("a connection")
    assert await client._get_conn(1) == "a connection"
    assert client.refused.keys() == {(2, None)}, "it pauses no longer where it was let in"
    await client.close()


async def test_a_client_that_begins_while_the_cluster_names_no_broker_yet_finds_kafka_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker that comes back answers so for a moment."""

    async def answer(_: object) -> object:
        return MetadataResponse_v1(brokers=[], controller_id=-1, topics=[])

    async def close(**_: object) -> None:
        return

    async def connect(*_: object, **__: object) -> object:
        return SimpleNamespace(send=answer, close=close)

    monkeypatch.setattr(aiokafka.client, "create_conn", connect)
    producer = aiokafka.AIOKafkaProducer(bootstrap_servers="127.0.0.1:1", transactional_id="t")
    with pytest.raises(AwayError), reaching("Kafka failed while beginning to write"):
        await producer.start()
    await stop_producer(producer)


async def test_a_producer_whose_broker_hangs_is_stopped_within_seconds_and_leaves_no_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """aiokafka's own stop waits for acknowledgements, and cancels but once."""
    monkeypatch.setattr(connection, "_STOPS_WITHIN", 0.05)
    monkeypatch.setattr(connection, "_GONE_WITHIN", 0.05)

    async def sends() -> None:
        inside = asyncio.create_task(asyncio.Event().wait())
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await inside

    async def hangs() -> None:
        await asyncio.Event().wait()

    sender = asyncio.create_task(sends())
    await asyncio.sleep(0)
    closed: list[bool] = []

    async def close() -> None:
        closed.append(True)

    producer: Any = SimpleNamespace(
        stop=hangs, _sender=SimpleNamespace(sender_task=sender), client=SimpleNamespace(close=close)
    )
    await stop_producer(producer)
    assert sender.done()
    assert closed == [True]
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_why_a_transaction_failed_is_known_though_the_client_tells_its_futures_something_general() -> None:
    producer = aiokafka.AIOKafkaProducer(bootstrap_servers="127.0.0.1:1", transactional_id="t")
    general = errors.KafkaError("Unexpected error during batch delivery")
    assert why_it_failed(producer, general) is general
    producer._txn_manager.set_pid_and_epoch(1, 1)
    producer._txn_manager.begin_transaction()
    assert why_it_failed(producer, general) is general
    producer._txn_manager.error_transaction(cause := errors.TopicAuthorizationFailedError({"logs.raw"}))
    assert why_it_failed(producer, general) is cause
    general.__cause__ = forgotten = errors.InvalidProducerIdMapping()
    producer._txn_manager.fatal_error(general)
    assert why_it_failed(producer, errors.KafkaError("a copy, without its cause")) is forgotten
    await producer.stop()
