"""The anonymizer: worked values, and the hold policies one by one."""

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.pools import Pools
from querymix.core.records import OTHER, UNCLASSIFIED
from querymix.core.rules import Rules

from tests.querymix.core.pooled import ARTS, SPORTS, Scripted, ask


def test_the_worked_example_pairs_a_with_the_query_of_c_and_leaves_three_of_each() -> None:
    pools = Pools(Rules(4, "paper"), Scripted([0, 2]))
    texts = ["novak djokovic tennis titles", "monza formula1 tickets", "champions league final"]
    for number, (user, text) in enumerate(zip("ABC", texts, strict=True)):
        assert pools.arrive(SPORTS, ask(user, number, text=text), 0.0) is None
    release = pools.arrive(SPORTS, ask("D", 3, text="european soccer barcelona players"), 1.0)
    assert release is not None
    assert (release.user, release.query.text) == ("A", "champions league final")
    ((category, pool),) = pools
    assert category == SPORTS
    assert sorted(user for user, _, _ in pool.users) == ["B", "C", "D"]
    assert sorted(query.text for _, query, _ in pool.queries) == sorted(
        [texts[0], texts[1], "european soccer barcelona players"]
    )


@pytest.mark.parametrize(
    ("k", "delta", "grown"), [(10, "1.2", 12), (10, "1.1", 11), (5, "1.2", 6), (2, "1.2", 3), (100, "1.1", 110)]
)
def test_a_single_user_makes_k_grow_to_the_exact_ceiling(k: int, delta: str, grown: int) -> None:
    pools = Pools(Rules(k, "paper", delta), Scripted([]))
    for number in range(k):
        assert all(pool.k == k for _, pool in pools)
        assert pools.arrive(ARTS, ask("ann", number), 0.0) is None
    ((_, pool),) = pools
    assert (pool.k, len(pool)) == (grown, k)


def test_k_grows_for_the_category_of_the_single_user_only() -> None:
    pools = Pools(Rules(2, "paper"), seeded_draw(5))
    for number in range(2):
        pools.arrive(ARTS, ask("ann", number), 0.0)
        pools.arrive(SPORTS, ask(f"user{number}", 10 + number), 0.0)
    assert {category: pool.k for category, pool in pools} == {ARTS: 3, SPORTS: 2}


def test_a_grown_pool_lets_out_at_its_new_size_once_somebody_else_came() -> None:
    pools = Pools(Rules(4, "paper", "1.5"), seeded_draw(5))
    for number in range(5):
        assert pools.arrive(ARTS, ask("ann", number), 0.0) is None
    assert pools.arrive(ARTS, ask("bob", 5), 0.0) is not None
    ((_, pool),) = pools
    assert (pool.k, len(pool)) == (6, 5)


def test_with_delta_one_a_single_user_gets_its_own_queries_back() -> None:
    pools = Pools(Rules(3, "paper", "1"), seeded_draw(2))
    releases = [pools.arrive(ARTS, ask("ann", number), 0.0) for number in range(10)]
    assert [release is not None for release in releases] == [False] * 2 + [True] * 8
    ((_, pool),) = pools
    assert (pool.k, pool.released, pool.own_returned) == (3, 8, 8)
    assert pool.anonymity == (1.0, 1.0, 1.0)


def test_paper_mode_returns_own_queries_about_one_time_in_k() -> None:
    pools = Pools(Rules(5, "paper"), seeded_draw(11))
    for number in range(5_000):
        pools.arrive(ARTS, ask(f"user{number % 1000}", number), 0.0)
    ((_, pool),) = pools
    assert pool.released == 4_996
    # The owner of the query drawn is still among the k pooled users in most cases; the spec's simulation: up to 17 %.
    assert 0.02 < pool.own_returned / pool.released < 0.25


def test_distinct_mode_waits_however_many_queries_too_few_users_make() -> None:
    pools = Pools(Rules(3), Scripted([]))
    for number in range(300):
        assert pools.arrive(ARTS, ask(f"user{number % 3}", number), 0.0) is None
    assert pools.held == 300


def test_distinct_mode_counts_owners_as_well_as_users() -> None:
    """After draws the two multisets differ: four users may be left beside queries of three owners only."""
    pools = Pools(Rules(3, reserve=0), Scripted([0, 1, 1]))
    for number, user in enumerate("ABCC"):
        assert pools.arrive(ARTS, ask(user, number), 0.0) is None
    first = pools.arrive(ARTS, ask("D", 4), 0.0)  # five entries, four users: A leaves with C's second query
    assert first is not None
    assert (first.user, first.query.user, first.anonymity_set) == ("A", "C", 3)
    # Users B C C D and owners A B C D: another B makes owners enough (4) but users too few (3).
    assert pools.arrive(ARTS, ask("B", 5), 0.0) is None
    ((_, pool),) = pools
    assert (len(pool.user_counts), len(pool.owners)) == (3, 4)


def test_merged_queries_leave_the_shared_pool_as_evidence_of_their_own_category() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="merge", reserve=0), seeded_draw(3))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(SPORTS, ask("bob", 1), 1.0)
    pools.arrive(UNCLASSIFIED, ask("eve", 2), 2.0)
    clock = ask("clock", 3, 100.0)
    (release,) = pools.expire(100.0, clock)
    assert (release.pool, release.anonymity_set, release.trigger) == (OTHER, 2, clock)
    assert release.origin == {"ann": ARTS, "bob": SPORTS, "eve": UNCLASSIFIED}[release.user]
    assert release.query.user != release.user
    assert pools.held == 2
    assert sum(pool.merged for _, pool in pools) == 3


def test_what_is_merged_is_held_below_the_threshold_and_never_expires_again() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="merge"), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(SPORTS, ask("bob", 1), 0.0)
    for now in (50.0, 500.0, 5_000.0):
        assert pools.expire(now, ask("clock", 2)) == []
    assert pools.held == len(dict(pools)[OTHER]) == 2


def test_suppressed_queries_are_counted_and_gone() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="suppress"), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    pools.arrive(ARTS, ask("bob", 1), 10.0)
    assert pools.expire(10.0, ask("clock", 2)) == []
    assert pools.held == 2, "what was held for exactly max_hold stays"
    pools.expire(10.5, ask("clock", 2))
    ((_, pool),) = pools
    assert (pool.suppressed, [user for user, _, _ in pool.users]) == (1, ["bob"])


def test_waiting_holds_for_ever() -> None:
    pools = Pools(Rules(2, max_hold=10.0, hold_policy="wait"), Scripted([]))
    pools.arrive(ARTS, ask("ann", 0), 0.0)
    assert pools.expire(1e9, ask("clock", 1)) == []
    assert pools.held == 1


def test_own_queries_are_counted_in_rows_as_all_that_leaves_is() -> None:
    pools = Pools(Rules(3, "paper", "1", click_wait=5.0), seeded_draw(2))
    clicks = [(ARTS, ask("ann", number)._replace(rank=rank)) for number in (1, 2, 3) for rank in "12"]
    releases = pools.take(clicks, 0.0, 0.0) + pools.settle(99.0)
    ((_, pool),) = pools
    assert [len(release.further) for release in releases] == [1]
    assert pool.own_returned == pool.released == 2
