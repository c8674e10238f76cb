"""Profiles are counts; weights are shares of them."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.knowledge import CATEGORIES
from querymix.core.profiles import evidence, weights
from querymix.core.records import OTHER, UNCLASSIFIED, Query, Release

PLACE = {name: place for place, name in enumerate(CATEGORIES)}
QUERY = Query("owner", "made-up text", "2006-03-01 07:17:12", 1_141_197_432.0)

users = st.sampled_from(["a", "b", "\udc80"])
origins = st.integers(UNCLASSIFIED, len(CATEGORIES) - 1)


def release(user: str, origin: int, pool: int | None = None) -> Release:
    """Return a release of a made-up query."""
    return Release(user, origin, QUERY, origin if pool is None else pool, QUERY, 21)


def test_one_sports_query_changes_the_weights_as_in_the_paper() -> None:
    """Section 3.3: Science 5, Business 10, Arts 20, Health 5, Computers 10, then one Sports query."""
    before = {"Science": 5, "Business": 10, "Arts": 20, "Health": 5, "Computers": 10, "Shopping": 0, "Society": 0}
    counts = Counter({PLACE[name]: count for name, count in before.items()})
    for (_, category), count in evidence([release("u", PLACE["Sports"])]).items():
        counts[category] += count
    percent = {CATEGORIES[category]: round(100 * share, 4) for category, share in weights(counts).items()}
    assert percent == {
        "Arts": 39.2157,
        "Health": 9.8039,
        "Science": 9.8039,
        "Computers": 19.6078,
        "Sports": 1.9608,
        "Business": 19.6078,
        "Shopping": 0.0,
        "Society": 0.0,
    }


def test_each_query_of_a_session_counts_under_its_own_category() -> None:
    session = release("u", 1)._replace(origin=(1, UNCLASSIFIED, 3, 1))
    assert evidence([session, release("u", 1), session]) == {("u", 1): 5, ("u", 3): 2}


@pytest.mark.parametrize("counts", [{}, {3: 0}])
def test_a_profile_of_nothing_has_no_weights(counts: dict[int, int]) -> None:
    assert weights(counts) == {}


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 15), st.integers(1, 10**9), min_size=1))
def test_weights_add_up_to_one_and_keep_the_order_of_counts(counts: dict[int, int]) -> None:
    shares = weights(counts)
    assert shares.keys() == counts.keys()
    assert sum(shares.values()) == pytest.approx(1)
    assert sorted(counts, key=lambda category: (counts[category], category)) == sorted(
        shares, key=lambda category: (shares[category], counts[category], category)
    )


@settings(deadline=None)
@given(st.lists(st.tuples(users, origins)))
def test_evidence_is_the_same_in_any_order_and_in_any_batches(pairs: list[tuple[str, int]]) -> None:
    releases = [release(user, origin) for user, origin in pairs]
    expected = Counter(pair for pair in pairs if pair[1] != UNCLASSIFIED)
    assert evidence(releases) == expected
    assert evidence(reversed(releases)) == expected
    half = len(releases) // 2
    assert Counter(evidence(releases[:half])) + Counter(evidence(releases[half:])) == expected


def test_what_is_unclassified_counts_for_nobody() -> None:
    assert evidence([release("u", UNCLASSIFIED)]) == {}


def test_a_merged_user_keeps_the_category_of_its_own_query() -> None:
    assert evidence([release("u", PLACE["Arts"], OTHER)]) == {("u", PLACE["Arts"]): 1}


def test_the_owner_of_the_released_query_gets_no_evidence() -> None:
    assert all(user != QUERY.user for user, _ in evidence([release("u", 1)]))


def test_queries_and_sessions_of_one_user_count_together() -> None:
    session = release("a", 1)._replace(origin=(1, 2, UNCLASSIFIED, 2))
    found = evidence([release("a", 1), session, release("a", UNCLASSIFIED), session, release("b", 2)])
    assert found == {("a", 1): 3, ("a", 2): 4, ("b", 2): 1}
