"""`python -m tests.bench.produce`: three ways in which aiokafka sends a log, CPU a record, on one real Kafka."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import aiokafka
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from querymix.settings import ConnectionSettings
from rich.console import Console
from rich.table import Table

from deploy.local.kafka import LocalKafka
from loadtest.replay.arrivals import Steady
from loadtest.replay.driver import run
from loadtest.replay.kafka import KafkaSink
from loadtest.replay.logs import Given, Log
from loadtest.synthesize import synthesize

TOPIC: Final = "produce"
Way = Callable[[ConnectionSettings, Sequence[Log]], Awaitable[Any]]


def _producer(settings: ConnectionSettings) -> aiokafka.AIOKafkaProducer:
    return aiokafka.AIOKafkaProducer(
        bootstrap_servers=settings.broker, enable_idempotence=True, max_batch_size=1 << 18, max_request_size=1 << 21
    )


async def by_batch(settings: ConnectionSettings, logs: Sequence[Log]) -> None:
    """`create_batch` and `send_batch`, as the replay does."""
    async with KafkaSink(settings, TOPIC) as sink:
        await run(Given([logs], len(logs)), Steady(1e9), sink)


async def by_send(settings: ConnectionSettings, logs: Sequence[Log]) -> None:
    """`send`, with the futures of a thousand gathered."""
    async with _producer(settings) as producer:
        for start in range(0, len(logs), 1_000):
            futures = [await producer.send(TOPIC, line, key=user) for _, user, line in logs[start : start + 1_000]]
            await asyncio.gather(*futures)


async def by_send_and_wait(settings: ConnectionSettings, logs: Sequence[Log]) -> None:
    """`send_and_wait`, one record after the other."""
    async with _producer(settings) as producer:
        for _, user, line in logs:
            await producer.send_and_wait(TOPIC, line, key=user)


async def main() -> None:
    """Measure."""
    lines = [line.encode() for line in islice(synthesize(200_000, 10_000, 1), 1, None)]
    logs: list[Log] = [(0.0, line.partition(b"\t")[0], line) for line in lines]
    table = Table("way", "logs/s", "CPU µs a record", box=None)
    ways: list[tuple[str, Way, int]] = [
        ("create_batch, send_batch", by_batch, 200_000),
        ("send, gathered", by_send, 50_000),
        ("send_and_wait", by_send_and_wait, 2_000),
    ]
    with tempfile.TemporaryDirectory() as folder, LocalKafka(Path(folder)) as kafka:
        settings = ConnectionSettings(broker=kafka.bootstrap)
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.bootstrap)
        await admin.start()
        await admin.create_topics([NewTopic(TOPIC, 4, 1)])
        await admin.close()
        for _ in range(3):
            for name, way, number in ways:
                wall, cpu = time.monotonic(), time.process_time()
                await way(settings, logs[:number])
                wall, cpu = time.monotonic() - wall, time.process_time() - cpu
                table.add_row(name, f"{number / wall:,.0f}", f"{1e6 * cpu / number:.1f}")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
