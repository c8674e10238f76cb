"""A topic that is deleted and made anew under the same name: nothing is skipped and nothing doubled, unseen."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from tests.integration.kit import Deployment, evidence_of, rows, until


@asynccontextmanager
async def admin_of(deployment: Deployment) -> AsyncIterator[AIOKafkaAdminClient]:
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


async def made_anew(deployment: Deployment, *topics: str) -> None:
    """Delete topics and make them again."""
    async with admin_of(deployment) as admin:
        await admin.delete_topics(list(topics))

        async def gone() -> bool:
            return not set(topics) & set(await admin.list_topics())

        await until("the topics are gone", gone)
    await deployment.make_topics()


async def account(deployment: Deployment) -> dict[str, int]:
    """Return what `querymix account` says."""
    done = await asyncio.to_thread(deployment.command, "account", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


async def taken_in(deployment: Deployment, number: int) -> dict[str, int]:
    """Wait until so many records went in and none waits, be it for rows of its query; return the account."""
    last: dict[str, int] = {}

    async def all_in() -> bool:
        last.update(await account(deployment))
        if last["in"] != number or last["waiting"]:
            return False
        return not [state for state in await deployment.states() if state.pools.gathering_complete_due(inf)]

    try:
        await until("all records are in", all_in)
    except AssertionError as error:
        raise AssertionError(f"{error}: {last}") from None
    return last


async def refuses(deployment: Deployment, topic: str) -> None:
    """Assert that a worker ends, with 2 and the topic and the command in its last line."""
    worker = deployment.worker()
    assert await worker.ended() == 2
    last = worker.log.read_text().splitlines()[-1]
    assert f"{topic} is another topic" in last or f"{topic} partition" in last
    assert "querymix topics accept" in last


@pytest.mark.parametrize("more", [100, 1200])
async def test_a_raw_topic_made_anew_is_refused_and_once_accepted_read_from_its_beginning(
    deployment: Deployment, more: int
) -> None:
    """Whether it has fewer records by then than were read of the old one, or more."""
    await deployment.make_topics()
    sent = rows(600 + more, 30, 41)
    worker = await deployment.worker().ready()
    await deployment.produce(row.aol() for row in sent[:600])
    await taken_in(deployment, 600)
    assert await worker.stopped() == 0

    await made_anew(deployment, deployment.topics.raw)
    await deployment.produce(row.aol() for row in sent[600:])
    await refuses(deployment, deployment.topics.raw)
    done = await asyncio.to_thread(deployment.command, "topics", "accept")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.endswith(": goes on at offset 0") for line in done.stdout.splitlines()] == 4 * [True]
    again = await asyncio.to_thread(deployment.command, "topics", "accept")
    assert again.stdout == "nothing to accept: all topics are those that were read\n"

    worker = await deployment.worker().ready()
    found = await taken_in(deployment, 600 + more)
    parts = ("released", "held", "suppressed", "unclassified", "empty")
    assert sum(found[part] for part in parts) == 600 + more
    assert await worker.stopped() == 0


@pytest.mark.parametrize("name", ["raw", "classified"])
async def test_a_topic_made_anew_under_a_working_worker_ends_it(deployment: Deployment, name: str) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    await deployment.produce(row.aol() for row in rows(400, 30, 42))
    await taken_in(deployment, 400)
    topic = getattr(deployment.topics, name)
    worker.told = True
    await made_anew(deployment, topic)
    assert await worker.ended() == 2
    last = worker.log.read_text().splitlines()[-1]
    # A look may come while the topic is gone and not made again yet.
    assert any(f"querymix topics {what}" in last for what in ("accept", "create")), last
    await refuses(deployment, topic)


async def test_a_topic_that_is_deleted_under_a_working_worker_ends_it_and_is_not_made_by_it(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    worker.told = True
    async with admin_of(deployment) as admin:
        await admin.delete_topics([deployment.topics.anonymized])
        assert await worker.ended() == 2
        assert f"{deployment.topics.anonymized} was deleted" in worker.log.read_text().splitlines()[-1]
        assert deployment.topics.anonymized not in await admin.list_topics()


async def test_a_classified_topic_made_anew_keeps_the_pools_and_an_evidence_topic_made_anew_the_profiles(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent = rows(1_000, 30, 43)
    await deployment.produce(row.aol() for row in sent[:500])
    await taken_in(deployment, 500)

    async def profiled() -> bool:
        counts = await deployment.profiles()
        return sum(sum(some.values()) for some in counts.values()) == evidence_of(await deployment.states())

    await until("all releases are in the profiles", profiled)
    assert await worker.stopped() == 0
    held = (await account(deployment))["held"]
    assert held
    await made_anew(deployment, deployment.topics.classified, deployment.topics.evidence)
    await refuses(deployment, deployment.topics.classified)
    assert (await asyncio.to_thread(deployment.command, "topics", "accept")).returncode == 0
    assert (await account(deployment))["held"] == held

    worker = await deployment.worker().ready()
    await deployment.produce(row.aol() for row in sent[500:])
    await taken_in(deployment, 1_000)
    await until("all releases are in the profiles", profiled)
    ranks = [record.value.split(b"\t")[3] for record in await deployment.records(deployment.topics.anonymized)]
    assert len(set(ranks)) == len(ranks) == (await account(deployment))["released"]
    assert await worker.stopped() == 0
