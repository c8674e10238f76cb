"""`querymix check`: what a log is, and what a run would make of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from querymix.local import checking

from tests.keys import key_file

Command = Callable[..., Result]
KEYS = ("released", "held", "suppressed", "unclassified", "empty", "refused")


def found(result: Result, code: int = 0) -> dict[str, Any]:
    assert result.exit_code == code, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def rows() -> list[tuple[str, str, str]]:
    """Return 600 records of 60 users, one a minute."""
    return [(str(n % 60), "soccer", f"2006-03-01 {n // 60:02d}:{n % 60:02d}:00") for n in range(600)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text("who,what,when\n" + "".join(",".join(row) + "\n" for row in rows()))
    return path


FIELDS = ("--fields", "user=who,query=what,time=when")


def test_each_setting_accounts_for_every_record_and_nothing_is_written(querymix: Command, log: Path) -> None:
    before = sorted(log.parent.iterdir())
    told = found(querymix("check", log, *FIELDS, "--json"))
    assert (told["format"], told["records"], told["refused"], told["whole"]) == ("csv", 600, 0, True)
    assert told["users"] == {"number": 60, "busiest": 0.0167, "median_records": 10, "ids_look_like": []}
    times = told["times"]
    assert (times["first"], times["last"], times["days"], times["longest_gap"]) == ("2006-03-01", "2006-03-01", 1, 60.0)
    names = [one["options"] for one in told["settings"]]
    assert names == ["--k 20", "--k 5", "--k 10", "--k 50", "--k 100", "--k 20 --preset strict"]
    for one in told["settings"]:
        assert one["in"] == sum(one[name] for name in KEYS) == 600
    assert [one["released"] > 0 for one in told["settings"]] == [True, True, True, True, False, False]
    assert told["fits"] == "--k 20"
    assert sorted(log.parent.iterdir()) == before


def test_what_it_says_is_what_a_run_does(querymix: Command, log: Path, tmp_path: Path) -> None:
    options = (*FIELDS, "--k", "7", "--json")
    (said, *_) = found(querymix("check", log, *options))["settings"]
    done = found(querymix("run", log, "-o", tmp_path / "out", *options))
    assert said["in"] == done["in"]
    assert abs(said["released"] - done["released"]) <= 7  # a pool that is full lets go a few more or less, by chance


def test_it_ends_as_a_run_would_where_nothing_can_be_released(querymix: Command, log: Path) -> None:
    log.write_text(log.read_text() + "".join(",".join(row).replace("-01 ", "-02 ") + "\n" for row in rows()))
    told = found(querymix("check", log, *FIELDS, "--k", "90", "--json"), 3)
    assert told["findings"] == ["little_released"]
    assert "60 users" in told["warnings"][0]


def test_a_field_that_is_missing_ends_it_with_the_command_that_would_work(querymix: Command, log: Path) -> None:
    log.write_text(log.read_text().replace("who,what,when", "uid,q,ts"))
    result = querymix("check", log)
    assert result.exit_code == 2
    assert "--fields user=uid,query=q,time=ts" in result.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("form", "looks"),
    [
        ("198.51.100.{}", "an address of the internet"),
        ("2001:db8::{:x}", "an address of the internet"),
        ("anna{}@example.com", "a mail address"),
        ("+44 20 7946 0{:03}", "a telephone number"),
        ("movie posters {}", "several words"),
        ("{}", None),
        ("user-{}", None),
    ],
)
def test_user_ids_that_should_not_leave_as_they_are_are_told_of(
    querymix: Command, tmp_path: Path, form: str, looks: str | None
) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("".join(f"{form.format(int(user))}\t{text}\t{time}\n" for user, text, time in rows()))
    told = found(querymix("check", path, "--json"))
    assert told["users"]["ids_look_like"] == ([looks] if looks else [])
    assert [looks in warning for warning in told["warnings"]] == ([True] if looks else [])
    key = key_file(tmp_path / "key")
    assert found(querymix("check", path, "--json", "--pseudonym-key-file", key))["warnings"] == []
    assert found(querymix("check", path, "--json", "--pseudonym-period", "1d"))["warnings"] == []


def test_of_a_long_log_the_first_records_are_looked_at(
    querymix: Command, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "MOST", 100)
    monkeypatch.setattr(checking, "_BATCH", 50)
    told = found(querymix("check", log, *FIELDS, "--json"))
    assert (told["records"], told["whole"]) == (100, False)


def test_it_is_shown_to_people_without_a_user_or_a_query(querymix: Command, log: Path) -> None:
    result = querymix("check", log, *FIELDS)
    assert result.exit_code == 0
    assert "--k 20 releases 90 % or more of this log." in result.stdout
    assert "soccer" not in result.output
    assert "CSV (told from the first lines)" in result.stdout


def test_an_empty_log_is_looked_at_too(querymix: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    told = found(querymix("check", tmp_path / "empty", "--json"))
    assert (told["records"], told["fits"]) == (0, None)


def test_a_field_that_no_record_has_is_told_as_a_run_tells_it(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text("".join(f'{{"who":"{n}","what":"red","when":"2006-03-01","lang":"en"}}\n' for n in range(30)))
    options = ("--safe-fields", "market", "--generalize", "place=citi,language=lang", "--crowd", "stream", *FIELDS)
    checked = found(querymix("check", log, "--json", *options))
    ran = found(querymix("run", log, "-o", tmp_path / "out", "--json", *options))
    for told in (checked, ran):
        named = " ".join(told["warnings"])
        assert "--safe-fields names 'market'" in named
        assert "--generalize names 'citi'" in named
        assert "'lang'" not in named


def test_what_the_stream_itself_suppresses_is_told_as_what_a_table_does(querymix: Command, log: Path) -> None:
    options = ("--crowd", "stream", "--crowd-users", "61", *FIELDS)
    told = found(querymix("check", log, "--json", *options))
    assert told["suppressed_as_rare"] == told["settings"][0]["suppressed"] > 0
    assert "the rules suppress more than that" in querymix("check", log, *options).stdout.replace("\n", " ")
