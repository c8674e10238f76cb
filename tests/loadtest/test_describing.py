"""`describe` counts what stands in a small log, shows nothing of it, and takes a bounded part of a large one."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.records import Query

from loadtest.__main__ import main
from loadtest.describing import Sample, describe

ROWS = """\
1\tsecret one\t2006-03-01 10:00:00\t1\thttp://a.com
1\tsecret one\t2006-03-01 10:00:00\t3\thttp://b.com
1\tsecret one\t2006-03-01 10:01:00\t\t
1\tother\t2006-03-01 10:02:00\t2\thttp://a.com
1\tsecret one\t2006-03-02 10:00:00\t\t
2\t-\t2006-03-01 10:00:00\t\t
2\ta b c d e\t2006-03-01 10:29:59\t\t
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text(ROWS)
    return path


def figures(log: Path, *options: str) -> dict[str, float]:
    """Return the figures of a log."""
    import json  # noqa: PLC0415 - only here

    result = CliRunner().invoke(main, ["describe", str(log), "--json", *options])
    assert result.exit_code == 0
    found: dict[str, dict[str, float]] = json.loads(result.stdout)
    return found[str(log)]


def test_the_figures_of_a_small_log(log: Path) -> None:
    found = figures(log)
    assert found["rows a user, mean"] == 3.5
    assert found["asks that the user made before, %"] == pytest.approx(100 * 2 / 6)
    assert found["the same again at once (next page), %"] == pytest.approx(100 / 6)
    assert found["distinct queries a user, median"] == 2
    assert found["distinct queries of all asks, %"] == pytest.approx(100 * 3 / 5)
    assert found["queries of five words and more, %"] == pytest.approx(100 / 5)
    assert found["asks a session, mean"] == 2
    assert found["sessions of one ask, %"] == pytest.approx(100 / 3)
    assert found["rows with a click, %"] == pytest.approx(100 * 3 / 7)
    assert found["clicks of a clicked ask, mean"] == 1.5
    assert found["clicked asks with several clicks, %"] == 50
    assert found["empty queries (-), %"] == pytest.approx(100 / 6)


def test_only_rows_with_a_click(log: Path) -> None:
    found = figures(log, "--clicked")
    assert found["rows a user, mean"] == 3
    assert found["rows with a click, %"] == 100


def test_the_table_shows_nothing_of_the_log(log: Path) -> None:
    result = CliRunner().invoke(main, ["describe", str(log), str(log)])
    assert result.exit_code == 0
    assert "rows a user, mean" in result.stdout
    assert "secret" not in result.output


def test_a_file_that_is_no_log_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,c\n")
    result = CliRunner().invoke(main, ["describe", str(tmp_path / "a.csv")])
    assert result.exit_code == 2
    assert "none of its 1 rows could be read. Line 1" in result.stderr


@given(st.lists(st.integers(0, 50), max_size=300), st.integers(1, 100))
def test_a_sample_is_bounded_and_takes_whole_users(users: list[int], most: int) -> None:
    sample = Sample(most)
    for place, user in enumerate(users):
        sample.add([Query(str(user), f"q{place}", "", float(place), "1", None)])
    asks = list(sample.asks())
    assert sum(map(len, asks)) <= max(most, max((users.count(user) for user in users), default=0))
    assert all(len(own) in {users.count(user) for user in users} for own in asks)


def test_no_ask_is_no_figure() -> None:
    assert describe([]) == {}
