"""An arrival process says when each record is due, never goes back, and `by` counts what `due` says."""

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import ConfigError

from loadtest.replay.arrivals import Arrivals, Ramped, Recorded, Spiky, Steady

rates = st.floats(0.01, 1e6)
times = st.floats(0.01, 1e4)
processes = st.one_of(
    st.builds(Steady, rates),
    st.builds(Ramped, rates, rates, times),
    st.builds(
        lambda rate, peak, every, part: Spiky(rate, peak, every, every * part),
        rates,
        rates,
        times,
        st.floats(0.05, 0.9),
    ),
)


@given(processes, st.integers(0, 10**7), st.integers(2, 300))
def test_times_due_never_go_back(process: Arrivals, first: int, number: int) -> None:
    due = process.due(first, [0.0] * number)
    assert len(due) == number
    assert due[0] >= 0
    assert due == sorted(due)


@given(processes, st.integers(0, 10**6), st.integers(1, 300), st.integers(1, 299))
def test_times_due_do_not_depend_on_how_the_log_is_cut_into_batches(
    process: Arrivals, first: int, number: int, cut: int
) -> None:
    whole = process.due(first, [0.0] * number)
    parts = process.due(first, [0.0] * min(cut, number)) + process.due(first + cut, [0.0] * max(0, number - cut))
    assert parts == pytest.approx(whole, rel=1e-12)


@given(processes, st.integers(0, 10**6))
def test_by_is_the_inverse_of_due(process: Arrivals, number: int) -> None:
    (when,) = process.due(number, [0.0])
    by = process.by(when)
    assert by is not None
    assert by == pytest.approx(number + 1, rel=1e-6, abs=0.01)
    assert process.by(-1.0) == 0


@given(processes, st.integers(0, 10**6), st.floats(0.001, 0.5))
def test_a_log_is_not_due_before_its_time(process: Arrivals, number: int, earlier: float) -> None:
    (when,) = process.due(number, [0.0])
    by = process.by(when * (1 - earlier))
    assert by is not None
    assert by < number + 1.01


def test_the_first_log_is_due_at_once_and_the_rate_is_kept() -> None:
    assert Steady(4.0).due(0, [9.0, 1.0, 5.0]) == [0.0, 0.25, 0.5]


def test_a_ramp_goes_evenly_from_one_rate_to_the_other_and_stays_there() -> None:
    ramp = Ramped(100.0, 300.0, 10.0)
    assert ramp.by(5.0) == 1 + 100 * 5 + 100 * 5 / 2
    assert ramp.by(10.0) == 1 + 2_000
    assert ramp.by(12.0) == 1 + 2_000 + 600
    assert ramp.due(2_600, [0.0]) == pytest.approx([12.0])


def test_spikes_come_at_the_end_of_each_period() -> None:
    spiky = Spiky(10.0, 100.0, 60.0, 5.0)
    assert spiky.by(55.0) == 1 + 550
    assert spiky.by(60.0) == 1 + 550 + 500
    assert spiky.by(115.0) == 1 + 1_050 + 550


@given(
    st.lists(st.floats(0, 1e9), min_size=1, max_size=60), st.floats(0.1, 1e4), st.lists(st.integers(1, 20), max_size=10)
)
def test_as_recorded_keeps_the_logs_own_distances_whatever_the_batches(
    ats: list[float], speed: float, cuts: list[int]
) -> None:
    ats.sort()
    process = Recorded(speed)
    due: list[float] = []
    rest = ats
    for cut in [*cuts, len(ats)]:
        due += process.due(len(due), rest[:cut])
        rest = rest[cut:]
    assert due == pytest.approx([(at - ats[0]) / speed for at in ats])


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=60))
def test_a_recorded_time_that_goes_back_is_due_with_the_log_before(ats: list[float]) -> None:
    process = Recorded()
    due = [when for at in ats for when in process.due(0, [at])]
    assert due == sorted(due)
    assert Recorded().due(0, ats) == due


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=60), st.floats(0.1, 100), st.floats(0, 1_200))
def test_as_recorded_asks_the_source_how_many_are_due(whole: list[int], speed: float, seconds: float) -> None:
    ats = sorted(map(float, whole))
    process = Recorded(speed, before=lambda at: float(bisect_right(ats, at)))
    assert process.by(seconds) is None, "before the first log nothing is known"
    process.due(0, ats)
    assert process.by(seconds) == sum(at <= ats[0] + seconds * speed for at in ats)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Steady(0),
        lambda: Steady(-1),
        lambda: Steady(float("nan")),
        lambda: Steady(float("inf")),
        lambda: Ramped(1, 0, 1),
        lambda: Ramped(1, 2, 0),
        lambda: Spiky(1, 2, 10, 10),
        lambda: Spiky(1, 2, 10, 0),
        lambda: Recorded(0),
        lambda: Recorded(float("nan")),
    ],
)
def test_rates_and_times_that_are_none_are_refused(make: object) -> None:
    with pytest.raises(ConfigError):
        make()  # type: ignore[operator]
