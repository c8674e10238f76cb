"""Steps follow each other as one stream of arrivals."""

from itertools import pairwise

import faker  # noqa: F401 - the scenarios' vocabulary needs it, so without it the module is skipped
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadtest.measure.plan import Chained, Piece, pieces
from loadtest.measure.scenario import Step

PIECES = st.lists(st.tuples(st.floats(0.5, 10), st.floats(1, 200), st.floats(1, 200)), min_size=1, max_size=5)


@settings(deadline=None)
@given(PIECES, st.integers(1, 700))
def test_arrivals_never_go_back_and_do_not_depend_on_how_they_are_asked_for(parts: list[Piece], size: int) -> None:
    chained = Chained(parts)
    whole = chained.due(0, [0.0] * chained.logs)
    assert all(one <= two + 1e-9 for one, two in pairwise(whole))
    assert len(whole) == chained.logs
    batches = [
        due
        for first in range(0, chained.logs, size)
        for due in chained.due(first, [0.0] * min(size, chained.logs - first))
    ]
    assert batches == whole


@settings(deadline=None)
@given(PIECES)
def test_each_step_has_its_own_logs_within_its_own_time(parts: list[Piece]) -> None:
    chained = Chained(parts)
    whole = chained.due(0, [0.0] * chained.logs)
    end = number = 0.0
    for seconds, low, high in parts:
        end += seconds
        number += (low + high) / 2 * seconds
        within = sum(due < end - 1e-6 for due in whole)
        assert abs(within - number) <= len(parts) + 1
    assert chained.seconds == pytest.approx(end)


@settings(deadline=None)
@given(PIECES, st.floats(0, 100))
def test_the_number_that_is_due_is_the_inverse_of_when_it_is_due(parts: list[Piece], at: float) -> None:
    chained = Chained(parts)
    at = min(at, chained.seconds)
    by = chained.by(at)
    assert by is not None
    assert abs(by - sum(due <= at for due in chained.due(0, [0.0] * chained.logs))) <= 2


def test_a_share_of_the_knee_and_a_number_of_logs_become_rates_and_seconds() -> None:
    steps = [Step(seconds=10, rate=100), Step(seconds=5, rate=100, to=300), Step(logs=8000, of_knee=0.8)]
    assert pieces(steps, knee=1000) == [(10, 100, 100), (5, 100, 300), (10, 800, 800)]
