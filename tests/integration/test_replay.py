"""The replay on a real Kafka: every record once, under its user's partition, at the time at which it was due."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import aiokafka
import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.partitioner import DefaultPartitioner

from deploy.local.testing import Broker
from loadtest.synthesize import synthesize
from tests.integration.kit import PATIENCE, until

if TYPE_CHECKING:
    pass

PARTITIONS = 3
COMMAND = [sys.executable, "-m", "loadtest", "replay"]


async def new_topic(broker: str) -> str:
    """Make a topic of its own."""
    name = f"replay-{uuid4().hex[:8]}"
    admin = AIOKafkaAdminClient(bootstrap_servers=broker)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(name, PARTITIONS, 1)])

        async def there() -> bool:
            return name in await admin.list_topics()

        await until("the broker knows the topic", there)
    finally:
        await admin.close()
    return name


async def at_end(consumer: aiokafka.AIOKafkaConsumer) -> bool:
    """Say whether all records of the topic have been read."""
    ends = await consumer.end_offsets(consumer.assignment())
    return all([await consumer.position(source) >= end for source, end in ends.items()])


async def records(broker: str, topic: str, least: int, *, growing: bool = False) -> list[Any]:
    """Read a topic until `least` records came and, where it is not growing, no more follow."""
    consumer = aiokafka.AIOKafkaConsumer(
        topic, bootstrap_servers=broker, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    found: list[Any] = []
    async with consumer:
        deadline = time.monotonic() + PATIENCE
        while True:
            more = await consumer.getmany(timeout_ms=1_000)
            found += [record for part in more.values() for record in part]
            if len(found) >= least and (growing or (not more and await at_end(consumer))):
                break
            assert time.monotonic() < deadline
    return found


def start(*command: str) -> subprocess.Popen[bytes]:
    """Start a replay."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def rows(log: Path) -> Counter[bytes]:
    """Return the log's rows."""
    return Counter(log.read_bytes().splitlines()[1:])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text("\n".join(synthesize(6_000, 300, 4)) + "\n")
    return path


@pytest.mark.parametrize("processes", [1, 2])
async def test_every_log_is_there_once_in_its_users_order(kafka: Broker, log: Path, processes: int) -> None:
    topic = await new_topic(kafka.bootstrap)
    command = [*COMMAND, str(log), "--to", f"kafka://{kafka.bootstrap}/{topic}", "--rate", "10k", "--json"]
    done = await asyncio.to_thread(
        subprocess.run, [*command, "--processes", str(processes)], capture_output=True, timeout=PATIENCE, check=True
    )
    report = json.loads(done.stdout)
    assert (report["sent"], report["owed"], report["unsure"], report["ended"]) == (6_000, 0, 0, "done")
    found = await records(kafka.bootstrap, topic, 6_000)
    assert Counter(record.value for record in found) == rows(log)
    assert all(record.value.startswith(record.key + b"\t") for record in found)
    every = list(range(PARTITIONS))
    assert all(DefaultPartitioner()(record.key, every, every) == record.partition for record in found)
    for partition in every:
        times = [record.value.split(b"\t")[2] for record in found if record.partition == partition]
        assert times == sorted(times)
    due = sorted(record.timestamp for record in found)
    assert due[0] == pytest.approx(1_000 * report["began"], abs=2)
    assert due[-1] - due[0] == pytest.approx(599.9, abs=2), "timestamps say when each was due, not when it was sent"


@pytest.mark.parametrize("processes", [1, 2])
async def test_ctrl_c_says_what_was_sent(kafka: Broker, log: Path, processes: int) -> None:
    topic = await new_topic(kafka.bootstrap)
    command = [*COMMAND, str(log), "--to", f"kafka://{kafka.bootstrap}/{topic}", "--rate", "2k", "--loop", "--json"]
    with start(*command, "--processes", str(processes)) as process:
        await records(kafka.bootstrap, topic, 500, growing=True)
        process.send_signal(signal.SIGINT)
        said, errors = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert (process.returncode, errors) == (130, b"")
    report, found = json.loads(said), await records(kafka.bootstrap, topic, 500)
    # What was not confirmed within ten seconds, as on a busy machine, may be there or not.
    assert report["sent"] <= len(found) <= report["sent"] + report["unsure"]


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_topic_that_is_not_there_is_an_error_and_is_not_made(kafka: Broker, log: Path, processes: int) -> None:
    command = [*COMMAND, str(log), "--to", f"kafka://{kafka.bootstrap}/no-such-topic", "--rate", "1k"]
    for _ in range(2):
        done = await asyncio.to_thread(
            subprocess.run,
            [*command, "--processes", str(processes)],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 2
        assert b"has no topic 'no-such-topic'" in done.stderr


async def test_a_broker_that_is_away_for_a_while_makes_logs_late_and_loses_none(
    log: Path, tmp_path: Path, kafka: Broker
) -> None:
    from deploy.local.kafka import LocalKafka  # noqa: PLC0415 - skipped where it cannot run, as the fixture does

    with LocalKafka(tmp_path / "kafka") as own:
        topic = await new_topic(own.bootstrap)
        # Slow enough for the broker to be killed before all is sent.
        command = [*COMMAND, str(log), "--to", f"kafka://{own.bootstrap}/{topic}", "--rate", "400", "--json"]
        with start(*command) as process:
            await records(own.bootstrap, topic, 100, growing=True)
            own.kill()
            await asyncio.to_thread(own.start)

            async def over() -> bool:
                return process.poll() is not None

            await until("the replay ends", over)
            said, _ = process.communicate()
        report = json.loads(said)
        assert (report["sent"], report["ended"]) == (6_000, "done")
        assert report["most_behind"] > 0
        assert report["late_max"] >= report["late_p50"]
        found = await records(own.bootstrap, topic, 6_000)
    assert Counter(record.value for record in found) == rows(log)


@pytest.mark.parametrize("processes", [1, 2])
async def test_ctrl_c_ends_it_also_while_the_broker_is_away(
    log: Path, tmp_path: Path, processes: int, kafka: Broker
) -> None:
    from deploy.local.kafka import LocalKafka  # noqa: PLC0415 - skipped where it cannot run, as the fixture does

    with LocalKafka(tmp_path / "kafka") as own:
        topic = await new_topic(own.bootstrap)
        command = [*COMMAND, str(log), "--to", f"kafka://{own.bootstrap}/{topic}", "--rate", "1k", "--loop", "--json"]
        with start(*command, "--processes", str(processes)) as process:
            await records(own.bootstrap, topic, 100, growing=True)
            own.kill()
            process.send_signal(signal.SIGINT)
            said, errors = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    report = json.loads(said)
    assert (process.returncode, errors, report["ended"]) == (130, b"", "stopped")
    # What was read may not have been confirmed to the sender: the broker was killed before it could answer.
    assert report["sent"] + report["unsure"] >= 100
    assert report["owed"] >= report["unsure"]
