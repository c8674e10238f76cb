"""`python -m loadtest growth` runs over records of growing size and says what a log cost."""

import json
from pathlib import Path

import faker  # noqa: F401 - made-up logs need it, so without it the module is skipped
import matplotlib as mpl  # noqa: F401 - the page needs it
import pytest
from click.testing import CliRunner

from loadtest.__main__ import main
from loadtest.commands.growth import sizes_of
from loadtest.growth import Point, sizes


def test_logs_and_users_grow_one_after_the_other_up_to_what_was_asked_for() -> None:
    by_logs, by_users = sizes(10_000_000, 1_000_000)
    assert by_logs == [(number, number // 50) for number in (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)]
    assert by_users == [(1_000_000, number) for number in (1_000, 10_000, 100_000, 1_000_000)]


@pytest.mark.parametrize(("logs", "users"), [(1000, 100), (1000, 5000), (200_000, 100), (2_000_000, 3_000_000)])
def test_no_run_has_more_users_than_logs_or_more_than_asked_for(logs: int, users: int) -> None:
    for runs in sizes(logs, users):
        assert runs
        assert all(one <= logs and some <= min(one, users) for one, some in runs)


def test_each_run_tells_its_cost_and_memory(tmp_path: Path) -> None:
    page = tmp_path / "growth.html"
    done = CliRunner().invoke(main, ["growth", "--logs", "2000", "--users", "100", "-o", str(page), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [(one["logs"], one["users"]) for some in found.values() for one in some] == [(2000, 40), (2000, 100)]
    assert all(one["memory_bytes"] > 2**20 for some in found.values() for one in some)
    assert page.read_text().count("<svg") == 4


def test_a_plot_is_over_what_grows() -> None:
    points = [Point(1000, 50, 1.0, 1.0, 1), Point(2000, 60, 1.0, 1.0, 1)]
    assert sizes_of("records", points) == [1000, 2000]
    assert sizes_of("users", points) == [50, 60]
