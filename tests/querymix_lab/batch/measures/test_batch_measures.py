"""The measures of the papers, by their worked values and by their definitions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.clusterings import (
    agreement,
    best_number,
    calinski_harabasz,
    hierarchical,
    information_loss,
    k_means,
    partition_distance,
)
from querymix_lab.batch.measures.frequency import frequencies
from querymix_lab.batch.measures.information import (
    average,
    entropy,
    ilr,
    pel,
    srp,
)
from querymix_lab.batch.measures.linkage import record_linkage
from querymix_lab.batch.measures.views import by_user, categories, categories_at, queries, query_words
from sklearn.metrics import calinski_harabasz_score

from tests.querymix_lab.batch.made import log, log_of, logs, row
from tests.querymix_lab.batch.measures.definitions import (
    agreement_by_definition,
    pel_by_definition,
    record_linkage_by_definition,
)

letters = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12).map(Counter)
labels = st.lists(st.integers(0, 4), min_size=1, max_size=12)
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("asked", "shown", "exposed"),
    [("aabc", "aabc", 100), ("aabc", "aaxx", 33.333), ("aabc", "xyz", 0), ("ab", "aaab", 31.1278)],
)
def test_pel_has_the_worked_values(asked: str, shown: str, exposed: float) -> None:
    assert pel(Counter(asked), Counter(shown)) == pytest.approx(exposed, abs=1e-3)


@settings(deadline=None)
@given(letters, letters)
def test_pel_in_closed_form_is_the_definition(asked: Counter[str], shown: Counter[str]) -> None:
    fast, slow = pel(asked, shown), pel_by_definition(asked, shown)
    assert fast == (slow if slow is None else pytest.approx(slow))
    assert fast is None or fast >= -1e-9


def test_who_asks_one_thing_only_has_no_information_to_expose_or_to_lose() -> None:
    assert pel(Counter("aaa"), Counter("a")) is None
    assert ilr(Counter("aaa"), Counter("a")) is None
    assert entropy(Counter()) == 0


def test_ilr_is_the_change_of_entropy_in_either_direction() -> None:
    assert ilr(Counter("abcd"), Counter("ab")) == 50
    assert ilr(Counter("ab"), Counter("abcd")) == 100


def test_averages_are_over_users_and_count_those_without_a_value() -> None:
    before = log_of({"a": "xy", "b": "xy", "c": "zz"})
    after = log_of({"a": "xy"})
    assert average(pel, before, after) == (50, 2)
    assert average(ilr, before, after) == (50, 2)


def test_srp_is_the_share_of_each_category_that_is_still_there() -> None:
    assert srp(Counter("aab"), Counter("abb")) == pytest.approx(100 * 2 / 3)
    assert srp(Counter(), Counter("a")) is None


def test_srp_of_users_without_common_interests_is_one_over_k() -> None:
    before = log(*(row(user, text, f"Sports/{user}") for user in "ab" for text in "wxyz"))
    half = [r for r in before.rows if r.query.text in "wx"]
    after = log(*(r._replace(query=r.query._replace(user=user)) for user in "ab" for r in half))
    assert average(srp, before, after, categories_at(2)) == (50, 2)
    assert average(srp, before, after, categories_at(1)) == (100, 2)
    assert average(srp, before, after, categories_at(3)) == (0, 0)


@settings(deadline=None)
@given(pairs)
def test_the_indexes_are_those_of_counted_pairs(pair: list[tuple[int, int]]) -> None:
    one, other = zip(*pair, strict=True)
    assert agreement(one, other) == pytest.approx(agreement_by_definition(one, other))


@settings(deadline=None)
@given(pairs)
def test_the_partition_distance_is_between_0_and_1_and_0_for_the_same(pair: list[tuple[int, int]]) -> None:
    one, other = zip(*pair, strict=True)
    assert -1e-9 <= partition_distance(one, other) <= 1 + 1e-9
    assert partition_distance(one, [label + 7 for label in one]) == pytest.approx(0)


def test_partitions_that_tell_nothing_of_each_other_are_at_distance_1() -> None:
    assert partition_distance([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(1)
    assert partition_distance([0, 0, 0, 0], [0, 1, 2, 3]) == pytest.approx(1)
    assert partition_distance([0, 0, 1, 1], [0, 0, 1, 2]) == pytest.approx((2 * 1.5 - 1 - 1.5) / 1.5)


@settings(deadline=None)
@given(st.integers(4, 20), st.integers(2, 3), st.integers(0, 50))
def test_calinski_harabasz_from_distances_is_that_of_the_points(size: int, groups: int, seed: int) -> None:
    points = np.random.default_rng(seed).random((size, 3))
    of = np.arange(size) % groups
    far = np.linalg.norm(points[:, None] - points, axis=2)
    assert calinski_harabasz(far.astype(np.float32), of) == pytest.approx(calinski_harabasz_score(points, of), rel=1e-3)


def test_the_best_number_of_clusters_is_that_of_the_heaps() -> None:
    points = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2, 9.0, 9.1, 9.2])
    far = np.abs(points[:, None] - points).astype(np.float32)
    assert best_number(far, range(2, 6)) == 3
    assert len(set(hierarchical(far, 3))) == 3
    assert information_loss(far, far, 3) == 0


def test_k_means_finds_the_same_clusters_in_the_same_log() -> None:
    made = log_of({user: [f"{word} one", f"{word} two"] for user, word in zip("abcdef", ("x", "y") * 3, strict=True)})
    one, other = k_means(made, made, query_words, 2)
    assert agreement(one, other) == (1, 1)
    assert len(set(one)) == 2


def test_k_means_has_one_cluster_where_there_is_nothing_to_count() -> None:
    made = log_of({"a": ["x"], "b": ["y"]})
    assert k_means(made, made, lambda _: (), 2) == ([0, 0], [0, 0])


def test_frequencies_are_those_of_the_commonest_of_the_original() -> None:
    before = log_of({"a": ["x"] * 6 + ["y"] * 3 + ["z"]})
    after = log_of({"a": ["x"] * 3 + ["y"] * 4 + ["w"]})
    found = frequencies(before, after, queries, 2)
    assert found.preserved == pytest.approx(100 * 6 / 9)
    assert found.still_on_top == 2


def test_a_user_is_linked_with_the_chance_of_the_best_matches() -> None:
    before = log_of({"a": "xy", "b": "xz", "c": "w"})
    # a and b both have one x in common with what leaves under a; nothing leaves under c but what nobody asked.
    after = log_of({"a": "x", "b": "z", "c": "v"})
    assert record_linkage(before, after) == pytest.approx(100 * (1 / 2 + 1) / 3)
    assert record_linkage(before, before) == 100


@given(logs, logs)
@settings(deadline=None)
def test_record_linkage_is_that_of_each_user_against_each(before: Log, after: Log) -> None:
    for view in (queries, categories):
        slow = record_linkage_by_definition(by_user(before, view), {
            user: counts for user, counts in by_user(after, view).items() if user in before.users
        })  # fmt: skip
        assert record_linkage(before, after, view) == pytest.approx(slow)


def test_views_count_queries_words_and_categories() -> None:
    made = row("a", "Red shoes", "Shopping/Clothing")
    assert queries(made) == ("Red shoes",)
    assert query_words(made) == ["red", "shoes"]
    assert categories(made) == (("Shopping", "Clothing"),)
    assert categories_at(1)(made) == (("Shopping",),)
    assert categories_at(3)(made) == ()
