"""Records with lists of results and clicks through whole runs: from the mapping in a settings file to what leaves."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.querymix.codecs.test_rich_fields import RICH_FIELDS

Command = Callable[..., Result]
FIELDS = ",".join(f"{field}={name}" for field, name in RICH_FIELDS.items())
FILE = """
[fields]
user = "user.id"
query = "q"
time = "ts"

[fields.results]
list = "serp.items"
url = "link"
rank = "pos"
shown = "visible"
clicked = "clicked"
title = "title"

[fields.clicks]
list = "clicks"
url = "href"
rank = "pos"
time = "ts"
dwell = "dwell_ms"
"""
BEGIN = datetime(2006, 3, 1)


def record(number: int) -> dict[str, Any]:
    """Return a query of a user of its own, whose results and click have its number."""
    at, host = BEGIN + timedelta(seconds=10 * number), f"http://www.a{number}.example/x"
    return {
        "user": {"id": f"u{number}"},
        "q": "soccer",
        "ts": f"{at}",
        "serp": {"items": [{"link": host, "pos": 1, "title": f"Soccer {number}", "zqx": 1}]},
        "clicks": [{"href": host, "pos": 1, "ts": f"{at + timedelta(seconds=number)}",
                    "dwell_ms": 1500}],
        "zqx": [{"items": [1]}],
    }  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_text("".join(f"{json.dumps(record(number))}\n" for number in range(30)))
    return path


def check(line: str) -> int:
    """Return the number of the query that a released line holds, with all that came with it."""
    row = json.loads(line)
    number = row["clicks"][0]["ts"]
    host = f"http://www.a{number}.example"
    assert row["serp"] == {"items": [{"link": host, "pos": 1, "title": f"Soccer {number}"}]}
    assert row["clicks"] == [{"href": host, "pos": 1, "ts": number, "dwell_ms": 1000}]
    assert row["user"]["id"] != f"u{number}"
    assert "zqx" not in line
    return int(number)


def test_a_query_leaves_with_its_own_results_and_clicks_whatever_names_the_fields(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(FILE)
    for number, options in enumerate((("--fields", FIELDS), ("--settings", settings))):
        out = tmp_path / f"out{number}.ndjson"
        result = querymix("run", log, "-o", out, "--k", "5", "--reserve", "0", *options)
        assert result.exit_code == 0, result.stderr
        assert "JSON lines" in result.stderr
        numbers = [check(line) for line in out.read_text().splitlines()]
        assert len(numbers) == len(set(numbers)) == 25


@pytest.mark.parametrize(
    "options",
    [
        ("--unit", "session", "--session-gap", "15s"),
        ("--time-precision", "1h"),
        ("--time-policy", "query", "--order", "input"),
        ("--hold-policy", "merge", "--max-hold", "30s"),
    ],
)
def test_lists_stay_with_their_query_on_each_way(
    querymix: Command, log: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "out.ndjson"
    result = querymix("run", log, "-o", out, "--k", "4", "--reserve", "0", "--fields", FIELDS, *options)
    assert result.exit_code == 0, result.stderr
    numbers = [check(line) for line in out.read_text().splitlines()]
    assert len(numbers) == len(set(numbers)) > 10


def test_a_state_goes_on_with_what_was_held(querymix: Command, log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    out, state = tmp_path / "out.ndjson", tmp_path / "state"
    numbers: list[int] = []
    for day, some in enumerate((lines[:20], lines[20:])):
        part = tmp_path / f"day{day}.ndjson"
        part.write_text("".join(some))
        options = ("--k", "5", "--reserve", "0", "--fields", FIELDS, "--state", state)
        assert querymix("run", part, "-o", out, *options).exit_code == 0
        numbers = [check(line) for line in out.read_text().splitlines()]
    assert len(set(numbers)) == 24, "the last one waits for its rows"
    other = tmp_path / "day3.ndjson"
    other.write_text("".join(json.dumps(record(number)) + "\n" for number in range(40, 50)))
    changed = FIELDS.replace("results.url=link", "results.url=href")
    result = querymix("run", other, "-o", tmp_path / "other", "--k", "5", "--fields", changed, "--state", state)
    assert result.exit_code == 2
    assert "a run with other fields" in result.stderr


def test_a_record_whose_lists_are_wrong_is_refused_and_counted_and_the_others_leave(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    wrong = {**record(31), "serp": {"items": "zqx-secret"}}
    log.write_text(log.read_text() + json.dumps(wrong) + "\n")
    out = tmp_path / "out.ndjson"
    result = querymix("run", log, "-o", out, "--k", "5", "--reserve", "0", "--fields", FIELDS, "--json")
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert (summary["released"], summary["refused"]) == (25, 1)
    (told,) = (tmp_path / "out.ndjson.refused").read_text().splitlines()
    assert "the results ('serp.items') are no list" in told
    assert "zqx" not in result.output


def test_check_reads_the_lists_and_says_which_is_not_there(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("check", log, "--fields", FIELDS, "--k", "5", "--json")
    assert json.loads(result.stdout)["refused"] == 0
    shown = " ".join(querymix("check", log, "--fields", FIELDS).output.split())
    assert "results=serp.items" in shown
    assert "clicks.dwell=dwell_ms" in shown
    mistaken = FIELDS.replace("serp.items", "serp.itemz")
    result = querymix("run", log, "-o", tmp_path / "out.ndjson", "--fields", mistaken)
    assert "None of the first lines of" in result.stderr
    assert "'serp.itemz' (the results)" in result.stderr


def test_the_command_that_would_work_keeps_the_names_of_the_lists(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("run", log, "-o", tmp_path / "out", "--fields", FIELDS.replace("query=q", "query=text"))
    assert result.exit_code == 2
    assert "results=serp.items,results.url=link" in result.stderr.replace("\n", "")


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_lists_come_from_columns_and_go_into_them(querymix: Command, log: Path, tmp_path: Path, ending: str) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet (pyarrow) is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet (pyarrow) is not installed")
    rows = [record(number) for number in range(30)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "log.parquet")
    out, again = tmp_path / f"out.{ending}", tmp_path / "again.ndjson"
    assert querymix("run", tmp_path / "log.parquet", "-o", out, "--k", "5", "--fields", FIELDS).exit_code == 0
    result = querymix("run", out, "-o", again, "--k", "2", "--reserve", "0", "--fields", FIELDS)
    assert result.exit_code == 0, result.stderr
    for line in again.read_text().splitlines():
        assert json.loads(line)["clicks"][0]["dwell_ms"] == 1000


@pytest.mark.parametrize("form", ["csv", "access", "aol"])
def test_another_form_than_json_has_no_lists(querymix: Command, tmp_path: Path, form: str) -> None:
    log = tmp_path / "log.csv"
    log.write_text("user,query,time\n1,soccer,2006-03-01 07:17:12\n")
    fields = "results=a,results.url=b"
    result = querymix("run", log, "-o", tmp_path / "out", "--format", form, "--fields", fields)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_name_inside_of_a_list_is_no_name_of_the_record(querymix: Command, log: Path, tmp_path: Path) -> None:
    log.write_text(log.read_text().replace('"title"', '"category"'))
    fields = FIELDS.replace("results.title=title", "results.title=category")
    out = tmp_path / "out.ndjson"
    result = querymix("run", log, "-o", out, "--k", "5", "--fields", fields, "--category-column", "on")
    assert result.exit_code == 0, result.stderr
    row = json.loads(out.read_text().splitlines()[0])
    assert row["category"] == "Sports"
    assert row["serp"]["items"][0]["category"].startswith("Soccer")
