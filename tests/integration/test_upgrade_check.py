"""`querymix upgrade check` on a real service: running, ended, and killed between a profile and its commit."""

import json
from typing import Any

import pytest

from tests.integration.kit import Deployment, rows


def checked(deployment: Deployment, code: int) -> dict[str, Any]:
    """Return what the command says, once its exit code is the one that is expected."""
    result = deployment.command("upgrade", "check", "--json")
    assert result.returncode == code, result.stdout + result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.mark.short
async def test_the_check_asks_for_an_end_of_the_workers_and_then_says_where_each_partition_goes_on(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    await deployment.produce(row.aol() for row in rows(400, 30, 3))
    outcome = await deployment.at_rest(400)
    running = checked(deployment, 2)
    assert {one["kind"] for one in running["findings"]} == {"running"}, "what still moves cannot be judged"
    assert await worker.stopped() == 0
    answer = checked(deployment, 0)
    assert answer["verdict"] == "start"
    goes_on = {(one["topic"], one["partition"]): one for one in answer["findings"] if one["kind"] == "goes on"}
    assert len(goes_on) == 12
    assert all(one["says"].endswith("all is read") for one in goes_on.values())
    ends = [goes_on[deployment.topics.classified, number]["first"] - 1 for number in range(4)]
    assert ends == outcome.ends
    assert checked(deployment, 0) == answer, "looking changes nothing"
