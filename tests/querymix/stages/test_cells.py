"""What waits for its cell of time to end: nothing lost, cells in order, places that tell nothing, wrong times."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw, system_draw
from querymix.core.records import Release, rows_of
from querymix.stages.cells import WINDOW, Cells, Ordering

from tests.querymix.core.pooled import ask

settings = how(deadline=None, max_examples=100)
HOUR = Ordering(3600)


def release(number: int, at: float, asked: float = 0.0) -> Release:
    """Return a release of the query with this number, which an arrival at `at` has set off."""
    return Release(f"user{number}", 1, ask("owner", number, asked), 1, ask("", 0, at), 5)


def cell(row: Release) -> int:
    return int(row.trigger.at // 3600)


def numbers(rows: list[Release]) -> list[int]:
    return [int(row.query.rank or 0) for row in rows]


def test_without_a_grid_releases_pass_as_they_are() -> None:
    cells = Cells(Ordering(), system_draw())
    rows = [release(number, 100 - number) for number in range(20)]
    assert cells.take([1.0], rows, 5.0) is rows
    assert not cells.due(1e9)


@settings
@given(st.lists(st.integers(0, 4000), min_size=1, max_size=300), st.lists(st.integers(1, 40), min_size=1))
def test_of_a_log_in_time_order_cells_leave_whole_and_in_their_order_however_it_is_batched(
    steps: list[int], sizes: list[int]
) -> None:
    at, rows = 0, []
    for number, step in enumerate(steps):
        at += step
        rows.append(release(number, float(at)))
    cells, out, start, turn = Cells(HOUR, system_draw()), [], 0, 0
    while start < len(rows):
        some = rows[start : start + sizes[turn % len(sizes)]]
        out += cells.take([row.trigger.at for row in some], some)
        start, turn = start + len(some), turn + 1
        assert cells.waiting == start - len(out)
    out += cells.end()
    assert cells.waiting == 0
    assert Counter(numbers(out)) == Counter(range(len(rows)))
    assert [cell(row) for row in out] == sorted(cell(row) for row in rows)


def test_the_place_of_a_line_in_its_cell_says_nothing_of_when_it_was_set_off() -> None:
    """Each of four lines stands at each of four places a quarter of the time: chi-square, 9 degrees of freedom."""
    draw, seen = seeded_draw(3), Counter[tuple[int, int]]()
    for _ in range(4000):
        cells = Cells(HOUR, draw)
        cells.take([0.0], [release(number, float(number)) for number in range(4)])
        seen.update(enumerate(numbers(cells.end())))
    assert sum((seen[place, number] - 1000) ** 2 / 1000 for place in range(4) for number in range(4)) < 27.9


def test_a_cell_leaves_once_most_of_the_last_arrivals_have_come_past_it() -> None:
    cells = Cells(HOUR, system_draw())
    assert cells.take([10.0] * WINDOW, [release(1, 10.0)]) == []
    for _ in range(WINDOW // 2):
        assert cells.take([3700.0], []) == []
    assert numbers(cells.take([3700.0], [])) == [1]


@pytest.mark.parametrize("wrong", [4e9, 1e300, -1e9])
def test_a_few_wrong_times_end_no_cell_and_keep_none_open(wrong: float) -> None:
    cells, out = Cells(HOUR, system_draw()), []
    for number in range(400):
        at = wrong if number % 10 == 5 else number * 60.0
        out += cells.take([at], [release(number, at)])
        # What waits is of the last hour, of the arrivals that most of the window needs, and wrong ones.
        assert cells.waiting < 60 + WINDOW + 20
    right = [number for number in numbers(out) if number % 10 != 5]
    assert [number // 60 for number in right] == sorted(number // 60 for number in right)
    assert sum(number % 10 == 5 for number in numbers(out)) > 30, "wrong ones leave too"


def test_where_the_first_time_was_wrong_cells_end_all_the_same() -> None:
    cells, out = Cells(HOUR, system_draw()), []
    out += cells.take([4e9], [release(0, 4e9)])
    for number in range(1, 300):
        out += cells.take([number * 60.0], [release(number, number * 60.0)])
    assert len(out) > 200


def test_after_a_gap_a_cell_is_not_cut_in_two() -> None:
    cells = Cells(HOUR, system_draw())
    cells.take([10.0] * WINDOW, [release(0, 10.0)])
    out = []
    for number in range(1, 25):
        out += cells.take([900_000.0 + number], [release(number, 900_000.0 + number)])
    assert numbers(out) == [0]
    assert sorted(numbers(cells.end())) == list(range(1, 25))


def test_a_huge_cell_is_shuffled_in_parts() -> None:
    cells, out = Cells(HOUR, system_draw(), most=100), []
    for number in range(1000):
        out += cells.take([5.0], [release(number, 5.0)])
        assert cells.waiting <= 100
    assert sorted(numbers(out))[:100] == sorted(numbers(out[:101]))[:100]
    assert len(out) + cells.waiting == 1000
    assert any(one > other for one, other in pairwise(numbers(out)))


def test_without_arrivals_the_clock_ends_a_cell() -> None:
    cells = Cells(HOUR, system_draw())
    cells.take([10.0], [release(1, 10.0)], 1_000_000.0)
    assert not cells.due(1_000_000.0 + 3600)
    assert cells.take([], [], 1_000_000.0 + 3600) == []
    assert cells.due(1_000_000.0 + 3600 * 1.1)
    assert numbers(cells.take([], [], 1_000_000.0 + 3600 * 1.1)) == [1]
    assert not cells.due(1e9)


def test_a_clock_that_was_put_back_keeps_nothing_for_longer() -> None:
    cells = Cells(HOUR, system_draw())
    cells.take([10.0], [release(1, 10.0)], 1_000_000.0)
    assert cells.due(1_000_000.0 - 86_400)
    assert numbers(cells.take([], [], 1_000_000.0 - 86_400)) == [1]


@pytest.mark.parametrize("ordering", [HOUR, Ordering(3600, "query"), Ordering(None, "query")])
def test_the_rows_of_one_query_stay_together_and_each_of_them_waits(ordering: Ordering) -> None:
    cells = Cells(ordering, system_draw())
    rows = [
        release(number, 5.0)._replace(further=tuple(ask("owner", 1000 + row) for row in range(number % 4)))
        for number in range(50)
    ]
    out = cells.take([5.0], rows)
    assert cells.waiting + rows_of(out) == rows_of(rows) > 50
    again = Cells(ordering, system_draw())
    for _ in again.restoring(cells.head(), json.loads(json.dumps(list(cells.rows())))):
        pass
    assert again.waiting == cells.waiting
    for left in (out + cells.end(), out + again.end()):
        assert sorted((row.user, row.query, row.further) for row in left) == sorted(
            (row.user, row.query, row.further) for row in rows
        )


@pytest.mark.parametrize("precision", [None, 3600.0])
def test_with_their_owners_times_lines_that_leave_together_are_sorted_by_them(precision: float | None) -> None:
    cells = Cells(Ordering(precision, "query"), system_draw())
    rows = [release(number, 5.0, float(number * 7919 % 1000) * 100) for number in range(1000)]
    out = cells.take([5.0], rows) + cells.end()
    asked = [row.query.at // (precision or 1) for row in out]
    assert asked == sorted(asked)
    assert len(out) == 1000


def test_no_repr_shows_what_waits() -> None:
    cells = Cells(HOUR, system_draw())
    cells.take([5.0], [release(77, 5.0)])
    assert repr(cells) == "Cells(1 waiting)"


def test_of_what_0_5_0_wrote_the_arrivals_moment_counts() -> None:
    cells, again = (Cells(Ordering(60.0), seeded_draw(1)) for _ in range(2))
    cells.take([7.0], [release(1, 7.0)._replace(moment=9.0)])
    rows = json.loads(json.dumps(list(cells.rows())))
    old = [[cell, row[:7]] for cell, row in rows]
    for _ in again.restoring(cells.head(), old):
        pass
    assert [row.moment for row in again.end()] == [7.0]
    for _ in again.restoring(cells.head(), rows):
        pass
    assert [row.moment for row in again.end()] == [9.0]
