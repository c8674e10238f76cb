"""User k-anonymity by MDAV, its distances, and MDAV itself."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.mdav import Prepared, aggregate, common_url, mdav, microaggregate
from querymix_lab.batch.microaggregation import Distances, Places
from querymix_lab.batch.microaggregation import mdav as partition
from querymix_lab.batch.query_space import QuerySpace
from querymix_lab.batch.query_values import Normal, Norms, labels_of

from tests.querymix_lab.batch.definitions import (
    Plain,
    hausdorff,
    plain,
    query_distance,
    rank_distance,
    string_distance,
    url_distance,
    user_distance,
)
from tests.querymix_lab.batch.made import START, log, log_of, logs, row

DAY = 86_400


def labels(host: str) -> tuple[str, ...]:
    return tuple(reversed(host.split(".")))


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("a.b.com", "c.b.com", 1 / 7),
        ("a.b.com", "a.b.org", 4 / 7),
        ("a.b.com", "a.b.com", 0),
        ("b.com", "b.org", 2 / 3),
    ],
)
def test_hosts_are_compared_from_the_right_and_the_top_level_weighs_most(one: str, other: str, distance: float) -> None:
    assert url_distance(labels(one), labels(other)) == pytest.approx(distance)
    assert url_distance(labels(other), labels(one)) == pytest.approx(distance)


def test_hosts_with_nothing_in_common_are_at_distance_one() -> None:
    assert url_distance(labels("a.b.com"), labels("x.y.org")) == 1
    assert url_distance(labels("a.b.com"), ()) == 1
    assert url_distance((), ()) == 0


def test_labels_are_those_of_the_host_without_case() -> None:
    assert labels_of("http://Shop.Example.COM/path") == ("com", "example", "shop")
    assert labels_of("") == labels_of(None) == ()


def test_a_query_string_counts_its_length_once_and_its_words_twice() -> None:
    one, other = Plain(0, None, (), ("abcd",), 0.0), Plain(0, None, (), ("abcx", "abcd"), 0.5)
    # The farthest word from the other text is "abcx", a quarter away from "abcd".
    assert string_distance(one, other) == pytest.approx((0.5 + 2 * 0.25) / 3)


def test_a_query_is_three_times_its_string_and_its_time_rank_and_url_once() -> None:
    one = Plain(0.25, 0.5, labels("a.b.com"), ("x",), 0.0)
    other = Plain(0.75, 0.25, labels("c.b.com"), ("y",), 0.0)
    assert query_distance(one, other) == pytest.approx((0.5 + 0.25 + 1 / 7 + 3 * (2 / 3)) / 6)


def test_users_count_their_numbers_of_queries_as_much_as_the_queries() -> None:
    one, other = [Plain(0, None, (), ("x",), 0.0)], [Plain(0, None, (), ("x",), 0.0), Plain(1, None, (), ("x",), 0.0)]
    assert user_distance(one, other, (0.0, 0.5)) == pytest.approx((0.5 + 1 / 6) / 2)


def test_no_click_is_far_from_every_click_and_near_to_none() -> None:
    assert rank_distance(None, None) == 0
    assert rank_distance(None, 0.0) == rank_distance(1.0, None) == 1


def test_hausdorff_is_the_farthest_of_the_nearest_in_both_directions() -> None:
    assert hausdorff([0.0], [0.0, 5.0], lambda a, b: abs(a - b)) == 5
    assert hausdorff([0.0, 5.0], [0.0], lambda a, b: abs(a - b)) == 5


def test_a_log_where_all_numbers_are_equal_is_normalised_to_nothing() -> None:
    assert Normal([3, 3])(3) == 0
    assert Normal([])(0) == 0


@given(logs, st.sampled_from([0, 1 << 30]))
@settings(deadline=None, max_examples=40)
def test_the_fast_distances_are_the_definition(made: Log, most_kept: int) -> None:
    norms = Norms(made)
    users = [[plain(norms, r) for r in rows] for rows in made.users.values()]
    fast = QuerySpace(made, most_kept).user_distances()
    for a, one in enumerate(users):
        for b, other in enumerate(users):
            slow = user_distance(one, other, (norms.count(len(one)), norms.count(len(other))))
            assert fast[a, b] == pytest.approx(slow, abs=1e-5)


@given(logs)
@settings(deadline=None, max_examples=40)
def test_a_user_of_the_log_is_as_far_from_all_as_the_matrix_says(made: Log) -> None:
    space = QuerySpace(made)
    matrix = space.user_distances()
    first = space.sizes[0]
    own = [space.norms(r) for r in space.rows[:first]]
    one = space.to_users(space.texts[:first].tolist(), own, float(space.counts[0]))
    assert one == pytest.approx(matrix[0], abs=1e-6)


def test_long_texts_and_long_words_have_the_distances_of_the_definition() -> None:
    long = " ".join(f"word{number}" for number in range(20))
    made = log(row("a", long), row("b", "x" * 200), row("c", f"{long} more"), row("d", "short \udc80 one"))
    norms = Norms(made)
    users = [[plain(norms, r) for r in rows] for rows in made.users.values()]
    fast = QuerySpace(made).user_distances()
    for a, one in enumerate(users):
        for b, other in enumerate(users):
            assert fast[a, b] == pytest.approx(user_distance(one, other, (0.0, 0.0)), abs=1e-5)


class FromMean:
    """The distances of numbers to their mean."""

    def __init__(self, values: "np.ndarray") -> None:
        self._values = values

    def __call__(self, places: Places) -> Distances:
        some = self._values[places]
        out: Distances = np.abs(some - some.mean())
        return out


def test_mdav_begins_with_the_farthest_from_the_centroid_and_then_the_farthest_from_that() -> None:
    values = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 30.0, 31.0], dtype=np.float32)
    groups = partition(np.abs(values[:, None] - values), 2, FromMean(values))
    # 31 is farthest from the mean; of the rest 0 is farthest from 31. Fewer than six are left then, but four or more
    # would be cut once more; 2, 10 and 11 are the last.
    assert groups == [[6, 5], [0, 1], [2, 3, 4]]


@settings(deadline=None)
@given(st.lists(st.integers(0, 20), min_size=2, max_size=40), st.integers(2, 6))
def test_mdav_puts_every_user_in_one_cluster_of_k_and_the_last_below_twice_k(numbers: list[int], k: int) -> None:
    assume(len(numbers) >= k)
    values = np.array(numbers, dtype=np.float32)
    groups = partition(np.abs(values[:, None] - values), k, FromMean(values))
    assert sorted(place for group in groups for place in group) == list(range(len(numbers)))
    assert all(len(group) == k for group in groups[:-1])
    assert k <= len(groups[-1]) < 2 * k


@given(logs, st.integers(2, 4), st.integers(0, 100))
@settings(deadline=None, max_examples=40)
def test_what_leaves_is_the_same_for_at_least_k_users(made: Log, k: int, seed: int) -> None:
    assume(len(made.users) >= k)
    outcome = mdav(made, Options(k=k), seeded_draw(seed))
    same = Counter(
        tuple(r.query._replace(user="") for r in outcome.released.users.get(user, ())) for user in made.users
    )
    assert min(same.values()) >= k
    assert sorted(user for group in outcome.groups for user in group) == sorted(made.users)
    assert outcome.account.total == len(made.rows)
    assert outcome.account.written == len(outcome.released.rows)
    assert outcome.released.rows == mdav(made, Options(k=k), seeded_draw(seed)).released.rows


def test_a_text_asked_more_often_leaves_as_much_more_often() -> None:
    made = log_of({"a": ["x"] * 30 + ["y"] * 10, "b": ["x"] * 30 + ["y"] * 10})
    outcome = mdav(made, Options(k=2), seeded_draw(1))
    counts = Counter(r.query.text for r in outcome.released.users["a"])
    assert counts == {"x": 30, "y": 10}


def test_a_query_of_the_centroid_stands_for_all_rows_with_its_text() -> None:
    rows = [
        row("a", "x", at=START, rank="1", url="http://a.b.com"),
        row("b", "x", at=START + 2 * DAY, rank="4", url="http://c.b.com"),
    ]
    query = aggregate(rows[0].query, rows)
    assert (query.time, query.rank, query.url) == ("2006-03-02 00:00:00", "2", "http://b.com")
    assert query.at == START + DAY


def test_a_query_without_a_click_gets_none() -> None:
    made = log_of({"a": ["x"], "b": ["x"]})
    released = mdav(made, Options(k=2), seeded_draw(1)).released
    assert {(r.query.rank, r.query.url) for r in released.rows} == {("", "")}


@pytest.mark.parametrize(
    ("urls", "common"),
    [
        (["http://a.b.com", "http://a.b.com"], "http://a.b.com"),
        (["http://a.b.com", "https://c.b.com"], "http://b.com"),
        (["http://a.com", "http://b.com"], ""),
        (["http://a.com", "http://a.org"], ""),
    ],
)
def test_a_url_is_cut_to_what_all_have_in_common_on_the_right(urls: list[str], common: str) -> None:
    assert common_url(urls) == common


def test_a_prepared_log_gives_the_same_for_every_k() -> None:
    made = log_of({user: [f"{user} x", "y"] for user in "abcdef"})
    prepared = Prepared(made)
    for k in (2, 3):
        again = microaggregate(prepared, Options(k=k), seeded_draw(3))
        assert again.released.rows == mdav(made, Options(k=k), seeded_draw(3)).released.rows


def test_fewer_users_than_k_are_refused() -> None:
    with pytest.raises(ConfigError, match="--k is 3"):
        mdav(log_of({"a": ["x"], "b": ["y"]}), Options(k=3), seeded_draw(1))
