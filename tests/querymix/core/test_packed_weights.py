"""Packed weights add up field by field, and no field ever overflows into the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.knowledge import CATEGORIES
from querymix.core.packed_weights import (
    CATEGORY_ONLY,
    FIELDS,
    FIELDS_STRUCT,
    LARGEST,
    MAX_ADDED,
    from_bytes,
    pack,
    share,
    steps,
    to_bytes,
    unpack,
)

WEIGHTS = st.lists(st.integers(-LARGEST, LARGEST), min_size=FIELDS, max_size=FIELDS)


@given(WEIGHTS)
def test_what_is_packed_comes_out_again_from_fields_and_from_bytes(weights: list[int]) -> None:
    packed = pack(weights)
    assert unpack(packed) == weights
    assert len(to_bytes(packed)) == FIELDS
    assert from_bytes(to_bytes(packed)) == packed


@given(st.lists(WEIGHTS, min_size=1, max_size=20))
def test_one_addition_adds_all_fields(rows: list[list[int]]) -> None:
    total = sum(map(pack, rows))
    assert unpack(total, len(rows)) == [sum(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("weight", [LARGEST, -LARGEST])
def test_the_most_packed_weights_that_are_ever_added_fit_at_their_largest(weight: int) -> None:
    rows = [[weight if field % 2 else -weight for field in range(FIELDS)]] * MAX_ADDED
    total = sum(map(pack, rows))
    assert total < 1 << 8 * FIELDS_STRUCT.size
    assert unpack(total, MAX_ADDED) == [MAX_ADDED * value for value in rows[0]]


def test_one_more_would_not_fit() -> None:
    with pytest.raises(OverflowError):
        ((MAX_ADDED + 1) * pack([LARGEST] * FIELDS)).to_bytes(FIELDS_STRUCT.size, "little")


@pytest.mark.parametrize("weights", [[0] * (FIELDS - 1), [LARGEST + 1] + [0] * (FIELDS - 1)])
def test_weights_that_do_not_fit_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="belong here"):
        pack(weights)


def test_nats_are_rounded_and_cut_to_steps() -> None:
    assert (steps(0.0), steps(1.0), steps(-99.0), steps(99.0)) == (0, 40, -LARGEST, LARGEST)


def test_each_category_has_weights_of_its_own_that_it_wins_and_no_category_has_none() -> None:
    for place in range(len(CATEGORIES)):
        weights = unpack(CATEGORY_ONLY[place])
        assert weights.index(max(weights)) == place
    assert CATEGORY_ONLY[-1] == 0


@given(WEIGHTS)
def test_shares_are_those_of_a_distribution(weights: list[int]) -> None:
    assert sum(share(weights, place) for place in range(FIELDS)) == pytest.approx(1)
    best = weights.index(max(weights))
    assert all(share(weights, best) >= share(weights, place) for place in range(FIELDS))
