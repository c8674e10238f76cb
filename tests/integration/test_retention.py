"""Retention past the position, on a real Kafka: what is cut ends in the account, on a service that is quiet."""

import asyncio
import json
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete
from aiokafka.structs import TopicPartition

from tests.integration.kit import Deployment, rows, until


async def cut(deployment: Deployment, *topics: str) -> None:
    """Delete all that topics hold, as retention does in time."""
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        gone = RecordsToDelete(before_offset=-1)
        await admin.delete_records({TopicPartition(topic, number): gone for topic in topics for number in range(4)})
    finally:
        await admin.close()


async def test_what_is_cut_before_anybody_reads_it_is_counted_though_nothing_follows(deployment: Deployment) -> None:
    await deployment.make_topics()

    async def account() -> dict[str, int]:
        done = await asyncio.to_thread(deployment.command, "account", "--json")
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    async def status() -> tuple[int, dict[str, Any]]:
        done = await asyncio.to_thread(deployment.command, "status", "--json")
        return done.returncode, dict(json.loads(done.stdout))

    async def settled() -> dict[str, int] | None:
        found = await account()
        # What was never read is told by the classifiers, what waits by the anonymizers.
        return found if found["in"] and not found["waiting"] and found["never_read"] >= 200 else None

    async def came_in() -> dict[str, int] | None:
        found = await account()
        return found if found["in"] >= 900 else None

    worker = await deployment.worker("--roles", "classifier").ready()
    await deployment.produce(row.aol() for row in rows(900, 40, 71))
    waiting = (await until("all logs are classified", came_in))["waiting"]
    assert waiting > 600
    assert await worker.stopped() == 0
    await deployment.produce(row.aol() for row in rows(200, 40, 72, 900))
    code, alone = await status()
    assert (code, alone["waiting"]) == (3, waiting)
    lags = {(one["topic"], one["partition"]): one["lag"] for one in alone["partitions"]}
    assert sum(lag for (topic, _), lag in lags.items() if topic == deployment.topics.raw) == 200
    assert {one["worker"] for one in alone["partitions"]} == {""}
    await cut(deployment, deployment.topics.classified, deployment.topics.raw)

    worker = await deployment.worker().ready()
    found = await until("nothing waits", settled)
    assert (found["in"], found["lost"], found["never_read"]) == (900, waiting, 200)
    assert found["released"] + found["held"] == 0
    said = worker.log.read_text()
    assert "retention removed" in said
    await worker.shows(f'querymix_logs_lost_total{{topic="{deployment.topics.classified}"}} {waiting}.0')

    await deployment.produce(row.aol() for row in rows(300, 40, 73, 1100))

    async def went_on() -> dict[str, int] | None:
        return found if (found := await account())["in"] == 1200 and not found["waiting"] else None

    assert (await until("the service goes on", went_on))["lost"] == waiting

    async def caught_up() -> dict[str, Any] | None:
        code, found = await status()
        return found if code == 0 and not any(one["lag"] for one in found["partitions"]) else None

    stands = await until("nothing lags", caught_up)
    assert all(one["worker"] for one in stands["partitions"]), "the worker has them all"
    assert all(pool["needed"] == 6 and pool["missing"] >= 0 for pool in stands["pools"])
    assert sum(pool["held"] for pool in stands["pools"]) <= stands["held"]
    assert " are held, the oldest for " in stands["reason"]
    assert await worker.stopped() == 0
