"""`make bench-kafka`: the service end to end against a bare chain of the same transactions, on this machine, one run.

Broker, database, workers, producer and reader all share the machine's cores. The bare chain reads the raw topic, writes
frames of the same sizes and reads those to write records of the same sizes, in the same transactions, and does no work.
Records a second are counted from the first append to the last on the anonymized topic, by the broker's timestamps.

Latency is measured at a steady rate, from a log's append on the raw topic to the append of the release that it set off:
the hold itself, which is the pool's doing, is not in it.
"""

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import aiokafka
import click
import psutil
from aiokafka.structs import TopicPartition
from querymix.kafka.topics import names
from querymix.settings import GroupSettings
from rich.console import Console
from rich.table import Table

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.process import free_ports
from loadtest.synthesize import synthesize

FRAME: Final = 1000
BATCH: Final = 16_000
PARTITIONS: Final = 4


def made_up(logs: int, users: int) -> list[bytes]:
    """Return lines whose times are all different, so that a release's time tells which log set it off."""
    start = datetime(2006, 3, 1)
    lines = []
    for number, line in enumerate(islice(synthesize(logs, users, 1, order="time"), 1, None)):
        user, query, _, *rest = line.split("\t")
        lines.append("\t".join((user, query, str(start + timedelta(seconds=number)), *rest)).encode())
    return lines


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def produce(settings: GroupSettings, lines: list[bytes], rate: float | None = None) -> None:
    """Write lines to the raw topic, at `rate` a second or as fast as it goes."""
    async with aiokafka.AIOKafkaProducer(
        bootstrap_servers=settings.broker, acks="all", max_batch_size=1 << 18
    ) as producer:
        raw = names(settings).raw
        chunk = 1000 if rate is None else max(1, int(rate / 50))
        start = time.monotonic()
        for first in range(0, len(lines), chunk):
            batch = producer.create_batch()
            for line in lines[first : first + chunk]:
                batch.append(key=None, value=line, timestamp=None)
            await producer.send_batch(batch, raw, partition=(first // chunk) % PARTITIONS)
            if rate is not None:
                await asyncio.sleep(max(0.0, start + (first + chunk) / rate - time.monotonic()))
        await producer.flush()


async def read(settings: GroupSettings, topic: str, quiet: float, least: int = 1) -> list[Any]:
    """Read a topic until nothing came for `quiet` seconds, but `least` records at least."""
    consumer = aiokafka.AIOKafkaConsumer(
        topic, bootstrap_servers=settings.broker, isolation_level="read_committed", enable_auto_commit=False,
        auto_offset_reset="earliest",
    )  # fmt: skip
    found: list[Any] = []
    async with consumer:
        last = time.monotonic()
        while time.monotonic() - last < quiet or len(found) < least:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                found += records
                last = time.monotonic()
    return found


def rate_of(records: list[Any]) -> float:
    """Return records a second between the first and the last append."""
    times: list[int] = [record.timestamp for record in records]
    return 1000 * len(times) / max(1, max(times) - min(times))


async def bare_chain(settings: GroupSettings, logs: int) -> None:
    """Do both stages without any work, each raw and each frame partition with its transactional producer."""
    topics = names(settings)
    done = asyncio.Event()
    passed = 0

    async def stage(number: int, source: str, target: str, frames: bool) -> None:
        nonlocal passed
        at = TopicPartition(source, number)
        common = {"bootstrap_servers": settings.broker}
        consumer = aiokafka.AIOKafkaConsumer(
            **common, isolation_level="read_committed", enable_auto_commit=False, auto_offset_reset="earliest",
            max_partition_fetch_bytes=4 << 20,
        )  # fmt: skip
        producer = aiokafka.AIOKafkaProducer(
            **common, transactional_id=f"bare-{source}-{number}", max_request_size=8 << 20, max_batch_size=1 << 18,
            linger_ms=0,
        )  # fmt: skip
        async with consumer, producer:
            consumer.assign([at])
            while not done.is_set():
                records = (
                    await consumer.getmany(at, timeout_ms=100, max_records=BATCH if frames else BATCH // FRAME // 2)
                ).get(at, [])
                if not records:
                    continue
                async with producer.transaction():
                    if frames:
                        for first in range(0, len(records), FRAME):
                            value = b"\n".join(record.value for record in records[first : first + FRAME])
                            await producer.send(target, value, partition=(number + first // FRAME) % PARTITIONS)
                    else:
                        lines = b"\n".join(record.value for record in records).split(b"\n")
                        for first in range(0, len(lines), 1000):
                            batch = producer.create_batch()
                            for line in lines[first : first + 1000]:
                                batch.append(key=line[:5], value=line, timestamp=None)
                            await producer.send_batch(batch, target, partition=(number + first // 1000) % PARTITIONS)
                        passed += len(lines)
                    await producer.send_offsets_to_transaction({at: records[-1].offset + 1}, "bare")
                if passed >= logs:
                    done.set()

    await asyncio.gather(
        *(stage(number, topics.raw, topics.classified, True) for number in range(PARTITIONS)),
        *(stage(number, topics.classified, topics.anonymized, False) for number in range(PARTITIONS)),
    )


@contextmanager
def workers(settings: GroupSettings, uri: str, number: int, roles: str, k: int) -> Iterator[list[int]]:
    """Run workers and yield their process ids."""
    running: list[subprocess.Popen[bytes]] = []
    command = [sys.executable, "-m", "querymix", "worker", "--broker", settings.broker, "--prefix", settings.prefix]
    command += ["--group", settings.group, "--mongodb", uri, "--k", str(k), "--click-wait", "0"]
    command += ["--log-level", "warning", "--roles", roles]
    try:
        running += [subprocess.Popen([*command, "--http-port", str(free_ports(1)[0])]) for _ in range(number)]
        yield [worker.pid for worker in running]
    finally:
        for worker in running:
            worker.send_signal(signal.SIGTERM)
        for worker in running:
            worker.wait(60)


def topics_for(broker: str, name: str) -> GroupSettings:
    """Make topics under a prefix of their own and return the settings for what reads and writes them."""
    command = [sys.executable, "-m", "querymix", "topics", "create", "--broker", broker, "--prefix", name]
    for kind in ("raw", "pool", "out", "evidence"):
        command += [f"--{kind}-partitions", str(PARTITIONS)]
    subprocess.run(command, check=True, capture_output=True)
    return GroupSettings(broker=broker, prefix=name, group=name)


@click.command()
@click.option("--logs", default=300_000, show_default=True)
@click.option("--users", default=20_000, show_default=True)
@click.option("--workers", "number", default=1, show_default=True)
@click.option("--k", default=20, show_default=True)
@click.option("--rate", default=5_000.0, show_default=True, help="Records a second for the latency.")
@click.option("--json", "as_json", is_flag=True)
def main(logs: int, users: int, number: int, k: int, rate: float, as_json: bool) -> None:
    """Measure."""
    lines = made_up(logs, users)
    with tempfile.TemporaryDirectory() as folder, LocalKafka(Path(folder) / "kafka") as kafka, LocalMongo(
        Path(folder) / "mongo"
    ) as mongo:  # fmt: skip
        found: dict[str, Any] = {"logs": logs}
        bare = topics_for(kafka.bootstrap, "bare")
        asyncio.run(produce(bare, lines))
        command = [sys.executable, "-c", "import sys; from tests.bench.kafka import run_bare; run_bare(*sys.argv[1:])"]
        chain = subprocess.Popen([*command, kafka.bootstrap, "bare", str(logs)])
        found["bare chain, records/s"] = round(rate_of(asyncio.run(read(bare, names(bare).anonymized, 3, logs))))
        chain.wait(120)

        mix = topics_for(kafka.bootstrap, "mix")
        asyncio.run(produce(mix, lines))
        with workers(mix, mongo.uri, number, "classifier,anonymizer", k) as pids:
            released = asyncio.run(read(mix, names(mix).anonymized, 10))
            found["released"] = len(released)
            found["querymix, records/s"] = round(rate_of(released) * logs / len(released))
            found["ratio"] = round(found["querymix, records/s"] / found["bare chain, records/s"], 2)
            found["worker CPU µs/log"] = round(1e6 * sum(map(cpu_seconds, pids)) / logs, 1)
        found["broker CPU µs/log, both runs"] = round(1e6 * sum(map(cpu_seconds, kafka.pids)) / (2 * logs), 1)

        paced = topics_for(kafka.bootstrap, "paced")
        few = lines[: int(20 * rate)]
        with workers(paced, mongo.uri, number, "classifier,anonymizer", k):
            asyncio.run(produce(paced, few[: int(rate)], rate))
            asyncio.run(read(paced, names(paced).anonymized, 3))
            asyncio.run(produce(paced, few[int(rate) :], rate))
            out = asyncio.run(read(paced, names(paced).anonymized, 5))
        came = {
            record.value.split(b"\t")[2]: record.timestamp for record in asyncio.run(read(paced, names(paced).raw, 2))
        }
        warm = {line.split(b"\t")[2] for line in few[int(rate) :]}
        took = [one.timestamp - came[when] for one in out if (when := one.value.split(b"\t")[2]) in warm]
        cuts = quantiles(took, n=100)
        found[f"latency at {rate:.0f} records/s beyond the hold, ms, p50"] = round(cuts[49])
        found[f"latency at {rate:.0f} records/s beyond the hold, ms, p99"] = round(cuts[98])

        with workers(mix, mongo.uri, 1, "profiler", k):
            found["profiles into the database, records/s"] = asyncio.run(_profiled(mix, mongo.uri))
    if as_json:
        click.echo(json.dumps(found))
        return
    table = Table("figure", "value")
    for name, value in found.items():
        table.add_row(name, f"{value:,}")
    Console().print(table)


async def _profiled(settings: GroupSettings, uri: str) -> int:
    """Return records a second into the profiles, over twenty seconds from the first."""
    from pymongo import AsyncMongoClient  # noqa: PLC0415 - only here

    client: Any = AsyncMongoClient(uri)
    profiles = client["querymix"]["profiles"]

    async def total() -> int:
        found = await (await profiles.aggregate([{"$group": {"_id": None, "total": {"$sum": "$total"}}}])).to_list()
        return int(found[0]["total"]) if found else 0

    while not (first := await total()):  # noqa: ASYNC110 - a database tells nobody
        await asyncio.sleep(0.2)
    start = time.monotonic()
    await asyncio.sleep(20)
    rate = (await total() - first) / (time.monotonic() - start)
    await client.close()
    return round(rate)


def run_bare(broker: str, name: str, logs: str) -> None:
    """Run the bare chain in a process of its own."""
    asyncio.run(bare_chain(GroupSettings(broker=broker, prefix=name, group=name), int(logs)))


if __name__ == "__main__":
    main()
