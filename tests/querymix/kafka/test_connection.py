"""What is changed about aiokafka's clients."""

import asyncio

import querymix.kafka.connection  # noqa: F401 - changes the clients
from aiokafka.client import AIOKafkaClient


async def test_a_client_whose_brokers_are_away_pauses_between_questions() -> None:
    client = AIOKafkaClient(bootstrap_servers="127.0.0.1:1")
    loop = asyncio.get_running_loop()
    start = loop.time()
    for _ in range(4):
        assert not await client._metadata_update(client.cluster, None)
    assert loop.time() - start >= 0.3
    await client.close()
