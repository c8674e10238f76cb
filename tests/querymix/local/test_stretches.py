"""Stretches of time: read one after the other they are all queries in a stable order, however they are cut."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.bootstrap import make_work, open_bundle
from querymix.core.errors import TransientError
from querymix.local import stretches, working
from querymix.local.ordering import on_disk
from querymix.local.stretches import Runs
from querymix.local.working import Block, classify_stretch, received, sort_lines
from querymix.settings import RunSettings
from querymix.stages.classifying import Classifying

moments = st.integers(0, 9) | st.integers(0, 3599)


@pytest.fixture(scope="module", autouse=True)
def work(small_bundle: Path) -> Iterator[None]:
    """Give this process the work that `begin` gives another one."""
    chosen = RunSettings(knowledge=small_bundle, unclassified="pool")
    working._work = make_work(chosen, None, open_bundle(chosen))
    yield
    del working._work


def line(number: int, moment: int) -> bytes:
    return f"{number}\tsoccer\t2006-03-01 00:{moment // 60:02d}:{moment % 60:02d}\t\t\n".encode()


def read(runs: Runs, skip: int = 0) -> list[str]:
    """Return the users of all queries, in order, without the first `skip`."""
    users = []
    counts = Classifying(working.elsewhere)
    for stretch in runs.stretches():
        done = classify_stretch(*stretch, skip)
        skip -= done.skipped
        users += [one.query.user for decided in done.decided for one in received(counts, decided)]
    assert counts.arrived == len(users)
    return users


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(moments, max_size=12), max_size=8), st.integers(1, 6), st.integers(1, 20), st.integers(0, 60))
def test_stretches_give_all_queries_in_a_stable_order(
    pieces: list[list[int]], size: int, least: int, skip: int
) -> None:
    expected = sorted(enumerate(moment for piece in pieces for moment in piece), key=lambda row: row[1])
    number = 0
    with pytest.MonkeyPatch.context() as patch, Runs(in_memory=200, least=least) as runs:
        patch.setattr(working, "BLOCK", size)
        patch.setattr(stretches, "_RUNS", 1)
        for piece in pieces:
            lines = b"".join(line(number + place, moment) for place, moment in enumerate(piece))
            runs.add(sort_lines(lines, 0).blocks)
            number += len(piece)
        assert read(runs, skip) == [str(user) for user, _ in expected][skip:]


def test_queries_of_one_moment_are_cut_too() -> None:
    with pytest.MonkeyPatch.context() as patch, Runs(least=100) as runs:
        patch.setattr(stretches, "_RUNS", 1)
        patch.setattr(working, "BLOCK", 50)
        for first in range(0, 1_200, 300):
            runs.add(sort_lines(b"".join(line(first + place, 7) for place in range(300)), 0).blocks)
        assert max(len(one.blocks) for one in runs.stretches()) <= 3, "blocks of 50"
        assert read(runs) == [str(user) for user in range(1_200)]


def add_to_the_disk() -> None:
    with on_disk(), Runs(in_memory=1) as runs:
        runs.add([Block(0.0, 0.0, 1, b"more than stays in memory")])


def test_a_temporary_folder_that_takes_nothing_is_told_by_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(TransientError, match="Free the temporary folder"):
        add_to_the_disk()
