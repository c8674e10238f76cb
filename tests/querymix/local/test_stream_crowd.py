"""A run whose log is its own crowd, killed at any step: each line that leaves had enough users, by a plain count."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from querymix.core.records import UNCLASSIFIED

from tests.querymix.local.test_runner import LOGS, PLACES, Bench, Fragile, Stop, exported, line, topic_of
from tests.querymix.stages.crowds import PlainCount, crowding

USERS = 3
WITHIN = 600.0


def moment(text: str) -> float:
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).timestamp()


def check(bench: Bench, summary: dict[str, Any], fragile: Fragile) -> None:
    """Assert that all adds up, and that each line had enough users at the time of the arrival that set it off."""
    _, *rows = [row.split("\t") for row in bench.shown().decode().splitlines()]
    came = [line(number).split("\t") for number in range(LOGS) if number % 10 != 9]
    plain, arrivals = PlainCount(), list[float]()
    for user, text, time, *_ in came:
        if topic_of(text).category != UNCLASSIFIED:
            arrivals.append(moment(time))
            plain.note(user, text, arrivals[-1])
    for _, text, time, *_ in rows:
        # A query waits a second for its rows: it leaves when the next one arrives.
        left = min((at for at in arrivals if at > moment(time)), default=moment(time))
        assert plain.users(text, left, WITHIN) >= USERS
    assert len({row[3] for row in rows}) == len(rows) == summary["released"]
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(summary[part] for part in parts) == summary["in"] == LOGS
    assert 0 < summary["suppressed_as_rare"] < LOGS / 2
    assert sum(sum(counts.values()) for counts in exported(fragile).values()) == len(rows)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path, "plain")
    bench.crowding = crowding(USERS, WITHIN)
    return bench


@pytest.mark.parametrize("order", ["input", "time"])
def test_each_line_of_a_run_had_enough_users(bench: Bench, order: str) -> None:
    fragile = Fragile()
    check(bench, bench.run(fragile, order=order), fragile)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_run_that_was_killed_goes_on_with_the_same_crowd(bench: Bench, place: str, at: int) -> None:
    fragile = Fragile(place, at)
    with pytest.raises(Stop):
        bench.run(fragile)
    seen = bench.shown()
    fragile.die = ""
    check(bench, bench.run(fragile), fragile)
    assert bench.shown().startswith(seen)


def test_what_nobody_shares_never_leaves_whatever_is_killed(bench: Bench) -> None:
    bench.crowding = crowding(7, WITHIN)  # there are six users
    for place, at in (("after save", 1), ("before save", 2), ("after save", 2)):
        with pytest.raises(Stop):
            bench.run(Fragile(place, at))
    summary = bench.run(Fragile())
    assert bench.shown().decode().splitlines()[1:] == []
    assert summary["released"] == 0 < summary["suppressed_as_rare"]
