"""Ids by the hold clock: one for a user in a period, new ones in the next, however the log is batched and resumed."""

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.periods import Period, number_of
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering
from querymix.stages.period_ids import PeriodIds, _runs
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing

DAY, HOUR = 86_400.0, 3600.0
settings = how(deadline=None)
Rows = list[tuple[int, Query]]
Place = tuple[int, str]
"""Period and user."""


@st.composite
def logs(draw: st.DrawFn) -> Rows:
    """Return classified queries over days, not always in order of time."""
    least = draw(st.sampled_from([-HOUR, 0]))  # with 0 the clock reads whole batches at once
    steps = st.one_of(st.just(0.0), st.floats(least, 3 * HOUR), st.floats(least, 2 * DAY))
    rows = draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), steps), max_size=80))
    now, out = 0.0, []
    for number, (category, user, step) in enumerate(rows):
        now += step
        out.append((category, Query(f"user{user}", f"text {number}", str(now), now, number, "")))
    return out


def stage(*, in_order: bool = False, precision: float | None = None) -> Releasing:
    pooling = Pooling(Rules(2), seeded_draw(5), in_order=in_order)
    return Releasing(pooling, Cells(Ordering(precision), seeded_draw(5)))


class Run:
    """What a run does with releases; `left` has each under its user, and under its id."""

    def __init__(self, releasing: Releasing, period: Period = DAY) -> None:
        self.releasing = releasing
        self.ids = PeriodIds(period)
        self.left: list[tuple[Release, Release]] = []

    def put(self, rows: Rows) -> None:
        self._note(self.releasing(rows).releases)

    def end(self) -> None:
        self._note(self.releasing.finish().releases)

    def resume(self, releasing: Releasing) -> None:
        """Go on from what stands in the state, as another process."""
        state = json.loads(json.dumps([self.releasing.snapshot(), self.ids.snapshot()]))
        releasing.restore(state[0])
        self.releasing, self.ids = releasing, PeriodIds(DAY)
        self.ids.restore(state[1])

    def _note(self, releases: list[Release]) -> None:
        named = self.ids.of(releases, self.releasing)
        self.left += zip(releases, named, strict=True)

    def ids_of(self) -> dict[Place, set[str]]:
        """Return the ids by period and user."""
        found = defaultdict(set)
        for release, named in self.left:
            found[number_of(DAY, release.moment), release.user].add(named.user)
        return dict(found)

    def joined(self) -> list[int]:
        """Return for each release the first one that has its id: which lines can be joined."""
        first: dict[str, int] = {}
        return [first.setdefault(named.user, place) for place, (_, named) in enumerate(self.left)]


def each_has_one_of_its_own(found: dict[Place, set[str]]) -> bool:
    every = [one for ids in found.values() for one in ids]
    return len(every) == len(found) == len(set(every))


@settings
@given(logs(), st.lists(st.integers(0, 80)))
def test_a_user_has_one_id_in_a_period_and_no_id_stands_in_two_however_the_log_is_batched(
    log: Rows, cuts: list[int]
) -> None:
    whole, parts = Run(stage()), Run(stage())
    whole.put(log)
    for start, end in pairwise([0, *sorted(cuts), len(log)]):
        parts.put(log[start:end])
    assert each_has_one_of_its_own(whole.ids_of())
    assert parts.joined() == whole.joined()


@settings
@given(logs(), st.integers(0, 80))
def test_a_resumed_run_goes_on_under_the_ids_of_the_period(log: Rows, cut: int) -> None:
    run = Run(stage())
    run.put(log[:cut])
    run.resume(stage())
    run.put(log[cut:])
    assert each_has_one_of_its_own(run.ids_of())


@settings
@given(logs(), st.lists(st.integers(0, 80)))
def test_what_waits_for_its_cell_of_time_leaves_under_its_own_period_or_a_later_one(log: Rows, cuts: list[int]) -> None:
    run = Run(stage(in_order=True, precision=HOUR))
    log.sort(key=lambda row: row[1].at)
    for start, end in pairwise([0, *sorted(cuts), len(log)]):
        run.put(log[start:end])
    run.end()
    periods = defaultdict(set)
    for release, named in run.left:
        periods[named.user].add(number_of(DAY, release.moment))
    assert all(len(numbers) == 1 for numbers in periods.values())


def release(user: str, moment: float, number: int = 0) -> Release:
    query = Query("owner", f"text {number}", "", moment)
    return Release(user, 1, query, 1, query, 2, (), moment)


def users(rows: Sequence[Release]) -> list[str]:
    return [row.user for row in rows]


def test_lines_that_are_written_out_of_order_have_the_ids_of_their_own_periods() -> None:
    ids = PeriodIds(DAY)
    moments = [2 * DAY, 0.0, 2 * DAY + 1, 1.0, DAY]
    found = users(ids([release("ann", moment) for moment in moments], 2 * DAY + 1, waiting=False))
    assert found[0] == found[2] != found[1] == found[3] != found[4] != found[0]
    assert users(ids([release("ann", 2 * DAY + 2)], 2 * DAY + 2, waiting=False)) == [found[0]]


def test_a_line_that_leaves_late_has_no_id_of_a_period_that_is_over() -> None:
    ids = PeriodIds(DAY)
    first = users(ids([release("ann", 0.0)], 0.0, waiting=False))
    second = users(ids([release("ann", DAY)], DAY, waiting=False))
    late = users(ids([release("ann", 5.0)], DAY, waiting=False))
    assert late == second != first


def test_no_line_has_an_id_of_a_period_that_has_not_begun() -> None:
    ids = PeriodIds(DAY)
    wrong = users(ids([release("ann", 99 * DAY)], 0.0, waiting=False))
    assert users(ids([release("ann", 1.0)], 1.0, waiting=False)) == wrong
    assert users(ids([release("ann", 99 * DAY)], 99 * DAY, waiting=False)) != wrong


def test_where_an_earlier_log_follows_its_periods_have_ids_of_their_own() -> None:
    run = Run(stage(in_order=True))
    log = [(0, Query(f"user{number % 5}", f"text {number}", "", 600.0 * number)) for number in range(300)]
    run.put([(category, query._replace(at=query.at + 9 * DAY)) for category, query in log])
    run.end()
    middle = len(run.left)
    run.put(log)
    run.end()
    first, second = ({named.user for _, named in part} for part in (run.left[:middle], run.left[middle:]))
    assert first
    assert second
    assert not first & second
    assert each_has_one_of_its_own(run.ids_of())


def test_the_key_is_dropped_with_the_first_batch_of_a_later_period_though_nothing_leaves() -> None:
    ids = PeriodIds(DAY)
    ids([release("ann", 0.0)], 0.0, waiting=False)
    assert ids.snapshot()
    ids([], DAY - 1, waiting=False)
    assert ids.snapshot()
    ids([], DAY, waiting=False)
    assert ids.snapshot() is None


def test_the_key_stays_while_something_of_its_period_waits_and_goes_with_the_next_ones_first_line() -> None:
    ids = PeriodIds(DAY)
    before = users(ids([release("ann", 0.0)], 0.0, waiting=True))
    state: Any = ids.snapshot()
    assert users(ids([release("ann", DAY - 1)], DAY, waiting=True)) == before
    assert ids.snapshot() == state
    after = users(ids([release("ann", DAY)], DAY, waiting=True))
    assert after != before
    assert state[2] not in str(ids.snapshot())


@pytest.mark.parametrize("period", [None, "session", "record"])
def test_what_needs_no_key_keeps_none(period: Period) -> None:
    ids = PeriodIds(period)
    assert ids([release("ann", 0.0)], 0.0, waiting=False)
    assert ids.snapshot() is None
    ids.restore(None)


def test_a_key_of_another_kind_of_period_is_not_used() -> None:
    here, there = PeriodIds(DAY), PeriodIds(HOUR)
    before = users(here([release("ann", 0.0)], 0.0, waiting=False))
    there.restore(json.loads(json.dumps(here.snapshot())))
    assert users(there([release("ann", 0.0)], 0.0, waiting=False)) != before


@pytest.mark.parametrize("state", [[DAY, 0, ""], [DAY, 0, "00"], [DAY, "0", "00" * 16], [DAY, 0, "zz" * 16]])
def test_a_damaged_state_gives_no_ids_that_could_be_guessed(state: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        PeriodIds(DAY).restore(state)


def test_the_key_and_the_users_show_in_no_repr() -> None:
    ids = PeriodIds(DAY)
    ids([release("ann", 0.0)], 0.0, waiting=False)
    state: Any = ids.snapshot()
    assert repr(ids) == "PeriodIds(86400.0)"
    assert state[2] not in repr(ids._current)


@given(
    st.lists(st.integers(-500, 500).map(float) | st.floats(-500, 500), min_size=1),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(0, 4),
)
def test_moments_are_cut_into_periods_in_order_or_not(
    moments: list[float], in_order: bool, first: int, more: int
) -> None:
    if in_order:
        moments.sort()
    last = first + more
    each = [number for number, length in _runs(moments, 100.0, first, last) for _ in range(length)]
    assert each == [min(last, max(first, number_of(100.0, moment))) for moment in moments]
