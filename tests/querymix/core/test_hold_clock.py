"""The hold clock: it counts the time that passed, and no few wrong readings change that."""

import json
from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import example, given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.hold_clock import QUORUM, WINDOW, HoldClock, Jump

REACH = 100.0
BEGIN = 1_141_171_200.0
HOUR = 3600.0
DAY = 24 * HOUR
FAR = [
    0.0,
    -1e9,
    253_402_300_799.0,
    BEGIN + 300,
    BEGIN - 300,
    BEGIN + HOUR,
    BEGIN + DAY,
    BEGIN - 90 * DAY,
    nan,
    inf,
    -inf,
]
"""Times of wrong records: 1970, 1938, the year 9999, some minutes to months off, and no times at all."""

settings = how(deadline=None, max_examples=200)
steps = st.lists(st.one_of(st.sampled_from([0.0, 1.0, 7.0]), st.floats(0, REACH)), min_size=1, max_size=150)


def times(gaps: list[float], begin: float = BEGIN) -> list[float]:
    out = [begin]
    for gap in gaps:
        out.append(out[-1] + gap)
    return out


def read(clock: HoldClock, readings: list[float], reach: float = REACH) -> list[Jump]:
    return [jump for reading in readings if (jump := clock.read(reading, reach)) is not None]


def elapsed(readings: list[float]) -> float:
    """Return the time that a clock counts over readings, after a first one that is right."""
    clock = HoldClock(readings[0])
    read(clock, readings)
    assert clock.now is not None
    return clock.now - readings[0]


@settings
@given(steps)
def test_readings_in_order_move_it_at_once(gaps: list[float]) -> None:
    clock = HoldClock()
    for reading in times(gaps):
        assert clock.read(reading, REACH) is None
        assert clock.now == reading


@settings
@given(steps, st.data())
def test_one_wrong_reading_changes_it_by_the_reach_at_most(gaps: list[float], data: st.DataObject) -> None:
    right = times(gaps)
    place = data.draw(st.integers(1, len(right)))
    wrong = data.draw(st.one_of(st.sampled_from(FAR), st.floats(), st.floats(-3 * REACH, 3 * REACH).map(BEGIN.__add__)))
    here, there = HoldClock(), HoldClock()
    read(here, right[:place])
    read(there, [*right[:place], wrong])
    for reading in [None, *right[place:]]:
        if reading is not None:
            read(here, [reading])
            read(there, [reading])
        assert here.now is not None
        assert there.now is not None
        assert -1e-3 <= there.now - here.now <= REACH + 1e-3


@settings
@given(steps, st.data())
def test_wrong_readings_far_off_change_nothing_while_they_are_the_fewer(gaps: list[float], data: st.DataObject) -> None:
    """Fewer than half of any window, each alone, in a row, or at random places."""
    right, mixed, since_wrong = times(gaps), list[float](), WINDOW
    for reading in right:
        if since_wrong >= WINDOW and mixed and data.draw(st.booleans()):
            far = st.sampled_from([place for place in FAR if not abs(place - reading) <= 2 * REACH])
            mixed += data.draw(st.lists(far, min_size=1, max_size=QUORUM - 1))
            since_wrong = 0
        mixed.append(reading)
        since_wrong += 1
    assert abs(elapsed(mixed) - (right[-1] - right[0])) < 1e-3


def test_every_third_reading_may_be_years_ahead() -> None:
    right = times([7.0] * 3000)
    mixed = [time for number, one in enumerate(right) for time in ([one, 4e9 + number] if number % 3 == 2 else [one])]
    assert abs(elapsed(mixed) - 21_000) < REACH


@settings
@given(steps, st.floats(2 * REACH, 1e9), st.integers(QUORUM, 60))
def test_a_gap_counts_once_enough_readings_are_beyond_it(gaps: list[float], gap: float, after: int) -> None:
    before = times(gaps)
    later = times([1.0] * after, before[-1] + gap)
    clock = HoldClock()
    assert not read(clock, [*before, *later[: QUORUM - 1]])
    assert clock.now is not None
    assert clock.now - before[-1] < 1e-3
    (jump,) = read(clock, later[QUORUM - 1 :])
    assert abs(clock.now - later[-1]) < 1e-3
    assert abs(jump.by - gap) < REACH
    assert before[-1] <= jump.since < before[-1] + 1e-3


def test_what_arrived_while_a_gap_was_not_sure_is_told_from_what_was_there_before() -> None:
    clock = HoldClock()
    read(clock, times([1.0] * 40))
    before = clock.now
    stamps = []
    for reading in times([1.0] * (QUORUM - 2), BEGIN + DAY):
        clock.read(reading, REACH)
        stamps.append(clock.now)
    jump = clock.read(BEGIN + DAY + 20, REACH)
    assert jump is not None
    assert before is not None
    assert before <= jump.since < min(stamp for stamp in stamps if stamp is not None)


def test_a_wrong_reading_beside_a_gap_does_not_carry_the_clock_beyond_it() -> None:
    before, later = times([1.0] * 40), times([1.0] * 40, BEGIN + DAY)
    mixed = [*before, 4e9, *later[:5], 4e9 + 1, *later[5:]]
    assert abs(elapsed(mixed) - (later[-1] - before[0])) < 1e-3


@pytest.mark.parametrize("first", [place for place in FAR if place == place and abs(place) != inf])  # noqa: PLR0124 - NaN
def test_a_wrong_first_reading_is_recovered_from(first: float) -> None:
    clock = HoldClock()
    right = times([7.0] * 300)
    read(clock, [first, *right[:150]])
    middle = clock.now
    read(clock, right[150:])
    assert middle is not None
    assert clock.now is not None
    assert abs(clock.now - middle - (right[-1] - right[149])) < 1e-3


@pytest.mark.parametrize("off", [-2 * HOUR, -DAY, -90 * DAY])
def test_readings_that_go_back_for_good_count_on_from_there(off: float) -> None:
    """A machine's clock was put back, or the service goes on on another machine."""
    before, later = times([7.0] * 100), times([7.0] * 100, BEGIN + 700 + off)
    assert abs(elapsed([*before, *later]) - 1400) < 3 * REACH


def test_two_machines_whose_clocks_differ_do_not_make_time_pass_as_they_take_turns() -> None:
    readings, now = [], BEGIN
    for turn in range(40):
        for _ in range(60):
            now += 1.0
            readings.append(now - (turn % 2) * 2 * HOUR)
    assert abs(elapsed(readings) - (now - BEGIN)) < 2 * REACH


def test_summer_time_ends_and_begins_without_an_hour_counted() -> None:
    readings, now = [], BEGIN
    for number in range(600):
        now += 5.0
        readings.append(now - HOUR * (200 <= number < 400))
    assert abs(elapsed(readings) - (now - BEGIN)) < 2 * REACH


@settings
@given(st.lists(st.floats(-2 * HOUR, 0), min_size=60, max_size=200))
def test_readings_out_of_order_move_it_no_further_than_the_latest_of_them(lates: list[float]) -> None:
    """Some producers send late: seconds to hours."""
    readings = [BEGIN + number + (late if number % 2 else 0.0) for number, late in enumerate(lates)]
    assert elapsed(readings) <= len(lates) + REACH


@settings
@given(st.lists(st.one_of(st.floats(), st.sampled_from(FAR)), max_size=150), st.floats(1e-3, 1e6))
def test_it_never_runs_back_and_never_stands_at_no_time(readings: list[float], reach: float) -> None:
    clock = HoldClock()
    stood = []
    for reading in readings:
        clock.read(reading, reach)
        if clock.now is not None:
            stood.append(clock.now)
    assert all(one <= other for one, other in pairwise(stood))
    assert all(abs(now) < 1e16 for now in stood)


def test_equal_readings_leave_it_where_it_stands() -> None:
    assert elapsed([BEGIN] * 100) == 0


@settings
@given(st.lists(st.floats(0, 1000).map(BEGIN.__add__), max_size=80), st.lists(st.floats(0, 2000).map(BEGIN.__add__)))
@example([BEGIN] * 3, [BEGIN + 500] * 20)
def test_a_restored_clock_goes_on_the_same_way(before: list[float], after: list[float]) -> None:
    here = HoldClock()
    read(here, before)
    there = HoldClock.restored(json.loads(json.dumps(here.snapshot())))
    assert read(here, after) == read(there, after)
    assert here.snapshot() == there.snapshot()


@how(deadline=None)
@given(
    st.lists(
        st.one_of(st.floats(-10, 400).map(lambda at: at + 0.0), st.sampled_from([0.0, nan, inf, 1e13])), max_size=60
    ),  # no -0.0: its repr differs
    st.lists(st.integers(0, 60)),
    st.booleans(),
)
def test_readings_that_go_on_are_taken_at_once_as_one_after_the_other(
    steps: list[float], cuts: list[int], ordered: bool
) -> None:
    readings = sorted(steps) if ordered else steps
    one, other = HoldClock(), HoldClock()
    for start, end in pairwise([0, *sorted(cuts), len(readings)]):
        some = readings[start:end]
        stood = []
        for reading in some:
            one.read(reading, 20.0)
            stood.append(one.now)
        if other.read_all(some, 20.0):
            assert stood == some
        else:
            for reading in some:
                other.read(reading, 20.0)
        assert repr(other.snapshot()) == repr(one.snapshot())


def test_it_says_how_often_it_was_put_back() -> None:
    clock = HoldClock()
    for user in range(4):
        for second in range(100):
            clock.read(1000.0 * second, 600.0 if user else 1e9)
    assert clock.setbacks == 3


@settings
@given(
    st.lists(st.one_of(st.floats(0, 2 * REACH), st.sampled_from([0.0, 60.0, 1e4, 1e7])), min_size=1, max_size=150),
    st.floats(1, REACH),
)
def test_whatever_the_gaps_it_is_behind_by_fifteen_readings_and_the_reach_and_ends_with_right_moments(
    gaps: list[float], reach: float
) -> None:
    """What arrived with a reading has that one's moment, once the clock has passed it: never a later one."""
    clock, right, stamps = HoldClock(), times(gaps), list[float]()
    for number, reading in enumerate(right):
        jump = clock.read(reading, reach)
        if jump is not None:
            stamps = [jump.moved.get(stamp, stamp) for stamp in stamps]
        assert clock.now is not None
        stamps.append(clock.now)
        assert right[max(0, number - QUORUM + 1)] - reach <= clock.now <= reading + 1e-3
        assert all(stamp <= own + 1e-3 for stamp, own in zip(stamps, right, strict=False))
        passed = [own - stamp for stamp, own in zip(stamps, right, strict=False) if own <= clock.now - 1e-3]
        assert all(late <= reach + 1e-3 for late in passed)


@settings
@given(st.lists(st.one_of(st.floats(0, 1e8), st.just(0.0)), min_size=1, max_size=80))
def test_where_all_readings_are_right_it_is_the_last_of_them(gaps: list[float]) -> None:
    clock = HoldClock()
    for reading in times(gaps):
        assert clock.read(reading, inf) is None
        assert clock.now == reading
