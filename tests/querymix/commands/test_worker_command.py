"""`querymix worker` before it works."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import Result
from querymix.bootstrap.roles import checked, shared_period
from querymix.commands import working
from querymix.kafka.topics import Topics, names
from querymix.settings import WorkerSettings

from tests.conftest import HANGS

Command = Callable[..., Result]

TOLD = f"""
import os, signal, time
from {working.__name__} import exit_on_sigterm
exit_on_sigterm()
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(30)
"""


def test_a_worker_that_is_told_to_stop_before_it_has_begun_ends_with_0() -> None:
    done = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, timeout=HANGS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


ASKED = f"""
import os, signal, sys
from {working.__name__} import wait_on_sighup
from querymix.signals import Terminal
signal.signal(signal.SIGHUP, {{}})
wait_on_sighup(Terminal())
os.kill(os.getpid(), signal.SIGHUP)
print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)
"""


@pytest.mark.parametrize("before", ["SIG_DFL", "SIG_IGN"])
def test_a_worker_that_is_asked_to_read_its_settings_before_it_has_begun_goes_on(before: str) -> None:
    code = ASKED.format(f"signal.{before}")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True, start_new_session=True
    )
    assert done.stdout == f"{before == 'SIG_IGN'}\n", "what nohup ignores stays ignored"


def test_what_is_to_be_said_of_the_options_stands_in_the_log(
    querymix: Command, caplog: pytest.LogCaptureFixture
) -> None:
    result = querymix("worker", "--delta", "1.5", "--time-policy", "query", "--roles", "nobody")
    assert result.exit_code == 2
    for word in ("--delta has no effect with --mode distinct", "--time-policy query lets sessions be put together"):
        assert caplog.text.count(word) == 1


@pytest.mark.parametrize(
    ("options", "code", "word"),
    [
        (["--roles", "nobody", "--http-port", "6099"], 2, "'nobody' is no role"),
        (["--format", "csv", "--http-port", "6099"], 2, "--format csv is read from files"),
        (["--http-host", "192.0.2.1"], 2, "is no address of this machine"),
    ],
)
def test_every_line_of_a_json_log_is_json_and_the_last_one_says_why_the_worker_ends(
    options: list[str], code: int, word: str
) -> None:
    command = [sys.executable, "-m", "querymix", "worker", "--log-format", "json", "--delta", "1.5", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == code
    assert {line["level"] for line in lines[1:-1]} == {"warning"}
    assert lines[-1]["level"] == "error"
    assert word in lines[-1]["message"]


@pytest.mark.parametrize("command", [("worker",), ("upgrade", "check")])
@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--roles", "nobody"), "'nobody' is no role"),
        (("--roles", ""), "there is no role left"),
        (("--roles", "profiler", "--dry-run", "on"), "a dry run has no profiler"),
        (("--raw-topic", "querylog-dry-run.state", "--dry-run", "on"), "the service itself writes"),
    ],
)
def test_roles_and_names_that_no_worker_can_have_are_refused_before_kafka_is_asked(
    querymix: Command, command: tuple[str, ...], given: tuple[str, ...], why: str
) -> None:
    result = querymix(*command, *given, "--broker", "localhost:1")
    assert result.exit_code == 2
    assert why in " ".join(result.stderr.split())


def test_options_are_refused_before_a_port_is_tried(querymix: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = querymix("worker", "--roles", "nobody", "--http-port", port)
        found = querymix("worker", "--http-port", port)
    assert "'nobody' is no role" in refused.stderr
    assert "another program listens" in " ".join(found.stderr.split())


def test_a_dry_run_goes_by_names_of_its_own_but_for_the_raw_topic() -> None:
    apart = checked(WorkerSettings(prefix="p", group="g", dry_run="on"))
    assert names(apart) == Topics(*(f"p-dry-run.{field}" for field in Topics._fields))._replace(raw="p.raw")
    assert (apart.group, apart.roles) == ("g-dry-run", ["classifier", "anonymizer"])
    assert checked(WorkerSettings(prefix="p")) == WorkerSettings(prefix="p")


def test_a_form_that_a_topic_cannot_carry_is_refused_before_kafka_is_asked(querymix: Command) -> None:
    result = querymix("worker", "--format", "csv", "--broker", "localhost:1")
    assert result.exit_code == 2
    assert "--format csv is read from files" in result.stderr


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({}, 86_400.0),
        ({"pseudonym_period": "7d"}, 604_800.0),
        ({"pseudonym_period": "none"}, None),
        ({"pseudonym_period": "session"}, None),
        ({"pseudonym_period": "record"}, None),
        ({"roles": "classifier,profiler"}, None),
        ({"dry_run": "on"}, None),
    ],
)
def test_who_releases_ids_of_a_period_of_time_shares_its_key(options: dict[str, str], seconds: float | None) -> None:
    assert shared_period(WorkerSettings(**options)) == seconds
