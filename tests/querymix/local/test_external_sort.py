"""The sort gives what one stable sort in memory gives, however it is cut into runs, blocks and stretches."""

import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import TransientError
from querymix.local import external_sort
from querymix.local.external_sort import ExternalSort, Runs

Row = tuple[float, int]


def rows_at(ats: list[int]) -> list[Row]:
    """Return rows that tell their own place."""
    return [(float(at), place) for place, at in enumerate(ats)]


def in_order(rows: list[Row]) -> list[Row]:
    """Sort them the simple way."""
    return sorted(rows, key=lambda row: row[0])


@given(
    ats=st.lists(st.integers(0, 30) | st.integers(0, 10**9), max_size=120),
    most=st.integers(0, 50),
    block=st.integers(1, 10),
    least=st.integers(1, 30),
    piece=st.integers(1, 20),
    in_memory=st.sampled_from([1, 10**6]),
)
def test_an_external_sort_is_one_stable_sort_time_and_again(
    ats: list[int], most: int, block: int, least: int, piece: int, in_memory: int
) -> None:
    rows = rows_at(ats)
    with ExternalSort[Row](0, Runs(least=least, block=block, in_memory=in_memory), most=most) as found:
        for start in range(0, len(rows), piece):
            found.add(rows[start : start + piece])
        found.end()
        assert found.count == len(rows)
        for size in (7, 1_000):
            batches = list(found.batches(size))
            assert list(chain.from_iterable(batches)) == in_order(rows)
            assert [len(batch) for batch in batches[:-1]] == [size] * (len(batches) - 1)


def test_rows_are_sorted_by_a_key_of_several_values_too() -> None:
    rows = [((float(number % 3), number % 5), b"%d" % number) for number in range(60)]
    with ExternalSort[tuple[tuple[float, int], bytes]](0, Runs(least=8, block=4), most=20) as found:
        found.add(rows[:30])
        found.add(rows[30:])
        found.end()
        assert list(chain.from_iterable(found.batches())) == sorted(rows, key=lambda row: row[0])


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=2_000), st.integers(50, 400), st.integers(-5, 1_100))
def test_how_many_came_before_a_time_is_known_to_about_half_a_block_a_run(ats: list[int], run: int, at: int) -> None:
    with ExternalSort[Row](0, Runs(block=16), most=run) as found:
        for row in rows_at(ats):
            found.add([row])
        found.end()
        runs = len(ats) // run + 1
        assert abs(found.before(float(at)) - sum(one <= at for one in ats)) <= 8 * runs
        assert found.before(2_000.0) == len(ats)


def test_of_rows_that_are_in_order_already_no_stretch_reads_a_block_of_each_run() -> None:
    with Runs(least=10, block=5) as runs:
        for start in range(0, 1_000, 50):
            runs.add(external_sort.packed(rows_at(list(range(1_000)))[start : start + 50], 0, 5))
        assert max(len(one.blocks) for one in runs.stretches()) <= 2 + 1, "two blocks of five rows, and one across"
        assert sum(len(one.blocks) for one in runs.stretches()) <= 200 + 10, "hardly one is read twice"


def test_a_stretch_is_as_long_whatever_the_number_of_runs() -> None:
    """What grows with the number of runs is one block of each that lies across its ends."""
    with Runs(least=50, block=5) as runs:
        for run in range(60):
            runs.add(external_sort.packed([(float(at * 60 + run), at) for at in range(200)], 0, 5))
        begun = [sum(block.rows for block in one.blocks) for one in runs.stretches()]
        assert len(begun) > 60 * 200 // 50 - 2
        assert max(begun) <= 50 + 5 * 2 * 60


def of_the_disk(rows: list[Row]) -> None:
    with ExternalSort[Row](0, Runs(in_memory=1), most=10) as found:
        found.add(rows)


def full(**_: Any) -> Any:
    return Path("/dev/full").open("w+b")


@pytest.mark.parametrize("make", [full, tempfile.TemporaryFile])
def test_a_temporary_folder_that_takes_nothing_is_told_by_what_to_do(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    monkeypatch.setattr(tempfile, "TemporaryFile", make)
    with pytest.raises(
        TransientError, match=r"the log.*(No space left|No such file).*Free the temporary folder.*TMPDIR"
    ):
        of_the_disk(rows_at(list(range(20_000))))


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ExternalSort[Row](0, Runs(in_memory=1), most=2) as found:
        found.add(rows_at([3, 1, 2, 9, 4, 4]))
        found.end()
        assert len(list(chain.from_iterable(found.batches()))) == 6
        assert list(tmp_path.iterdir()) == []


def test_rows_of_one_moment_are_cut_too() -> None:
    rows = rows_at([7] * 1_200)
    with Runs(least=100, block=1) as runs:
        for start in range(0, 1_200, 300):
            runs.add(external_sort.packed(rows[start : start + 300], 0, 50))
        stretches = list(runs.stretches())
        assert max(len(one.blocks) for one in stretches) <= 3, "blocks of 50"
        found: list[Row] = []
        for blocks, begin, end in stretches:
            columns = {one.block: external_sort.unpacked(runs.read(one)) for one in blocks}
            found += external_sort.merged(columns, begin, end, 0)
        assert found == rows


def test_no_repr_shows_what_is_sorted() -> None:
    with Runs(least=1, block=1) as runs:
        blocks = external_sort.packed([(7.0, "secret words")], 0)
        runs.add(blocks)
        assert "secret" not in repr([*blocks, *runs.stretches(), runs])
