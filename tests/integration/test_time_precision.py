"""Releases that wait for their cell of time to end, on real servers: a kill, the clock, the account, the score."""

import asyncio
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from deploy.local.testing import Broker, Database
from tests.integration.kit import Deployment, Row, Worker, check, rows, until

LOGS = 800
"""That are sent at once."""


@pytest.fixture
def deployment(kafka: Broker, mongo: Database, small_bundle: Path, tmp_path: Path) -> Iterator[Deployment]:
    options = {"time_precision": "20s"}
    with Deployment(kafka.bootstrap, mongo.uri, tmp_path, small_bundle, **options) as deployment:
        yield deployment


def figure(worker: Worker, name: str) -> float:
    """Return the sum of a metric over its labels."""
    lines = worker.page("/metrics").body.splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}[{{ ]", line))


async def drawn(deployment: Deployment, sent: int) -> int:
    """Return how many records wait for their cell once many do; 1 where all that were sent have been taken in."""
    states = await deployment.states()
    waiting = sum(state.cells.waiting for state in states)
    if waiting > 100:
        return waiting
    account = await deployment.account()
    into_pools = account["arrived"] - account["suppressed"] - account["empty"] - account["dropped"]
    taken = account["records"] == sent and sum(state.arrived for state in states) == into_pools
    return int(taken and not waiting)


@pytest.mark.short
async def test_what_waits_survives_a_kill_and_leaves_by_the_clock_and_is_held_until_then(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    first = await deployment.worker().ready()
    sent: list[Row] = []
    waiting = 0
    while waiting <= 100:  # on a busy machine all may have left before it is seen that they wait
        assert len(sent) < 20 * LOGS, "nothing waits"
        more = rows(LOGS, 40, 3 + len(sent), len(sent))
        # All in one cell of 20 s, so that nothing but the clock ends it.
        sent += [row._replace(time=f"2026-03-01 10:00:{row.rank % 20:02d}") for row in more]
        await deployment.produce(row.aol() for row in sent[-LOGS:])
        waiting = await until("releases wait or have left", partial(drawn, deployment, len(sent)))
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

    async def none_is_shown() -> bool:
        return figure(second, "querymix_waiting_releases") == 0

    await until("the metrics show none that waits", none_is_shown)
    assert await second.stopped() == 0


async def test_the_score_counts_each_released_line_once_and_a_restart_counts_none_again(deployment: Deployment) -> None:
    await deployment.make_topics()
    sent = rows(3000, 60, 3)
    first = await deployment.worker(time_precision="1s").ready()
    await deployment.produce(row.aol() for row in sent)
    outcome = await deployment.at_rest(len(sent))
    check(outcome, sent, len(sent))
    by_category: dict[str, int] = {}
    for record in outcome.released:
        category = dict(record.headers)["category"].decode()
        by_category[category] = by_category.get(category, 0) + 1
    k = 5
    expected = sum(1 + (lines - 8 * k - 1) // (16 * k + 1) for lines in by_category.values() if lines > 8 * k)

    async def all_are_attacked() -> float:
        attacked = figure(first, "querymix_attacked_lines_total")
        return attacked if attacked >= expected else 0

    attacked = await until("the score counts each line", all_are_attacked)
    assert attacked == expected > 20
    assert 0 < figure(first, "querymix_attacked_owners_named_total") < attacked
    assert await first.stopped() == 0
    second = await deployment.worker(time_precision="1s").ready()
    assert figure(second, "querymix_attacked_lines_total") == 0
    assert figure(second, "querymix_pool_held") > 0, "it has restored"
    assert await second.stopped() == 0
