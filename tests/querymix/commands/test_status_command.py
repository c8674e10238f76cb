"""`querymix status`: what it prints, for people and for machines, and its exit codes."""

import json

import pytest
from click.testing import CliRunner, Result
from querymix.commands import status as command
from querymix.core.account import Account
from querymix.core.errors import ConfigError, TransientError
from querymix.core.outlook import Outlook
from querymix.kafka.status import Input, Status
from querymix.settings import GroupSettings

ARTS = Outlook(1, 40, 12, 9, 12, 21, 0.0, 7200.0, 3600.0)
SPORTS = Outlook(15, 30, 25, 25, 0, 21, 0.0, 0.0, 60.0)
ADULT = Outlook(0, 4, 2, 2, 19, 21, 0.0, None, 90.0)
ATTENDED = [Input("querylog.raw", 0, 7, "records", "worker-0"), Input("querylog.classified", 0, 0, "frames", "")]
ALONE = [*ATTENDED, Input("querylog.evidence", 1, 3, "frames", "")]
UNSEEN = [Input("querylog.raw", 0, 7, "records", None)]


def ask(monkeypatch: pytest.MonkeyPatch, found: Status | Exception, *arguments: str) -> Result:
    async def status_of(settings: GroupSettings, now: float) -> Status:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(command, "status_of", status_of)
    return CliRunner().invoke(command.status, arguments)


def status(inputs: list[Input], released: int = 0) -> Status:
    return Status(
        Account(released=released, held=74), "74 records are held", [(0, ADULT), (2, ARTS), (3, SPORTS)], inputs
    )


def test_it_shows_the_reason_the_pools_by_what_they_lack_and_the_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ask(monkeypatch, status(ATTENDED))
    assert done.exit_code == 0
    head, reason, _, *tables = done.output.splitlines()
    assert head == "in 74, released 0, held 74, lost 0, waiting 0"
    assert reason == "Nothing has left yet: 74 records are held."
    assert [line.split()[0] for line in tables[:4]] == ["category", "Sports", "Arts", "Adult"]
    assert tables[1].split()[1:] == ["3", "30", "25", "25", "0", "now", "1m"]
    assert "others come" in tables[3]
    assert tables[-2].split() == ["querylog.raw", "0", "7", "records", "worker-0"]
    assert tables[-1].split() == ["querylog.classified", "0", "0", "frames", "none"]


def test_once_something_has_left_the_reason_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\n74 records are held.\n" in ask(monkeypatch, status(ATTENDED, 5)).output


def test_machines_get_the_same_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = json.loads(ask(monkeypatch, status(ALONE), "--json").stdout)
    assert [shown[name] for name in ("in", "released", "held", "lost", "waiting")] == [74, 0, 74, 0, 0]
    assert shown["reason"] == "74 records are held"
    assert shown["pools"][1] == {
        "category": "Arts", "partition": 2, "held": 40, "users": 12, "counted": 9, "needed": 21, "missing": 12,
        "expected_in_seconds": 7200.0, "oldest_seconds": 3600.0,
    }  # fmt: skip
    assert shown["pools"][0]["expected_in_seconds"] is None
    assert shown["partitions"][2] == {
        "topic": "querylog.evidence", "partition": 1, "lag": 3, "unit": "frames", "worker": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (status(ALONE), 3),
        (status(UNSEEN), 0),
        (Status(Account(), "", [], []), 0),
        (TransientError("Kafka is away"), 1),
        (ConfigError("the topic is not there"), 2),
    ],
)
def test_the_exit_code_says_whether_somebody_has_to_look(
    monkeypatch: pytest.MonkeyPatch, found: Status | Exception, code: int
) -> None:
    assert ask(monkeypatch, found).exit_code == code


def test_who_may_not_see_the_groups_reads_that_and_not_that_nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not visible to this user" in ask(monkeypatch, status(UNSEEN)).output


def test_a_service_without_a_worker_is_told_at_the_top_and_nothing_held_leaves_no_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    idle = [Input("querylog.raw", 0, 0, "records", ""), Input("querylog.classified", 0, 0, "frames", "")]
    _, told, gap, *table = ask(monkeypatch, Status(Account(), "", [], idle)).output.splitlines()
    assert told.startswith("No worker works on any partition")
    assert (gap, table[0].split()[0]) == ("", "topic")
    for inputs in (ATTENDED, UNSEEN, []):
        assert "No worker works" not in ask(monkeypatch, Status(Account(), "", [], inputs)).output
