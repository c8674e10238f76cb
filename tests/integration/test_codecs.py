"""Batches as search engines send them: by librdkafka, in each of its compressions."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import confluent_kafka
from aiokafka import codec
from querymix.kafka.unpacking import TOO_LARGE

from deploy.local.testing import Broker
from tests.integration.kit import PATIENCE, Deployment, Worker, check, rows

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
            "message.max.bytes": 100_000_000,
        }
    )
    failed: list[object] = []
    for line in lines:
        producer.produce(
            deployment.topics.raw, line, on_delivery=lambda error, _: failed.append(error) if error else None
        )
    assert producer.flush(PATIENCE) == 0
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


async def test_batches_made_to_harm_are_refused_and_the_stream_goes_on(deployment: Deployment) -> None:
    """Each of the codecs that take 48 MiB of one letter into a batch that a broker takes."""
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent, before = rows(800, 40, 32), peak(worker)
    harm = [b"x" * (48 << 20)]
    for turn, compression in enumerate(("gzip", "lz4", "zstd")):
        await asyncio.to_thread(produce, deployment, [row.aol() for row in sent[turn::3]], compression)
        await asyncio.to_thread(produce, deployment, harm, compression)
    outcome = await deployment.at_rest(len(sent) + 3)
    check(outcome, sent, len(sent) + 3)
    letters = [dict(record.headers) for record in await deployment.records(deployment.topics.deadletter)]
    assert [(one["reason"], one["batch"]) for one in letters] == [(TOO_LARGE.encode(), b"1")] * 3
    assert peak(worker) - before < 160 << 20
    assert await worker.stopped() == 0
    text = worker.log.read_text()
    assert text.count("1 records are refused, offsets") == 3
    assert "xxx" not in text


def peak(worker: Worker) -> int:
    """Return the most bytes that a worker has held."""
    status = Path(f"/proc/{worker.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


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
