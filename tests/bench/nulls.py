"""`python -m tests.bench.nulls`: what holds the service, by replacing each part with one that does nothing.

One log goes through one worker on a real Kafka, whole and with the classifier, the pools or both replaced; and through
the same two roles alone, which replaces the broker and its client. Evidence goes into the database and
into memory. CPU of the worker in microseconds a record, its start left out; records a second where Kafka takes part.
"""

import asyncio
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen
from zlib import crc32

import click
from prometheus_client.parser import text_string_to_metric_families
from querymix.bootstrap import roles
from querymix.bootstrap.mongo import connect_mongo
from querymix.bootstrap.parts import collect_garbage_seldom, make_classifier
from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import Frame
from querymix.core.classify import Classify
from querymix.core.draw import system_draw
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import Classification, Release
from querymix.core.rules import Rules
from querymix.kafka.anonymizer import Anonymizer, AnonymizerSetup
from querymix.kafka.classifier import Classifier, ClassifierSetup
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.ports import Headers, PlainRecord, TopicPartition
from querymix.kafka.releases import ReleaseWriter
from querymix.kafka.topics import Placement, Topics
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.ports import ProfileStore
from querymix.settings import GroupSettings, KnowledgeSettings, MongoSettings
from querymix.stages import partition
from querymix.stages.classifying import Classifying
from querymix.stages.pooling import Pooling
from querymix.stores.memory import MemoryProfiles
from querymix.stores.mongo import MongoProfiles
from rich.console import Console
from rich.progress import track
from rich.table import Table

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.process import free_ports
from tests.bench.kafka import cpu_seconds, made_up, produce, topics_for

PARTS: Final = ("classifier", "pools")
_CATEGORIES: Final = len(CATEGORIES)
_NULL: Final = "BENCH_NULL"
_BATCH: Final = 16_000
_DAY: Final = 86_400.0
_LOOK: Final = 1.0
"""Seconds between looks at a worker's metrics, each of which costs it as much as 500 records."""
_STILL: Final = 3
"""Looks without a change after which a worker is done."""
_TOPICS: Final = Topics("raw", "classified", "anonymized", "evidence", "state", "deadletter", "positions", "periods")


def null_classify(text: str, url: str | None = None, /) -> Classification:
    """Give a text any category, always the same."""
    return Classification(crc32(text.encode(errors="replace")) % _CATEGORIES, "", "", text)


class NullPooling(Pooling):
    """Lets each query out at once, under its own user."""

    def take(self, frames: Iterable[Frame], reading: float) -> list[Release]:
        """Return a release for each query."""
        return [
            Release(query.user, category, query, category, query, 1)
            for category, queries, *_ in frames
            for query in queries
        ]


def replace(parts: Iterable[str]) -> None:
    """Replace parts of this process by null ones."""
    if "classifier" in parts:
        roles.make_classifier = lambda settings, bundle: null_classify  # type: ignore[attr-defined]
    partition.Pooling = NullPooling if "pools" in parts else Pooling  # type: ignore[attr-defined]


async def on_kafka(settings: GroupSettings, uri: str, parts: Iterable[str], logs: int) -> tuple[float, float]:
    """Run a worker over a raw topic that is full; return its CPU a record and records/s after the first batch."""
    port = free_ports(1)[0]
    command = [sys.executable, "-m", "tests.bench.nulls", "worker", "--broker", settings.broker, "--mongodb", uri]
    command += ["--prefix", settings.prefix, "--group", settings.group, "--roles", "classifier,anonymizer"]
    command += ["--click-wait", "0", "--log-level", "error", "--http-port", str(port)]
    worker = subprocess.Popen(command, env=os.environ | {_NULL: ",".join(parts)})  # noqa: ASYNC220 - once, at the start
    seen: list[tuple[float, float, float, float]] = []
    same = 0
    try:
        while same < _STILL:
            await asyncio.sleep(_LOOK)
            if worker.poll() is not None:
                raise click.ClickException("the worker has ended")
            taken, transactions = await asyncio.to_thread(_progress, port)
            if not taken:
                continue
            same = same + 1 if seen and seen[-1][:2] == (taken, transactions) and taken >= logs else 0
            if not same:
                seen.append((taken, transactions, time.monotonic(), cpu_seconds(worker.pid)))
    finally:
        worker.terminate()
        worker.wait(60)
    (first, _, start, spent), (last, _, end, whole) = seen[0], seen[-1]
    return 1e6 * (whole - spent) / (last - first), (last - first) / (end - start)


def _progress(port: int) -> tuple[float, float]:
    """Return how many records a worker has taken in, and how many transactions it has made."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    except (URLError, OSError):
        return 0.0, 0.0
    found = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    logs, transactions = "querymix_logs_in_total", "querymix_transaction_seconds_count"
    return sum(one.value for one in found if one.name == logs and one.labels["stage"] == "classifier"), sum(
        one.value for one in found if one.name == transactions
    )


class _NullTransaction:
    """Keeps the frames of classified records, and lets all else go."""

    def __init__(self) -> None:
        self.frames: list[PlainRecord] = []

    async def send(
        self, topic: str, value: bytes | None, *, key: bytes | None = None, partition: int | None = None,
        headers: Headers = (),
    ) -> None:  # fmt: skip
        """Keep a frame."""
        if topic == _TOPICS.classified:
            self.frames.append(PlainRecord(topic, 0, len(self.frames), key, value, tuple(headers)))

    async def send_many(self, topic: str, partition: int, records: Iterable[tuple[bytes, bytes, Headers]]) -> None:
        """Let records go."""

    def reached(self, position: int) -> None:
        """Note nothing."""


async def without_kafka(lines: Sequence[bytes], classify: Classify, parts: Iterable[str]) -> float:
    """Run both roles over batches, without a broker and its client; return CPU a record."""
    replace(parts)
    partitions = dict.fromkeys(_TOPICS, 1)
    log = MemoryLog(partitions)
    codec = AolCodec()
    chosen = null_classify if "classifier" in parts else classify
    stage = Classifying(chosen, unclassified="pool")
    raw = Classifier(
        ClassifierSetup("bench", _TOPICS, partitions, codec, lambda: stage, Placement(1, {}), _BATCH),
        TopicPartition(_TOPICS.raw, 0),
    )
    keys = PeriodKeys(log, _TOPICS.periods, "bench", _DAY, time.time)
    release_writer = ReleaseWriter(_TOPICS, partitions, codec, category_header=True, period=_DAY, keys=keys)
    rules = Rules(20, click_wait=0.0)
    setup = AnonymizerSetup("bench", _TOPICS, rules, system_draw(), time.time, release_writer, codec.format, _BATCH)
    pools = Anonymizer(setup, TopicPartition(_TOPICS.classified, 0))
    await raw.restore(log)
    await pools.restore(log)
    records = [PlainRecord(_TOPICS.raw, 0, offset, None, line) for offset, line in enumerate(lines)]
    collect_garbage_seldom()
    start = time.process_time()
    for first in range(0, len(records), _BATCH):
        transaction = _NullTransaction()
        await raw.work(transaction, records[first : first + _BATCH])
        raw.done()
        await pools.work(_NullTransaction(), transaction.frames)
        pools.done()
    return 1e6 * (time.process_time() - start) / len(lines)


async def profiled(store: ProfileStore, lines: Sequence[bytes]) -> float:
    """Apply evidence in frames of 1,000 records; return records a second."""
    start = time.monotonic()
    for first in range(0, len(lines), 1000):
        counts: dict[tuple[str, int], int] = {}
        for line in lines[first : first + 1000]:
            user, text, _ = line.decode().split("\t", 2)
            key = user, crc32(text.encode()) % _CATEGORIES
            counts[key] = counts.get(key, 0) + 1
        await store.apply("bench", {first: counts})
    return len(lines) / (time.monotonic() - start)


@click.command()
@click.option("--logs", default=200_000, show_default=True)
@click.option("--users", default=20_000, show_default=True)
def main(logs: int, users: int) -> None:
    """Measure."""
    lines = made_up(logs, users)
    kinds = [(), ("classifier",), ("pools",), PARTS]
    table = Table("replaced by a null one", "CPU of the worker, µs a record", "logs/s", box=None)
    classify = make_classifier(KnowledgeSettings(), Bundle(DEFAULT))
    with tempfile.TemporaryDirectory() as folder, LocalKafka(Path(folder) / "kafka") as kafka, LocalMongo(
        Path(folder) / "mongo"
    ) as mongo:  # fmt: skip
        for number, parts in enumerate(track(kinds, "on Kafka")):
            settings = topics_for(kafka.bootstrap, f"null{number}")
            asyncio.run(produce(settings, lines))
            cost, rate = asyncio.run(on_kafka(settings, mongo.uri, parts, logs))
            table.add_row(", ".join(parts) or "nothing", f"{cost:.1f}", f"{rate:,.0f}")
        for parts in track(kinds, "without Kafka"):
            cost = asyncio.run(without_kafka(lines, classify, parts))
            table.add_row(", ".join(("broker", *parts)), f"{cost:.1f}", "")

        async def database() -> float:
            client = connect_mongo(MongoSettings(mongodb=mongo.uri))
            store = MongoProfiles(client, "nulls")
            try:
                return await profiled(store, lines[:40_000])
            finally:
                await store.close()

        table.add_row("nothing: evidence into the database", "", f"{asyncio.run(database()):,.0f}")
        table.add_row("database", "", f"{asyncio.run(profiled(MemoryProfiles(), lines[:40_000])):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["worker"]:
        replace(os.environ.get(_NULL, "").split(","))
        sys.argv[0] = "querymix"
        runpy.run_module("querymix", run_name="__main__")
    else:
        main()
