"""The merge gives what one stable sort in memory gives, whatever the sizes of runs and blocks, time and again."""

import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import TransientError

from loadtest.replay.logs import Log
from loadtest.replay.ordering import Sorter, merged


def logs_at(ats: list[int]) -> list[Log]:
    """Return records that tell their own place."""
    return [(float(at), b"u%d" % at, b"line %d" % place) for place, at in enumerate(ats)]


def in_order(logs: list[Log]) -> list[Log]:
    """Sort them the simple way."""
    return sorted(logs, key=lambda log: log[0])


@given(
    ats=st.lists(st.integers(0, 30) | st.integers(0, 10**9), max_size=120),
    run=st.integers(1, 50),
    block=st.integers(1, 10),
    piece=st.integers(1, 20),
)
def test_an_external_sort_is_one_stable_sort(ats: list[int], run: int, block: int, piece: int) -> None:
    logs = logs_at(ats)
    with Sorter(run=run, block=block) as sorter:
        for start in range(0, len(logs), piece):
            sorter.add(logs[start : start + piece])
        sorter.end()
        assert sorter.count == len(logs)
        for _ in range(2):
            assert list(chain.from_iterable(sorter.batches())) == in_order(logs)


@given(st.lists(st.lists(st.integers(0, 20), max_size=30), max_size=8), st.integers(1, 7))
def test_merging_takes_the_first_run_first_where_times_are_the_same(runs: list[list[int]], block: int) -> None:
    parts = [
        [(float(at), b"%d" % number, b"%d" % place) for place, at in enumerate(sorted(run))]
        for number, run in enumerate(runs)
    ]

    def blocks(part: list[Log]) -> Iterator[list[Log]]:
        return (part[start : start + block] for start in range(0, len(part), block))

    assert list(chain.from_iterable(merged(map(blocks, parts)))) == in_order(list(chain.from_iterable(parts)))


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=2_000), st.integers(50, 400), st.integers(-5, 1_100))
def test_how_many_came_before_a_time_is_known_to_about_a_sample_a_run(ats: list[int], run: int, at: int) -> None:
    with Sorter(run=run, block=16) as sorter:
        for log in logs_at(ats):
            sorter.add([log])
        sorter.end()
        runs = len(ats) // run + 1
        assert abs(sorter.before(float(at)) - sum(one <= at for one in ats)) <= 64 * runs
        assert sorter.before(2_000.0) == len(ats)


def test_a_log_that_is_in_order_already_is_one_run_on_the_disk() -> None:
    with Sorter(run=10, block=3) as sorter:
        for log in logs_at(list(range(100))):
            sorter.add([log])
        sorter.end()
        assert len(sorter._runs) == 1
    with Sorter(run=10, block=3) as sorter:
        for log in logs_at(list(range(100, 0, -1))):
            sorter.add([log])
        sorter.end()
        assert len(sorter._runs) == 10


def test_a_temporary_folder_without_room_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(Path("/dev/full").open, "w+b"))
    with Sorter(run=10) as sorter, pytest.raises(TransientError, match=r"No space left.*TMPDIR"):
        sorter.add(logs_at(list(range(20))))


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Sorter(run=5, block=2) as sorter:
        sorter.add(logs_at([3, 1, 2, 9, 4, 4]))
        sorter.end()
        assert list(tmp_path.iterdir()) == []
