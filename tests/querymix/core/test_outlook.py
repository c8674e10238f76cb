"""What a pool lacks, and when it is foretold to let something out: what is foretold comes true."""

from math import inf

from hypothesis import given
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.outlook import MOST, Outlook
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.stages.pooling import Pooling

SINCE = 100.0
arrivals = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 40)), min_size=1, max_size=40)


def query(user: str, at: float = 0.0) -> Query:
    return Query(user, f"text {at} of {user}", "", at, 1)


def only(it: Pooling, now: float, category: int = 3) -> Outlook:
    (found,) = (one for one in it.outlooks(now) if one.category == category)
    return found


@given(st.integers(2, 5), arrivals)
def test_with_established_nothing_leaves_before_the_first_counts_and_something_does_when_enough_are_foretold_to(
    k: int, some: list[tuple[int, int, int]]
) -> None:
    rules, now = Rules(k, max_hold=None, hold_policy="wait", established=SINCE, click_wait=0.0, reserve=0), 0.0
    for ahead in ("first", "ready"):
        it, now = Pooling(rules, seeded_draw(1)), 0.0
        for category, user, later in some:
            now += later
            it.take([(category, [query(f"user{user}", now)])], now)
        for one in list(it.outlooks(now)):
            assert one.missing == max(0, one.needed - one.counted)
            assert one.counted <= one.users <= one.held or one.held == 0
            assert (one.missing == 0) == (one.ready_in == 0.0 and one.counted >= one.needed)
            if ahead == "first" and one.first_in:
                assert (
                    it.take([(one.category, [query("new", now + one.first_in - 1.5)])], now + one.first_in - 1.5) == []
                )
                break
            if ahead == "ready" and one.ready_in is not None:
                moment = now + one.ready_in + 1.0  # moments of users are whole seconds
                it.read(moment, it.last)
                released = it.take([(one.category, [query("new", moment)])], moment)
                assert len(released) == 1
                break


@given(st.integers(2, 6), st.lists(st.integers(0, 8), max_size=30))
def test_without_established_all_users_count_and_the_next_record_lets_one_out_where_none_is_missing(
    k: int, users: list[int]
) -> None:
    it = Pooling(Rules(k, click_wait=0.0, reserve=0), seeded_draw(2))
    it.take([(3, [query("user0")])], 0.0)
    for user in users:
        it.take([(3, [query(f"user{user}")])], 0.0)
    one = only(it, 0.0)
    assert (one.counted, one.needed) == (one.users, k + 1)
    assert one.ready_in == (0.0 if one.users > k else None)
    pool = it.pools._pools[3]
    both = sorted(pool.user_counts.keys() & pool.owner_rows.keys())
    if both:  # whoever is there already brings no further user
        assert (it.pools.arrive(3, query(both[0]), 0.0) is not None) == (one.missing == 0)


def test_the_age_is_that_of_the_oldest_query_by_the_hold_clock() -> None:
    it = Pooling(Rules(5, click_wait=0.0, reserve=0), seeded_draw(3))
    for at in (0.0, 10.0, 20.0):
        it.take([(3, [query(f"user{at}")])], at)
    assert only(it, 50.0).oldest == 50.0


def test_in_paper_mode_queries_are_missing_and_a_single_user_is_not_enough() -> None:
    it = Pooling(Rules(3, mode="paper", click_wait=0.0), seeded_draw(4))
    it.take([(3, [query("ann"), query("ann")])], 0.0)
    assert (only(it, 0.0).missing, only(it, 0.0).needed, only(it, 0.0).ready_in) == (1, 3, None)
    it.take([(4, [query("ann"), query("bob")])], 0.0)
    assert (only(it, 0.0, 4).missing, only(it, 0.0, 4).users) == (1, 2)


def test_of_a_huge_pool_those_who_came_first_are_asked() -> None:
    """Whoever came last was first seen long ago, in another category, and is not asked."""
    it = Pooling(Rules(2, established=SINCE, click_wait=0.0, reserve=0), seeded_draw(5))
    many = [f"user{n}" for n in range(3 * MOST)]
    it.take([(4, [query(many[-1])])], 1.0)
    it.take([(3, [query(user) for user in many])], 7.0)
    one = only(it, 8.0)
    assert (one.users, one.counted, one.missing) == (3 * MOST, 0, 3)
    assert one.first_in == SINCE - 1.0
    assert one.ready_in is not None
    assert one.ready_in >= SINCE - 1.0
    assert only(it, 8.0, 4).first_in == SINCE - 7.0


def test_who_is_never_established_is_foretold_for_never_and_breaks_nothing() -> None:
    for since in (inf, 1e300):
        it = Pooling(Rules(2, established=since, click_wait=0.0, reserve=0), seeded_draw(6))
        it.take([(3, [query(user) for user in ("ann", "bob", "eve")])], 7.0)
        one = only(it, 8.0)
        assert one.missing == 3
        assert one.first_in is not None
        assert one.first_in > 1e299
