"""Releases that wait for their cell of time to end, on real servers: a kill, the clock, the account, the score."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.testing import Broker, Database
from tests.integration.kit import Deployment, Worker, check, rows, until


@pytest.fixture
def deployment(kafka: Broker, mongo: Database, small_bundle: Path, tmp_path: Path) -> Iterator[Deployment]:
    options = {"time_precision": "20s"}
    with Deployment(kafka.bootstrap, mongo.uri, tmp_path, small_bundle, **options) as deployment:
        yield deployment


def figure(worker: Worker, name: str) -> float:
    """Return the sum of a metric over its labels."""
    lines = worker.page("/metrics").body.splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}[{{ ]", line))


@pytest.mark.short
async def test_what_waits_survives_a_kill_and_leaves_by_the_clock_and_is_held_until_then(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    # All in one cell of 20 s, so that nothing but the clock ends it.
    sent = [row._replace(time=f"2026-03-01 10:00:{number % 20:02d}") for number, row in enumerate(rows(800, 40, 3))]
    first = deployment.worker()
    await first.ready()
    await deployment.produce(row.aol() for row in sent)

    async def all_pooled() -> bool:
        states = await deployment.states()
        return sum(state.cells.waiting for state in states) > 100

    await until("releases wait", all_pooled)
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused", "waiting")

    async def agree() -> bool:
        told = json.loads((await asyncio.to_thread(deployment.command, "account", "--json")).stdout)
        assert told["in"] == sum(told[part] for part in parts)
        return bool(told["released"] == len(await deployment.records(deployment.topics.anonymized)))

    await until("the account says what has left", agree)  # a cell may leave between the two looks
    first.kill()
    second = await deployment.worker().ready()
    outcome = await deployment.at_rest(len(sent), restarted=True)
    check(outcome, sent, len(sent))
    assert not sum(state.cells.waiting for state in outcome.states)
    assert {record.value.split(b"\t")[2] for record in outcome.released} == {b"2026-03-01 10:00:00"}
    told = json.loads(deployment.command("account", "--json").stdout)
    assert told["released"] == len(outcome.released)
    assert figure(second, "querymix_waiting_releases") == 0
    assert await second.stopped() == 0


async def test_the_score_counts_each_released_line_once_and_a_restart_counts_none_again(deployment: Deployment) -> None:
    await deployment.make_topics()
    sent = rows(3000, 60, 3)
    first = await deployment.worker(time_precision="1s").ready()
    await deployment.produce(row.aol() for row in sent)
    outcome = await deployment.at_rest(len(sent))
    check(outcome, sent, len(sent))
    attacked = figure(first, "querymix_attacked_lines_total")
    by_category: dict[str, int] = {}
    for record in outcome.released:
        category = dict(record.headers)["category"].decode()
        by_category[category] = by_category.get(category, 0) + 1
    k = 5
    expected = sum(1 + (lines - 8 * k - 1) // (16 * k + 1) for lines in by_category.values() if lines > 8 * k)
    assert attacked == expected > 20
    assert 0 < figure(first, "querymix_attacked_owners_named_total") < attacked
    assert await first.stopped() == 0
    second = await deployment.worker(time_precision="1s").ready()
    assert figure(second, "querymix_attacked_lines_total") == 0
    assert figure(second, "querymix_pool_held") > 0, "it has restored"
    assert await second.stopped() == 0
