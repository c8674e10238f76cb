"""A load test on real servers: bad input and a killed worker, interrupted, and on a deployment of somebody else."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401
import psutil
import pytest

from deploy.local.testing import require
from loadtest.measure.deployment import Started
from loadtest.measure.resource_usage import Processes
from loadtest.measure.scenario import Service

pytestmark = [pytest.mark.servers, pytest.mark.slow]  # each is a load test of its own, with servers of its own
HANGS = 300
SCENARIO = """
about = "a test"
[log]
lines = 3000
users = 400
bad = 0.1
[[load]]
seconds = 3
rate = 100
[[load]]
seconds = 6
rate = 100
to = 300
[service]
workers = 2
[service.options]
k = 5
session_timeout = "3s"
[[event]]
at = 3
do = "kill worker"
[[event]]
at = 4
do = "add worker"
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(SCENARIO)
    return path


@pytest.fixture
def environment(small_bundle: Path) -> dict[str, str]:
    require()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}
    return clean | {"QUERYMIX_KNOWLEDGE": str(small_bundle)}


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Return the same scenario without what only a deployment that is started can have."""
    path = tmp_path / "plain.toml"
    path.write_text(SCENARIO.partition("[service]")[0])
    return path


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "loadtest", "run", *map(str, arguments)]


def test_bad_input_and_a_killed_worker_lose_and_double_nothing(
    scenario: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    done = subprocess.run(
        command(scenario, "-o", folder, "--json"), env=environment, capture_output=True, timeout=HANGS, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()[-3000:]
    report = json.loads(done.stdout)
    assert report == json.loads((folder / "report.json").read_text())
    check_whole(report)
    assert [event["do"] for event in report["events"]] == ["kill worker", "add worker"]
    assert report["options"]["environment"] == ["QUERYMIX_KNOWLEDGE"]
    assert {row["kind"] for row in report["processes"]} == {"worker", "broker", "database", "driver", "follower"}
    assert all(row["cpu_seconds"] > 0 and row["peak"] > 1 << 20 for row in report["processes"])
    assert set(report["costs"]) >= {"worker", "broker", "driver", "follower"}
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 9
    assert page.endswith("</html>\n")


async def test_a_deployment_that_is_joined_is_measured_and_left_running(
    environment: dict[str, str], plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERYMIX_KNOWLEDGE", environment["QUERYMIX_KNOWLEDGE"])
    theirs = Started(Service(options={"k": 5}), tmp_path, Processes())
    try:
        await theirs.start()
        (page,) = theirs.pages.values()
        options = ["--join", "--broker", theirs.settings.broker, "--metrics", page.removesuffix("/metrics"), "--json"]
        for _ in range(2):  # what a run before has left in pools and topics is not counted again
            process = await asyncio.create_subprocess_exec(
                *command(plain, "-o", tmp_path / "report", *options), env=environment,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
            output, errors = await process.communicate()
            assert process.returncode == 0, errors.decode() + output.decode()[-3000:]
            report = json.loads(output)
            check_whole(report)
            (worker,) = [row for row in report["processes"] if row["kind"] == "worker"]
            assert worker["peak"] > 1 << 20
            assert report["costs"]["worker"] > 0
            assert report["options"]["deployment"] == "joined"
        assert theirs.lost == []
        workers = [one for one in psutil.Process().children() if "worker" in one.cmdline()]
        for worker_process in workers:
            worker_process.kill()
            worker_process.wait()
        assert theirs.lost == ["worker 1"]
    finally:
        await theirs.stop()


def check_whole(report: dict[str, Any]) -> None:
    """Assert that a report of the scenario is whole and that every log of it is accounted for."""
    assert report["ended"] == "done"
    assert report["problems"] == []
    assert [check["name"] for check in report["checks"] if not check["ok"]] == []
    account, total = report["account"], report["total"]
    assert total["due"] == total["sent"] == account["in"] == 1500
    assert account["refused"] == total["bad"] > 50
    assert total["released"] > 300
    assert total["unread"] == total["owed"] == total["foreign"] == 0
    if report["resting"]:  # workers that go on are not counted at one moment
        assert (account["released"], account["waiting"]) == (total["released"], 0)
    # All but the categories' header is read from the lines themselves.
    assert sum(total["categories"].values()) == total["released"]
    beyond, whole = report["latency"]["beyond_hold"], report["latency"]["with_hold"]
    assert beyond["count"] == whole["count"] == total["released"]
    assert 0 < beyond["p50"] <= beyond["p99"] <= beyond["max"]
    assert beyond["p50"] <= whole["p50"]
    assert whole["max"] <= 1000 * (report["samples"][-1]["at"] + HANGS)
    assert [phase["name"] for phase in report["phases"]] == ["step 1", "step 2", "drain"]
    last = report["samples"][-1]
    assert (last["due"], last["sent"], last["taken"]) == (1500, 1500, 1500)
    assert last["waiting"]["raw"] == 0


def test_ctrl_c_reports_what_was_measured_and_leaves_nothing_running(
    scenario: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    plan = scenario.read_text().replace("seconds = 6", "seconds = 600").replace("workers = 2", "workers = 1")
    scenario.write_text(plan.partition("[[event]]")[0])
    with subprocess.Popen(
        command(scenario, "-o", folder), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        said = list(takewhile(lambda line: not line.startswith("step 2"), process.stderr))
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 5, "".join(said)
        time.sleep(2)  # some of the load is there to be reported
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        output, errors = process.communicate(timeout=HANGS)
        assert process.returncode == 130, errors
    assert "stopping; what was measured is reported" in errors
    assert "Traceback" not in errors
    assert psutil.wait_procs(children, timeout=HANGS)[1] == []
    report = json.loads((folder / "report.json").read_text())
    assert report["ended"] == "interrupted"
    assert report["problems"] == []
    assert [check["name"] for check in report["checks"] if not check["ok"]] == []
    total = report["total"]
    assert total["due"] >= 300  # step 1 is over
    assert total["sent"] > 0
    assert "Throughput" in output
    assert (folder / "report.html").read_text().endswith("</html>\n")
