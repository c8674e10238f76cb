"""Ids that last a day, which is the default: over a log of many days, over a state, after a stop, in two runs."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import Result
from querymix.local.checkpoint import FILE

Command = Callable[..., Result]
Run = Callable[..., dict[str, Any]]
Rows = list[list[str]]

QUERIES: Final = ("soccer", "chess", "cheap shoes", "zyxw")
USERS: Final = 31
HOURLY: Final = 40
"""Records."""


def log_of(path: Path, days: Iterable[int], hours: Iterable[int] = range(24)) -> Path:
    """Write a log whose records are all different, and told by their ranks."""
    with path.open("w") as file:
        for day in days:
            for number in (hour * HOURLY + place for hour in hours for place in range(HOURLY)):
                hour, place = divmod(number, HOURLY)
                time = f"2006-03-{day:02d} {hour:02d}:{place:02d}:00"
                # Each user asks once in `USERS` records, so that nobody is left without a release by chance.
                user, text = (number * 12 + number // USERS * 5) % USERS, QUERIES[number * 5 % 11 % 4]
                file.write(f"{user}\t{text} {number % 97}\t{time}\t{day}{number:04d}\t\n")
    return path


@pytest.fixture
def run(querymix: Command, tmp_path: Path) -> Run:
    """Return `querymix run` with k = 5 and its other defaults, which answers the summary."""

    def call(*args: str | Path) -> dict[str, Any]:
        result = querymix("run", *args, "--k", "5", "--json", QUERYMIX_PSEUDONYM_PERIOD=None)
        assert result.exit_code == 0, result.stderr
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    return call


def rows_of(path: Path) -> Rows:
    return [line.split("\t") for line in path.read_text().splitlines()]


def ids_by(rows: Rows, letters: int = len("2006-03-01")) -> dict[str, set[str]]:
    """Return the ids by day, or by the first letters of the time."""
    found = defaultdict(set)
    for user, _, time, *_ in rows:
        found[time[:letters]].add(user)
    return dict(found)


def check_days(found: dict[str, set[str]], days: int) -> None:
    """Check that each day has an id a user at most, and none that another one has."""
    assert len(found) == days
    assert all(len(ids) <= USERS for ids in found.values())
    assert sum(map(len, found.values())) == len(set().union(*found.values()))
    assert max(map(len, found.values())) == USERS


def key_in(folder: Path) -> str:
    """Return the key that a state holds, empty where it holds none."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        ids = json.loads(db.execute("SELECT state FROM batch").fetchone()[0])["ids"]
    return ids[2] if ids else ""


def holds(folder: Path, key: str) -> bool:
    """Say whether any file of a folder has a key somewhere."""
    return any(key.encode() in path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize("more", [(), ("--time-precision", "1h"), ("--order", "input")])
def test_no_id_of_one_day_stands_in_another(run: Run, tmp_path: Path, more: tuple[str, ...]) -> None:
    log, out = log_of(tmp_path / "log.tsv", range(1, 6)), tmp_path / "out.tsv"
    assert run(log, "-o", out, *more)["user_ids"] == "new each 1d"
    check_days(ids_by(rows_of(out)), 5)


def test_a_user_has_one_id_in_a_day_whatever_the_category(run: Run, querymix: Command, tmp_path: Path) -> None:
    log, out, profiles = log_of(tmp_path / "log.tsv", [1]), tmp_path / "out.tsv", tmp_path / "p.db"
    run(log, "-o", out, "--profiles", profiles, "--category-column", "on", "--unclassified", "drop")
    found = defaultdict[str, Counter[str]](Counter)
    for user, *_, category in rows_of(out):
        found[user][category] += 1
    exported = querymix("profiles", "export", "--profiles", profiles).stdout.splitlines()
    counts = [{name: n for name, n in json.loads(row)["counts"].items() if n} for row in exported]
    assert len(found) == USERS
    assert sorted(sorted(one.items()) for one in found.values()) == sorted(sorted(one.items()) for one in counts)


def test_two_runs_of_one_log_have_no_id_in_common(run: Run, tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.tsv", [1, 2])
    for name in ("one", "other"):
        run(log, "-o", tmp_path / name)
    one, other = ({row[0] for row in rows_of(tmp_path / name)} for name in ("one", "other"))
    assert one
    assert not one & other


def test_each_days_run_goes_on_under_the_ids_of_its_day_and_drops_the_key_of_the_one_before(
    run: Run, tmp_path: Path
) -> None:
    state, keys, rows = tmp_path / "state", [], list[list[str]]()
    parts = [(1, range(12)), (1, range(12, 24)), (2, range(12)), (2, range(12, 24)), (3, range(12))]
    for number, (day, hours) in enumerate(parts):
        log = log_of(tmp_path / f"log{number}", [day], hours)
        run(log, "-o", tmp_path / f"out{number}", "--state", state)
        rows += rows_of(tmp_path / f"out{number}")
        keys.append(key_in(state))
        assert all(holds(state, key) == (key == keys[-1]) for key in keys)
    assert keys[0] == keys[1] != keys[2] == keys[3] != keys[4] != keys[0]
    check_days(ids_by(rows), 3)


def test_a_run_that_nothing_follows_leaves_no_key(run: Run, tmp_path: Path) -> None:
    log, state = log_of(tmp_path / "log.tsv", [1]), tmp_path / "state"
    run(log, "-o", tmp_path / "out.tsv", "--checkpoint", state)
    assert key_in(state) == ""


@pytest.mark.parametrize("precision", [None, "6h"])
def test_ids_of_a_shorter_period_are_new_in_each(run: Run, tmp_path: Path, precision: str | None) -> None:
    log, out = log_of(tmp_path / "log.tsv", [1, 2]), tmp_path / "out.tsv"
    more = ("--time-precision", precision) if precision else ()
    run(log, "-o", out, "--pseudonym-period", "1h", *more)
    found = ids_by(rows_of(out), len("2006-03-01 00"))
    # Of the first hour of all, in which pools fill, it may happen that nothing leaves.
    assert sum(hour.startswith("2006-03-02") for hour in found) == (4 if precision else 24)
    assert sum(map(len, found.values())) == len(set().union(*found.values()))
    most = max(map(len, found.values()))
    assert most > USERS if precision else most <= USERS  # the lines of a cell are not told apart by its hours


@pytest.mark.parametrize(("period", "rows"), [("session", 2), ("record", 1)])
def test_an_id_may_last_for_one_release_or_one_line(run: Run, tmp_path: Path, period: str, rows: int) -> None:
    log, out = log_of(tmp_path / "log.tsv", [1]), tmp_path / "out.tsv"
    log.write_text("".join(line + line for line in log.read_text().splitlines(keepends=True)))
    summary = run(log, "-o", out, "--pseudonym-period", period)
    assert summary["user_ids"] == f"new each {period}"
    assert set(Counter(row[0] for row in rows_of(out)).values()) == {rows}


def test_what_a_run_says_names_no_key_and_no_id(querymix: Command, tmp_path: Path) -> None:
    log, out, state = log_of(tmp_path / "log.tsv", [1]), tmp_path / "out.tsv", tmp_path / "state"
    result = querymix("run", log, "-o", out, "--state", state, "--verbose", QUERYMIX_PSEUDONYM_PERIOD=None)
    assert "new each 1d" in result.output
    assert key_in(state) not in result.output + result.stderr
    assert not [row[0] for row in rows_of(out) if row[0] in result.output]
