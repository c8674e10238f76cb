"""What an operator does with the service: making topics, restarting with other options, and mistakes."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from querymix.kafka.admin import connected
from querymix.kafka.preflight import check_topics
from querymix.kafka.profiler import MAX_FRAMES
from querymix.kafka.topics import Topics

from deploy.local.mongo import LocalMongo
from deploy.local.testing import Broker, Database
from tests.integration.kit import Deployment, Log, Row, check, rows, until

STALL = 15
"""Seconds of a stall timeout."""


async def test_topics_are_made_once_with_partitions_compaction_and_retention(deployment: Deployment) -> None:
    first, second = (json.loads(deployment.command("topics", "create", "--json").stdout) for _ in range(2))
    assert first == dict.fromkeys(deployment.topics, "made")
    assert second == dict.fromkeys(deployment.topics, "was there")
    async with connected(deployment.settings) as session:
        there = await check_topics(session, deployment.topics, {}, only=Topics._fields)
    counts = {name: topic.partitions for name, topic in there.items()}
    assert counts == dict.fromkeys(there, 4) | {"deadletter": 1, "periods": 1}
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        wanted = [ConfigResource(ConfigResourceType.TOPIC, name) for name in deployment.topics]
        answers = await admin.describe_configs(wanted)
    finally:
        await admin.close()
    found = {name: {entry[0]: entry[1] for entry in entries} for (_, _, _, name, entries) in answers[0].resources}
    assert found[deployment.topics.state]["cleanup.policy"] == "compact"
    assert found[deployment.topics.classified]["retention.ms"] == "86400000"
    assert found[deployment.topics.raw]["cleanup.policy"] == "delete"
    assert found[deployment.topics.periods]["cleanup.policy"] == "delete"
    assert found[deployment.topics.periods]["segment.ms"] == "600000"


def json_log(line: bytes) -> Log:
    """Read a released JSON line: in the one order, whatever the raw one's, and without the field that is not known."""
    log = json.loads(line)
    assert list(log) == ["user", "query", "time", "rank"]
    return Log(log["user"], log["rank"])


async def test_json_lines_and_a_restart_with_another_k_release_no_query_twice(deployment: Deployment) -> None:
    """And a static member of the group has its partitions back at once."""
    await deployment.make_topics()
    sent: list[Row] = []
    for k in ("5", "3", "8"):
        worker = await deployment.worker("--format", "json", "--instance", "one", k=k).ready()
        more = rows(400, 30, int(k), len(sent))
        sent += more
        await deployment.produce(row.json() for row in more)
        outcome = await deployment.at_rest(len(sent))
        assert await worker.stopped() == 0
        check(outcome, sent, len(sent), read=json_log)
        assert outcome.released


async def test_while_the_database_is_away_releases_go_on_and_the_worker_stays(
    beside_own_mongo: Deployment, own_mongo: LocalMongo
) -> None:
    """Evidence waits in its topic, far more of it than a worker takes in; nothing else waits for it."""
    deployment = beside_own_mongo
    await deployment.make_topics()
    sent = rows(3_000, 30, 6)
    worker = await deployment.worker(
        stall_timeout=f"{STALL}s", transaction_logs="10", click_wait="0", mongodb=f"{own_mongo.uri}&timeoutMS=7000"
    ).ready()
    try:
        own_mongo.stop()
        stopped = time.monotonic()
        await deployment.produce(row.aol() for row in sent)

        async def all_are_in_the_pools() -> bool:
            account = await deployment.account()
            into_pools = account["arrived"] - account["suppressed"] - account["empty"] - account["dropped"]
            return account["records"] == len(sent) and into_pools == sum(
                one.arrived for one in await deployment.states()
            )

        await until("all records are in the pools", all_are_in_the_pools)
        evidence = await deployment.records(deployment.topics.evidence)
        assert len(evidence) > 2 * MAX_FRAMES

        async def tried_again() -> bool:
            found = re.search(r"^querymix_store_retries_total (\S+)$", worker.page("/metrics").body, re.MULTILINE)
            return found is not None and float(found[1]) >= 3 and time.monotonic() - stopped > 2 * STALL

        await until("the profiler has tried for longer than a stall may last", tried_again)
    finally:
        own_mongo.start()
    check(await deployment.at_rest(len(sent)), sent, len(sent))
    assert await worker.stopped() == 0


async def test_a_worker_in_front_of_missing_topics_says_how_to_make_them(deployment: Deployment) -> None:
    done = await asyncio.to_thread(deployment.command, "worker")
    assert (done.returncode, done.stdout) == (2, "")
    assert "querymix topics create" in done.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--roles", "classifier,painter"], "--roles"),
        (["--hot", "Arts=9"], "--hot"),
        (["--k", "1"], "--k"),
        (["--mongodb", "mongodb://user:hunter2@[nowhere"], "--mongodb"),
        (["--profiles-token-file", "missing"], "--profiles-token-file"),
        (["--max-hold", "hunter2"], "--max-hold"),
        (["--session-timeout", "hunter2"], "--session-timeout"),
    ],
)
async def test_a_wrong_option_ends_the_worker_with_2_and_is_named_without_its_value(
    wrong: Deployment, options: list[str], says: str
) -> None:
    done = await asyncio.to_thread(wrong.command, "worker", *options)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "hunter2" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def wrong(kafka: Broker, mongo: Database, small_bundle, tmp_path_factory) -> Iterator[Deployment]:  # type: ignore[no-untyped-def]
    """A deployment whose topics are there, for what fails before it starts."""
    with Deployment(kafka.bootstrap, mongo.uri, tmp_path_factory.mktemp("wrong"), small_bundle) as deployment:
        asyncio.run(deployment.make_topics())
        yield deployment


@pytest.mark.parametrize("command", [["topics", "create"], ["deadletter", "show"], ["deadletter", "replay"]])
def test_without_a_broker_a_command_ends_with_1_and_says_so(
    small_bundle: Path, tmp_path: Path, command: list[str]
) -> None:
    deployment = Deployment("127.0.0.1:1", "mongodb://127.0.0.1:1", tmp_path, small_bundle)
    done = deployment.command(*command)
    assert done.returncode == 1
    assert "cannot reach Kafka at 127.0.0.1:1" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
