"""The search for the knee ends, and near the highest rate that is kept."""

from hypothesis import given, settings
from hypothesis import strategies as st

from loadtest.measure.knee import Search, was_kept
from loadtest.measure.scenario import Knee


def search(plan: Knee, limit: float) -> Search:
    """Search where all rates up to `limit` are kept."""
    found = Search(plan)
    while (rate := found.next_rate()) is not None:
        found.tell(rate, rate <= limit)
        assert len(found.tried) < 1_000, "the search does not end"
    return found


@settings(deadline=None)
@given(
    first=st.floats(10, 1e5),
    growth=st.floats(1.1, 4),
    refine=st.integers(0, 8),
    times=st.floats(1, 500),
)
def test_the_knee_is_kept_and_a_little_more_is_not(first: float, growth: float, refine: int, times: float) -> None:
    limit = first * times
    found = search(Knee(first=first, growth=growth, refine=refine, most=1e9), limit)
    assert found.kept <= limit
    assert found.lost is not None
    assert found.lost > limit
    # Each refinement takes the square root of what was between.
    assert found.lost / found.kept <= growth ** (0.5**refine) * 1.000_001


@settings(deadline=None)
@given(share=st.floats(0.01, 0.99), refine=st.integers(0, 8))
def test_where_the_first_rate_is_not_kept_what_is_below_it_is_searched(share: float, refine: int) -> None:
    found = search(Knee(first=1000, growth=2, refine=refine), 1000 * share)
    assert len(found.tried) == 1 + refine
    assert found.kept <= 1000 * share


def test_the_search_stops_at_the_highest_rate_that_is_asked_for() -> None:
    found = search(Knee(first=100, growth=3, most=500), 1e9)
    assert [rate for rate, _ in found.tried] == [100, 300, 500]
    assert found.kept == 500
    assert found.lost is None


def test_a_step_is_kept_if_no_more_than_a_second_of_arrivals_waits() -> None:
    assert was_kept(1000, 1000)
    assert not was_kept(1000, 1001)
