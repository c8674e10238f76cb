"""Which pool a query goes to, by its user's session."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.records import UNCLASSIFIED, Query
from querymix.core.rules import Rules
from querymix.stages.placing import Placing

ARTS, SPORTS = 0, 13
RULES = Rules(unit="session", session_gap=20.0, session_most=3)
ALL = RULES._replace(session_scope="all")


def pools_of(rules: Rules, *asked: tuple[int, float], user: str = "ann") -> list[int]:
    it = Placing()
    return [it.pool_of(category, Query(user, f"text {n}", "", at), rules) for n, (category, at) in enumerate(asked)]


def test_a_query_without_a_category_goes_where_its_users_last_query_went() -> None:
    asked = [(UNCLASSIFIED, 0.0), (ARTS, 1.0), (UNCLASSIFIED, 20.0), (UNCLASSIFIED, 39.0), (UNCLASSIFIED, 59.0)]
    assert pools_of(RULES, *asked) == [UNCLASSIFIED, ARTS, ARTS, ARTS, UNCLASSIFIED]


def test_a_query_with_a_category_goes_to_its_own_pool() -> None:
    asked = [(ARTS, 0.0), (SPORTS, 1.0), (UNCLASSIFIED, 2.0), (ARTS, 3.0)]
    assert pools_of(RULES, *asked) == [ARTS, SPORTS, SPORTS, ARTS]


def test_a_whole_session_goes_to_the_pool_of_its_first_query_with_a_category_so_many_at_a_time() -> None:
    asked = [(UNCLASSIFIED, 0.0), (ARTS, 1.0), (SPORTS, 2.0), (UNCLASSIFIED, 3.0), (SPORTS, 4.0), (ARTS, 5.0)]
    assert pools_of(ALL, *asked) == [UNCLASSIFIED, ARTS, ARTS, ARTS, SPORTS, SPORTS]
    assert pools_of(ALL, (ARTS, 0.0), (SPORTS, 20.0)) == [ARTS, SPORTS], "a gap later it is another session"


@pytest.mark.parametrize("rules", [RULES, ALL])
def test_the_rows_of_one_query_go_to_one_pool(rules: Rules) -> None:
    it = Placing()
    query = Query("ann", "chess", "", 5.0)
    assert [it.pool_of(category, query, rules) for category in (ARTS, SPORTS, UNCLASSIFIED)] == [ARTS] * 3


def test_users_know_nothing_of_each_other() -> None:
    it = Placing()
    assert it.pool_of(ARTS, Query("ann", "a", "", 0.0), ALL) == ARTS
    assert it.pool_of(SPORTS, Query("bob", "b", "", 0.0), ALL) == SPORTS
    assert "ann" not in repr(it)


def test_nobody_is_remembered_for_longer_than_a_session_or_beyond_the_bound() -> None:
    it = Placing()
    for number in range(100):
        it.pool_of(ARTS, Query(f"user{number}", "", "", float(number)), RULES)
    assert len(it.snapshot()) == 20
    it = Placing(most=3)
    for number in range(9):
        it.pool_of(ARTS, Query(f"user{number}", "", "", 100.0), RULES)
    assert len(it.snapshot()) == 3


times = st.one_of(st.integers(0, 60).map(float), st.sampled_from([float("nan"), float("inf"), -1e300]))


@given(
    st.lists(st.tuples(st.integers(-1, 1), times, st.integers(0, 2)), max_size=30),
    st.integers(0, 30),
    st.sampled_from([RULES, ALL]),
)
def test_a_memory_that_was_written_down_places_as_the_one_that_was_not(
    asked: list[tuple[int, float, int]], cut: int, rules: Rules
) -> None:
    whole, it = Placing(), Placing()
    for number, (category, at, user) in enumerate(asked):
        if number == cut:
            state: Any = json.loads(json.dumps({"placing": it.snapshot()}))
            it = Placing()
            it.restore(state)
        query = Query(f"user{user}", f"text {category} {number % 2}", "", at)  # a text has one category
        pool = it.pool_of(category, query, rules)
        assert pool == whole.pool_of(category, query, rules)
        assert category == UNCLASSIFIED or rules.session_scope == "all" or pool in (ARTS, 1)
