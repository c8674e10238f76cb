"""Batches as search engines send them: by librdkafka, in each of its compressions."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import confluent_kafka
from aiokafka import codec

from deploy.local.testing import Broker
from tests.integration.kit import Deployment, check, rows

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
"""By the numbers that a batch names them with."""


def produce(deployment: Deployment, lines: Sequence[bytes], compression: str) -> None:
    """Write lines with the settings of the operator's guide, in few large batches."""
    producer = confluent_kafka.Producer(
        {
            "bootstrap.servers": deployment.settings.broker,
            "acks": "all",
            "enable.idempotence": True,
            "compression.type": compression,
            "linger.ms": 20,
            "batch.size": 262_144,
        }
    )
    failed: list[object] = []
    for line in lines:
        producer.produce(
            deployment.topics.raw, line, on_delivery=lambda error, _: failed.append(error) if error else None
        )
    assert producer.flush(30) == 0
    assert failed == []


async def test_every_compression_of_a_producer_is_read(deployment: Deployment, kafka: Broker) -> None:
    """One after the other on the same partitions, by one worker, with batches from one line up to many."""
    await deployment.make_topics()
    sent = rows(3_000, 60, 31)
    worker = await deployment.worker().ready()
    for turn, compression in enumerate(CODECS):
        part = [row.aol() for row in sent[turn::5]]
        await asyncio.to_thread(produce, deployment, part[:1], compression)
        await asyncio.to_thread(produce, deployment, part[1:], compression)
    outcome = await deployment.at_rest(len(sent))
    check(outcome, sent, len(sent))
    assert await worker.stopped() == 0
    used = stored(kafka.folder, deployment.topics.raw)
    assert {name for name in CODECS if used[name]} == set(CODECS), "each compression is on the topic as it was sent"


def stored(folder: Path, topic: str) -> Counter[str]:
    """Return how many batches of the raw topic the broker keeps in each compression, read from its own files."""
    found: Counter[str] = Counter()
    for file in folder.glob(f"broker-*/data/{topic}-*/*.log"):
        found += attributes(file.read_bytes())
    return found


def attributes(data: bytes) -> Counter[str]:
    """Return the compressions of a segment's batches: the lowest bits of each one's attributes."""
    found: Counter[str] = Counter()
    at = 0
    while at + 61 <= len(data):
        found[CODECS[int.from_bytes(data[at + 21 : at + 23]) & 7]] += 1
        at += 12 + int.from_bytes(data[at + 8 : at + 12])
    return found


def test_the_client_of_the_service_has_every_codec() -> None:
    assert codec.has_gzip()
    assert codec.has_snappy()
    assert codec.has_lz4()
    assert codec.has_zstd()
