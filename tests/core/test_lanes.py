"""Evidence adds up in its lanes, and no lane ever touches the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.knowledge import CATEGORIES
from service.core.lanes import (
    LANES,
    LARGEST,
    MOST_ADDED,
    NARROW_BYTES,
    PLAIN,
    WIDE,
    narrow,
    pack,
    share,
    steps,
    unpack,
    widen,
)

WEIGHTS = st.lists(st.integers(-LARGEST, LARGEST), min_size=LANES, max_size=LANES)


@given(WEIGHTS)
def test_what_is_packed_comes_out_again_wide_or_narrow(weights: list[int]) -> None:
    evidence = pack(weights)
    assert unpack(evidence) == weights
    assert len(narrow(evidence)) == NARROW_BYTES
    assert widen(narrow(evidence)) == evidence


@given(st.lists(WEIGHTS, min_size=1, max_size=20))
def test_one_addition_adds_all_lanes(rows: list[list[int]]) -> None:
    total = sum(map(pack, rows))
    assert unpack(total, len(rows)) == [sum(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("weight", [LARGEST, -LARGEST])
def test_the_most_vectors_that_are_ever_added_fit_at_their_largest(weight: int) -> None:
    rows = [[weight if lane % 2 else -weight for lane in range(LANES)]] * MOST_ADDED
    total = sum(map(pack, rows))
    assert total < 1 << 8 * WIDE.size
    assert unpack(total, MOST_ADDED) == [MOST_ADDED * value for value in rows[0]]


def test_one_more_would_not_fit() -> None:
    with pytest.raises(OverflowError):
        ((MOST_ADDED + 1) * pack([LARGEST] * LANES)).to_bytes(WIDE.size, "little")


@pytest.mark.parametrize("weights", [[0] * (LANES - 1), [LARGEST + 1] + [0] * (LANES - 1)])
def test_weights_that_do_not_fit_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="belong here"):
        pack(weights)


def test_nats_are_rounded_and_cut_to_steps() -> None:
    assert (steps(0.0), steps(1.0), steps(-99.0), steps(99.0)) == (0, 40, -LARGEST, LARGEST)


def test_each_category_has_a_plain_vector_that_it_wins_and_no_category_has_none() -> None:
    for place in range(len(CATEGORIES)):
        weights = unpack(PLAIN[place])
        assert weights.index(max(weights)) == place
    assert PLAIN[-1] == 0


@given(WEIGHTS)
def test_shares_are_those_of_a_distribution(weights: list[int]) -> None:
    assert sum(share(weights, place) for place in range(LANES)) == pytest.approx(1)
    best = weights.index(max(weights))
    assert all(share(weights, best) >= share(weights, place) for place in range(LANES))
