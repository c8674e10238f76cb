"""deploy/kafka-acls.sh on a broker that asks for passwords: each role does its work and reads nothing else."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiokafka
import pytest
from aiokafka.errors import TopicAuthorizationFailedError
from querymix.core.errors import ConfigError, RefusedError
from querymix.kafka.admin import connected
from querymix.kafka.connection import client_options
from querymix.kafka.ports import TopicPartition
from querymix.kafka.topics import READ, WRITE

from deploy.local.testing import Database
from tests.integration.guarded import Guarded
from tests.integration.kit import PATIENCE, Deployment, aol, check, rows, until, users_under

pytestmark = pytest.mark.xdist_group("guarded")
PASSWORD = 'p%40 s/w@rd:é"'  # noqa: S105 - made up
RIGHTS: dict[str, dict[str, set[str]]] = {
    "searchengine": {"raw": {WRITE}},
    "querymix-classifier": {
        "raw": {READ}, "positions": {READ, WRITE}, "classified": {WRITE}, "deadletter": {WRITE},
    },
    "querymix-anonymizer": {
        "classified": {READ}, "state": {READ, WRITE}, "positions": {READ}, "anonymized": {WRITE},
        "evidence": {WRITE}, "deadletter": {WRITE}, "periods": {READ, WRITE},
    },
    "querymix-profiler": {"evidence": {READ}, "deadletter": {WRITE}},
    "querymix-setup": {},
    "querymix-operator": {"deadletter": {READ, WRITE}, "raw": {WRITE}},
    "analyst": {"anonymized": {READ}},
}  # fmt: skip
"""Who may read and write which topics: the table of deploy/README.md."""
SENT = rows(600, 30, 19)


async def rights_of(deployment: Deployment) -> dict[str, set[str]]:
    """Return what a user may read and write, by the broker's own word."""
    rights: dict[str, set[str]] = {}
    async with connected(deployment.settings) as admin:
        for field, name in deployment.topics._asdict().items():
            with suppress(ConfigError):  # a topic that this user may not even look up
                rights[field] = set((await admin.topics([name]))[name].rights)
    return {field: some for field, some in rights.items() if some}


async def read(deployment: Deployment, topic: str, group: str | None = None) -> int:
    """Read a topic's first records as a user, and return how many came."""
    options: dict[str, Any] = client_options(deployment.settings) | {"auto_offset_reset": "earliest"}
    consumer = aiokafka.AIOKafkaConsumer(topic, group_id=group, isolation_level="read_committed", **options)
    try:  # not `async with`, which leaves the connection open where the start fails
        await consumer.start()
        return sum(map(len, (await consumer.getmany(timeout_ms=int(1000 * PATIENCE))).values()))
    finally:
        await consumer.stop()


@pytest.fixture
def users(guarded: Guarded, mongo: Database, tmp_path: Path, small_bundle: Path) -> Iterator[dict[str, Deployment]]:
    """Yield the same deployment as each of the users, and under "" as one who need not say who it is."""
    secret = tmp_path / "password"
    secret.write_text(PASSWORD + "\r\n", encoding="utf-8")
    with Deployment(guarded.open, mongo.uri, tmp_path, small_bundle) as everybody:
        given = {name: getattr(everybody.settings, name) for name in ("prefix", "group", "database")}
        guarded.make_users(PASSWORD, RIGHTS)
        guarded.allow_by_script(tmp_path, PREFIX=given["prefix"], GROUP=given["group"])
        options = given | {"security_protocol": "SASL_PLAINTEXT", "sasl_password_file": str(secret)}
        yield {"": everybody} | {
            user: Deployment(guarded.scram, mongo.uri, tmp_path, small_bundle, sasl_username=user, **options)
            for user in RIGHTS
        }


async def test_each_user_does_its_work_and_may_do_nothing_else(users: dict[str, Deployment]) -> None:
    everybody, operator, anonymizer = users[""], users["querymix-operator"], users["querymix-anonymizer"]
    made = await asyncio.to_thread(users["querymix-setup"].command, "topics", "create", "--json")
    assert set(json.loads(made.stdout).values()) == {"made"}, made.stderr
    roles = ("classifier", "anonymizer", "profiler")
    # Started by the user of all, whose folder has the logs and who ends them.
    workers = []
    for role in roles:
        own = users[f"querymix-{role}"].settings
        workers.append(
            everybody.worker(
                "--roles", role, broker=own.broker, security_protocol=own.security_protocol,
                sasl_username=str(own.sasl_username), sasl_password_file=str(own.sasl_password_file),
                pseudonym_period="1d",
            )
        )  # fmt: skip
    await asyncio.gather(*(worker.ready() for worker in workers))
    keys: dict[int, bytes] = {}
    watching = asyncio.create_task(everybody.watch_keys(keys))
    engine = users["searchengine"]
    async with aiokafka.AIOKafkaProducer(enable_idempotence=True, **client_options(engine.settings)) as producer:
        for line in (*(row.aol() for row in SENT), b"no record"):
            await producer.send_and_wait(engine.topics.raw, line, partition=0)
    outcome = await everybody.at_rest(len(SENT) + 1)

    async def all_known() -> dict[str, str] | None:
        users = users_under(keys.values(), SENT)
        return users if all(aol(record.value).user in users for record in outcome.released) else None

    # Of two periods where midnight came meanwhile.
    check(outcome, SENT, len(SENT) + 1, users=await until("the keys are there", all_known))
    watching.cancel()
    await asyncio.wait([watching])

    letters = await asyncio.to_thread(operator.command, "deadletter", "show")
    assert [json.loads(line)["topic"] for line in letters.stdout.splitlines()] == [engine.topics.raw], letters.stderr
    replayed = await asyncio.to_thread(operator.command, "deadletter", "replay")
    assert replayed.stdout.startswith("1 records put back"), replayed.stderr
    account = await asyncio.to_thread(anonymizer.command, "account", "--json")
    assert json.loads(account.stdout)["in"] >= len(SENT) + 1, account.stderr
    assert await read(users["analyst"], everybody.topics.anonymized, "analyst") > 0

    assert {user: await rights_of(deployment) for user, deployment in users.items() if user} == RIGHTS
    for user in RIGHTS.keys() - {"querymix-anonymizer"}:
        for topic in (everybody.topics.state, everybody.topics.periods):
            with pytest.raises(TopicAuthorizationFailedError):
                await read(users[user], topic)
    async with anonymizer.log() as log:
        await log.delete(TopicPartition(everybody.topics.periods, 0), 1)
        with pytest.raises(RefusedError, match="denies this user a right on the topic"):
            await log.delete(TopicPartition(everybody.topics.state, 0), 1)
    refused = await asyncio.to_thread(operator.command, "account")
    assert refused.returncode == 2
    assert "denies this user READ on the topic" in " ".join(refused.stderr.split())
    assert [await worker.stopped() for worker in workers] == [0, 0, 0]
    assert PASSWORD not in "".join(worker.log.read_text() for worker in workers)
