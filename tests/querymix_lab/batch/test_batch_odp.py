"""ODP semantic microaggregation."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.odp import centroid, contribution, copies_of, odp, partition, similarities

from tests.querymix_lab.batch.definitions import similarity
from tests.querymix_lab.batch.made import log, log_of, logs, row
from tests.querymix_lab.batch.test_batch_base import Counting


def test_similarity_is_the_lesser_count_of_each_category_over_all_levels() -> None:
    one = [row("a", "x", "Sports/Soccer"), row("a", "y", "Sports/Soccer"), row("a", "z", "Arts")]
    other = [row("b", "x", "Sports/Soccer"), row("b", "y", "Sports/Tennis")]
    assert similarity(one, other, 1) == 2
    assert similarity(one, other, 2) == 3
    assert similarity(one, other, 5) == 3


@settings(deadline=None)
@given(logs, st.integers(1, 5))
def test_the_matrix_is_the_definition(made: Log, levels: int) -> None:
    users = list(made.users.values())
    fast = similarities(users, levels)
    for a, one in enumerate(users):
        for b, other in enumerate(users):
            assert fast[a, b] == similarity(one, other, levels)


def test_a_cluster_grows_by_the_user_most_similar_to_all_in_it_together() -> None:
    alike = np.array([[0, 9, 4, 0, 1], [9, 0, 0, 3, 1], [4, 0, 0, 0, 1], [0, 3, 0, 0, 1], [1, 1, 1, 1, 0]])
    # 0 and 1 are most alike. 2 has 4 in common with both together, 3 has 3, and 4 has 2.
    assert partition(alike, 3) == [[0, 1, 2, 3, 4]]


def test_who_is_left_joins_the_cluster_it_is_most_similar_to() -> None:
    alike = np.array([[0, 9, 4, 0, 1], [9, 0, 0, 3, 1], [4, 0, 0, 0, 1], [0, 3, 0, 0, 1], [1, 1, 1, 1, 0]])
    assert partition(alike, 2) == [[0, 1, 3], [2, 4]]


@settings(deadline=None)
@given(st.integers(2, 30), st.integers(2, 6), st.integers(0, 100))
def test_every_user_is_in_one_cluster_of_at_least_k(size: int, k: int, seed: int) -> None:
    assume(size >= k)
    table = np.random.default_rng(seed).integers(0, 5, (size, size))
    groups = partition(table + table.T, k)
    assert sorted(place for group in groups for place in group) == list(range(size))
    assert min(map(len, groups)) >= k
    assert len(groups) == size // k


def test_three_repetitions_at_a_contribution_of_two_fifths_are_one_copy_and_another_by_chance() -> None:
    # 3 * 0.4 = 1.2: the ten draws that are as likely give one copy, and two of them another.
    assert [copies_of(3, 4, 10, Counting(number)) for number in range(10)] == [2] * 2 + [1] * 8


def test_the_most_repeated_text_comes_first_and_the_quota_is_reached() -> None:
    rows = [row("a", "y"), *[row("a", "x")] * 3]
    assert [r.query.text for r in contribution(rows, 1, 4, 10, Counting(9))] == ["x"]
    assert len(contribution(rows, 3, 4, 10, Counting(9))) == 3


@settings(deadline=None)
@given(logs, st.integers(0, 100))
def test_a_centroid_has_the_average_number_of_queries_and_no_copy_too_many(made: Log, seed: int) -> None:
    users = list(made.users.values())
    got = centroid(users, seeded_draw(seed))
    total = len(made.rows)
    assert total // len(users) <= len(got) <= -(-total // len(users))
    assert Counter(r.place for r in got).most_common(1)[0][1] == 1 if got else True


@settings(deadline=None)
@given(logs, st.integers(2, 4), st.integers(0, 100))
def test_what_leaves_is_the_same_for_at_least_k_users(made: Log, k: int, seed: int) -> None:
    assume(len(made.users) >= k)
    outcome = odp(made, Options(k=k), seeded_draw(seed))
    same = Counter(
        tuple(r.query._replace(user="") for r in outcome.released.users.get(user, ())) for user in made.users
    )
    assert min(same.values()) >= k
    assert sorted(user for group in outcome.groups for user in group) == sorted(made.users)
    assert outcome.account.total == len(made.rows)
    assert outcome.account.written == len(outcome.released.rows)
    assert outcome.released.rows == odp(made, Options(k=k), seeded_draw(seed)).released.rows


def test_users_of_one_topic_leave_together() -> None:
    made = log(
        *(row(user, f"{user} soccer", "Sports/Soccer") for user in "ac"),
        *(row(user, f"{user} music", "Arts/Music") for user in "bd"),
    )
    groups = odp(made, Options(k=2), seeded_draw(1)).groups
    assert {frozenset(group) for group in groups} == {frozenset("ac"), frozenset("bd")}


def test_a_knowledge_base_with_fewer_levels_is_said_so() -> None:
    made = log_of({"a": ["x"], "b": ["y"]}, "Sports/Soccer")
    assert "more than 2 levels" in odp(made, Options(k=2), seeded_draw(1)).notes[0]
    assert not odp(made, Options(k=2, levels=2), seeded_draw(1)).notes


def test_fewer_users_than_k_are_refused() -> None:
    with pytest.raises(ConfigError, match="--k is 3"):
        odp(log_of({"a": ["x"], "b": ["y"]}), Options(k=3), seeded_draw(1))
