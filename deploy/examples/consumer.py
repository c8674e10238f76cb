"""An example consumer of the anonymized topic: prints how many records of each category have come.

    python deploy/examples/consumer.py --broker localhost:9094

It reads committed records only, and commits a batch's offsets once the batch is counted: after a crash a batch may be
counted again, none is left out. See deploy/CONSUMERS.md.
"""

import argparse
import asyncio
import signal
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import NamedTuple

from aiokafka import AIOKafkaConsumer


class Log(NamedTuple):
    """One anonymized log."""

    user: bytes
    line: bytes
    """The log line, in the form that the search engine writes."""
    category: str | None
    """None where the service runs with --category-header off."""


async def batches(broker: str, topic: str, group: str) -> AsyncGenerator[list[Log], None]:
    """Yield batches of records as they come; a batch counts as done when the next one is asked for."""
    consumer = AIOKafkaConsumer(
        topic,
        bootstrap_servers=broker,
        group_id=group,
        isolation_level="read_committed",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    async with consumer:
        while True:
            found = await consumer.getmany(timeout_ms=1000, max_records=1000)
            records = [record for some in found.values() for record in some]
            if records:
                yield [Log(record.key, record.value, category(record.headers)) for record in records]
                await consumer.commit()


def category(headers: tuple[tuple[str, bytes], ...]) -> str | None:
    """Return the category that a record's headers name."""
    return dict(headers).get("category", b"").decode() or None


async def count(broker: str, topic: str, group: str) -> None:
    """Print the counts after each batch, until cancelled."""
    counts: Counter[str] = Counter()
    async with aclosing(batches(broker, topic, group)) as coming:
        async for logs in coming:
            counts.update(log.category or "no category" for log in logs)
            print(f"{counts.total()} records:", dict(counts.most_common()), flush=True)  # noqa: T201 - what it is for


async def main() -> None:
    """Read the options and run until SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(description="Counts anonymized records by category.")
    parser.add_argument("--broker", default="localhost:9092", help="Kafka brokers")
    parser.add_argument("--topic", default="querylog.anonymized", help="the anonymized topic")
    parser.add_argument("--group", default="example", help="consumer group: one for each application")
    chosen = parser.parse_args()
    task = asyncio.create_task(count(chosen.broker, chosen.topic, chosen.group))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await asyncio.gather(task, return_exceptions=True)
    if not task.cancelled():
        task.result()


if __name__ == "__main__":
    asyncio.run(main())
