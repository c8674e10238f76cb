"""Make the states in data/: what an older version leaves in its topics, groups and database when it ends.

    git worktree add /tmp/old 9a8e2ca
    PYTHONPATH=service:. python -m tests.querymix.kafka.upgrade.make /tmp/old 9a8e2ca clean
    PYTHONPATH=service:. python -m tests.querymix.kafka.upgrade.make /tmp/old 9a8e2ca applied 5
    PYTHONPATH=service:. python -m tests.querymix.kafka.upgrade.make /tmp/old 9a8e2ca half 5

It starts a Kafka and a database of its own (deploy/local), and runs that version's own code: `topics create`, then one
worker over a made-up log, with --k 3. The worker ends by SIGTERM (clean), or kills itself with SIGKILL once the N-th
call of the store's `apply` has come back and before its transaction is committed (applied), or in the middle of that
call, with half of the users written (half). What it wrote until then is kept, byte by byte.
"""

import asyncio
import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import aiokafka
from aiokafka.admin import AIOKafkaAdminClient
from pymongo import MongoClient
from querymix.kafka.admin import connected
from querymix.settings import ConnectionSettings

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from tests.integration.kit import rows

DATA: Final = Path(__file__).parent / "data"
ROWS: Final = 240
_GROUPS: Final = ("querymix", "querymix-classifier", "querymix-profiler")


class Older:
    """The older version, in processes of its own."""

    def __init__(self, folder: Path, broker: str, uri: str) -> None:
        self.package = "querymix" if (folder / "service" / "querymix").exists() else "service"
        path = [*([] if self.package == "service" else [folder / "service"]), folder]
        given = {"BROKER": broker, "MONGODB": uri, "K": "3", "HTTP_PORT": "7392"}
        self._environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, path))}
        self._environment |= {f"QUERYMIX_{name}": value for name, value in given.items()}

    def start(self, how: str, at: int, *command: str) -> "subprocess.Popen[bytes]":
        """Start a command."""
        # Not as a module: `tests` is that version's own there.
        script = Path(__file__).with_name("older.py")
        arguments = [sys.executable, str(script), self.package, how, str(at), *command]
        return subprocess.Popen(arguments, env=self._environment, cwd="/", stderr=subprocess.DEVNULL)


async def produce(broker: str) -> None:
    """Write the made-up log to both raw partitions, in pieces, so that there are many frames."""
    made = rows(ROWS, 25, 19)
    async with aiokafka.AIOKafkaProducer(bootstrap_servers=broker) as producer:
        for first in range(0, ROWS, 30):
            for number, row in enumerate(made[first : first + 30]):
                await producer.send("querylog.raw", row.aol(), partition=number % 2)
            await producer.flush()
            await asyncio.sleep(1)


async def kept(broker: str, uri: str) -> dict[str, Any]:
    """Return all that is in the topics, the groups and the database."""
    fields = ("raw", "classified", "anonymized", "evidence", "state", "deadletter", "positions")
    async with connected(ConnectionSettings(broker=broker)) as session:
        found = await session.topics([f"querylog.{field}" for field in fields])
    admin = AIOKafkaAdminClient(bootstrap_servers=broker)
    await admin.start()
    groups = {group: await admin.list_consumer_group_offsets(group) for group in _GROUPS}
    await admin.close()
    with MongoClient[dict[str, Any]](uri) as client:
        database = client["querymix"]
        documents = {name: list(database[name].find()) for name in ("profiles", "sources")}
    return {
        "topics": {name: {"id": topic.id, "partitions": await _records(broker, name)} for name, topic in found.items()},
        "groups": {
            name: [[*source, position.offset] for source, position in positions.items()]
            for name, positions in groups.items()
        },
        **documents,
    }


async def _records(broker: str, topic: str) -> list[dict[str, Any]]:
    """Return of each partition where it ends, and its committed records."""
    consumer = aiokafka.AIOKafkaConsumer(
        topic, bootstrap_servers=broker, isolation_level="read_committed", enable_auto_commit=False,
        auto_offset_reset="earliest",
    )  # fmt: skip
    async with consumer:
        ends = await consumer.end_offsets(consumer.assignment())
        places: dict[int, dict[str, Any]] = {
            source.partition: {"end": ends[source], "records": []} for source in sorted(ends)
        }
        while any([await consumer.position(source) < end for source, end in ends.items()]):
            for source, some in (await consumer.getmany(timeout_ms=500)).items():
                places[source.partition]["records"] += map(_row, some)
    return list(places.values())


def _row(record: Any) -> list[Any]:
    headers = [[name, value.decode()] for name, value in record.headers]
    return [record.offset, *(part and part.decode() for part in (record.key, record.value)), headers]


def make(folder: Path, commit: str, how: str, at: int) -> Mapping[str, Any]:
    """Let a version work and end, and return what it leaves."""
    with (
        TemporaryDirectory() as place,
        LocalKafka(Path(place) / "kafka") as kafka,
        LocalMongo(Path(place) / "mongo") as mongo,
    ):
        older = Older(folder, kafka.bootstrap, mongo.uri)
        two = [f"--{kind}-partitions=2" for kind in ("raw", "pool", "out", "evidence")]
        assert older.start("clean", 0, "topics", "create", *two).wait() == 0
        worker = older.start(how, at, "worker")
        asyncio.run(_work(kafka.bootstrap, worker, killed=how != "clean"))
        return {"commit": commit, "ended": how} | asyncio.run(kept(kafka.bootstrap, mongo.uri))


async def _work(broker: str, worker: "subprocess.Popen[bytes]", *, killed: bool) -> None:
    await asyncio.sleep(8)
    await produce(broker)
    await asyncio.sleep(0 if killed else 10)
    if not killed:
        worker.terminate()
    ended = await asyncio.to_thread(worker.wait, 60)
    assert ended == (-signal.SIGKILL if killed else 0), f"the worker ended with {ended}"
    # The transaction that it left open is aborted by the coordinator in time; whoever comes next does it at once.


def main() -> None:
    """Make one state."""
    folder, commit, how, at = [*sys.argv[1:], "0"][:4]
    made = json.dumps(make(Path(folder), commit, how, int(at)), ensure_ascii=False, separators=(",", ":"))
    DATA.mkdir(exist_ok=True)
    (DATA / f"{commit}-{how}.json.gz").write_bytes(gzip.compress(made.encode(), mtime=0))


if __name__ == "__main__":
    main()
