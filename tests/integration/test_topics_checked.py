"""Topics are looked up and never made by looking, and checked before anything works with them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from deploy.local.kafka import LocalKafka
from deploy.local.testing import Database, require
from tests.integration.kit import Deployment, check, rows, until

COMMANDS = [["worker"], ["account"], ["topics", "accept"], ["deadletter", "show"], ["deadletter", "replay"]]


@pytest.fixture(scope="module")
def generous(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalKafka]:
    """A broker that makes topics by use, as a broker does by default."""
    require("kafka")
    with LocalKafka(tmp_path_factory.mktemp("generous"), settings={"auto.create.topics.enable": "true"}) as server:
        yield server


@pytest.fixture
def deployment(generous: LocalKafka, mongo: Database, small_bundle: Path, tmp_path: Path) -> Iterator[Deployment]:
    with Deployment(generous.bootstrap, mongo.uri, tmp_path, small_bundle) as deployment:
        yield deployment


async def topics_of(deployment: Deployment) -> set[str]:
    """Return the names of this deployment's topics that are there."""
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        return {name for name in await admin.list_topics() if name.startswith(deployment.settings.prefix)}
    finally:
        await admin.close()


async def make(deployment: Deployment, *topics: NewTopic) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        answer = await admin.create_topics(list(topics))
        assert [error[1] for error in answer.topic_errors] == len(topics) * [0]

        async def there() -> bool:
            return {topic.name for topic in topics} <= set(await admin.list_topics())

        await until("the broker knows the topics", there)
    finally:
        await admin.close()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
async def test_a_mistyped_prefix_is_said_so_and_makes_no_topic(deployment: Deployment, command: list[str]) -> None:
    done = await asyncio.to_thread(deployment.command, *command)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert " is not there" in last
    assert "run 'querymix topics create --prefix " in last
    assert "or correct --prefix" in last
    assert await topics_of(deployment) == set()


@pytest.mark.parametrize("name", ["raw", "positions", "evidence", "periods"])
async def test_a_single_topic_that_is_missing_is_named_and_not_made(deployment: Deployment, name: str) -> None:
    await deployment.make_topics()
    missing = getattr(deployment.topics, name)
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        await admin.delete_topics([missing])

        async def gone() -> bool:
            return missing not in await admin.list_topics()

        await until("the topic is gone", gone)
    finally:
        await admin.close()
    done = await asyncio.to_thread(deployment.command, "worker", "--pseudonym-period", "1d")
    assert done.returncode == 2
    assert f"the topic {missing} is not there" in done.stderr.splitlines()[-1]
    assert missing not in await topics_of(deployment)


@pytest.mark.parametrize(
    ("name", "partitions", "configs", "says"),
    [
        ("state", 4, {"cleanup.policy": "delete"}, "--add-config cleanup.policy=compact"),
        ("state", 4, {"cleanup.policy": "compact", "max.message.bytes": "1048588"}, "max.message.bytes=8388608"),
        ("positions", 4, {}, "cleanup.policy=compact"),
        ("raw", 4, {"cleanup.policy": "compact"}, "--add-config cleanup.policy=delete"),
        ("classified", 4, {}, "max.message.bytes=8388608"),
        ("state", 1, {"cleanup.policy": "compact", "max.message.bytes": "8388608"}, "1 partitions and"),
    ],
)
async def test_a_topic_that_would_lose_logs_is_refused_with_its_repair(
    deployment: Deployment, name: str, partitions: int, configs: dict[str, str], says: str
) -> None:
    topic = getattr(deployment.topics, name)
    await make(deployment, NewTopic(topic, partitions, 1, topic_configs=configs))
    created = await asyncio.to_thread(deployment.command, "topics", "create", "--json")
    assert json.loads(created.stdout)[topic].startswith("was there")
    worker = await asyncio.to_thread(deployment.command, "worker")
    assert worker.returncode == 2
    assert says in worker.stderr.splitlines()[-1]
    assert topic in worker.stderr.splitlines()[-1]
    if partitions == 4:
        assert created.returncode == 2
        assert says in created.stderr.splitlines()[-1]
    else:
        assert f"has {partitions} partitions, not 4" in created.stdout


async def test_letters_of_all_partitions_are_put_back_once(deployment: Deployment) -> None:
    """As where the dead-letter topic was made by hand."""
    await make(deployment, NewTopic(deployment.topics.deadletter, 3, 1))
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent = rows(200, 30, 47)
    bad = [b"visitor-%d\tzqab" % number for number in range(60)]
    await deployment.produce([*(row.aol() for row in sent), *bad])
    outcome = await deployment.at_rest(260)
    check(outcome, sent, 260)
    assert len(outcome.letters) == 60
    assert await worker.stopped() == 0
    letters = await deployment.records(deployment.topics.deadletter)
    before = len(await deployment.records(deployment.topics.raw))
    said = [(await asyncio.to_thread(deployment.command, "deadletter", "replay")).stdout for _ in range(2)]
    assert said == ["60 records put back\n", "0 records put back\n"]
    assert len(await deployment.records(deployment.topics.raw)) == before + 60
    assert len(letters) == 60
    shown = await asyncio.to_thread(deployment.command, "deadletter", "show")
    assert len(shown.stdout.splitlines()) == 60


async def test_what_a_worker_refuses_again_during_a_replay_is_not_put_back_by_it(deployment: Deployment) -> None:
    await make(deployment, NewTopic(deployment.topics.deadletter, 4, 1))
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    await deployment.produce(b"visitor-%d\tzqab" % number for number in range(400))
    await deployment.at_rest(400)
    done = await asyncio.to_thread(deployment.command, "deadletter", "replay")
    assert done.stdout == "400 records put back\n"
    outcome = await deployment.at_rest(800)
    assert len(outcome.letters) == 800
    assert await worker.stopped() == 0
