"""Long work in pieces."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.pieces import PIECE, pieces, whole
from querymix.core.pools import Pools
from querymix.core.records import Query
from querymix.core.rules import Rules

HELD = 3 * PIECE + 5
RULES = Rules(2, established=1e9, click_wait=0.0, reserve=0)


def _full() -> Pools:
    pools = Pools(RULES, seeded_draw(1))
    for number in range(HELD):
        assert pools.arrive(number % 2, Query(f"u{number % 9000}", f"text {number}", number, number), number) is None
    return pools


@given(st.lists(st.integers()), st.integers(1, 9))
def test_pieces_are_the_whole_in_its_order_and_none_is_larger_or_empty(items: list[int], most: int) -> None:
    found = list(pieces(items, most))
    assert [item for piece in found for item in piece] == items
    assert all(0 < len(piece) <= most for piece in found)


def test_of_what_is_frozen_only_iterators_become_lists() -> None:
    assert whole({"some": iter("ab"), "text": "ab", "list": [1], "none": None}) == {
        "some": ["a", "b"], "text": "ab", "list": [1], "none": None,
    }  # fmt: skip


def test_what_is_held_is_frozen_entry_by_entry_and_restored_a_piece_at_a_time() -> None:
    pools = _full()
    frozen = pools.frozen()
    lists = ("users", "queries")
    for pool in frozen["pools"].values():
        assert all(next(pool[name]) for name in lists)  # one at a time: nothing is made before it is asked for
    state: dict[str, Any] = json.loads(json.dumps(pools.snapshot()))
    there = Pools(RULES, seeded_draw(1))
    before, longest = 0, 0
    for _ in there.restoring(state):
        longest, before = max(longest, there.held - before), there.held
    assert there.snapshot() == pools.snapshot()
    assert 0 < longest <= PIECE
