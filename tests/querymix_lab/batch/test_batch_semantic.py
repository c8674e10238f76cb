"""Semantic microaggregation."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.semantic import (
    Path,
    category_distance,
    category_distances,
    centroid_category,
    from_medoid,
    interests_of,
    representative,
    semantic,
    user_distances,
)

from tests.querymix_lab.batch.definitions import interests_distance
from tests.querymix_lab.batch.made import PATHS, log, log_of, logs, row
from tests.querymix_lab.batch.test_batch_base import Counting

DIVING: Path = ("Sports", "Water Sports", "Swimming and Diving")
SURFING: Path = ("Sports", "Water Sports", "Windsurfing")
SEA: Path = ("Regional", "Europe", "Regions", "Mediterranean")

paths = st.sampled_from([tuple(path.split("/")) for path in PATHS if path])
interests = st.dictionaries(paths, st.integers(1, 5), min_size=1)


def test_swimming_and_windsurfing_are_half_apart() -> None:
    assert category_distance(DIVING, SURFING) == 0.5
    assert category_distances([DIVING, SURFING])[0, 1] == 0.5


def test_the_users_of_the_thesis_are_a_fifth_apart() -> None:
    one, other = {DIVING: 1, SEA: 1}, {SURFING: 1, SEA: 2}
    assert interests_distance(one, other) == pytest.approx(1 / 5)
    assert user_distances([one, other])[0, 1] == pytest.approx(1 / 5)


@settings(deadline=None)
@given(st.lists(paths, min_size=1, max_size=8, unique=True))
def test_the_fast_category_distances_are_the_definition(some: list[Path]) -> None:
    fast = category_distances(some)
    assert fast == pytest.approx(np.array([[category_distance(a, b) for b in some] for a in some]))


@settings(deadline=None)
@given(st.lists(interests, min_size=1, max_size=6))
def test_the_fast_user_distances_are_the_definition(users: list[dict[Path, int]]) -> None:
    fast = user_distances(users)
    for a, one in enumerate(users):
        for b, other in enumerate(users):
            if a != b:
                assert fast[a, b] == pytest.approx(interests_distance(one, other), abs=1e-6)
            assert fast[a, b] == fast[b, a] or a == b


def test_a_user_without_categories_is_as_far_from_all_as_can_be() -> None:
    fast = user_distances([{DIVING: 2}, {}, {}])
    assert fast[0, 1] == 1
    assert fast[1, 2] == 0


def test_the_medoid_is_the_user_with_the_least_sum_of_distances() -> None:
    far = np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]], dtype=np.float32)
    assert from_medoid(far, np.array([0, 1, 2])).tolist() == [1, 0, 3]


def test_the_centroid_category_is_nearest_to_all_queries_of_the_cluster() -> None:
    assert centroid_category([{DIVING: 1, SEA: 2}, {SURFING: 3}]) == SURFING


def test_a_representative_has_each_users_quota_of_what_is_nearest_first() -> None:
    picked = representative([{SEA: 2, DIVING: 2}, {SURFING: 4}], [4, 4], Counting(0))
    assert Counter(picked) == {DIVING: 2, SURFING: 2}


def test_of_what_is_as_far_from_the_centroid_the_rarer_comes_first() -> None:
    one = {SURFING: 3, DIVING: 2, ("Sports", "Water Sports", "Rowing"): 1}
    picked = representative([one, {SURFING: 4}], [4, 4], Counting(0))
    assert picked == [SURFING, SURFING, SURFING, SURFING]
    picked = representative([one | {SURFING: 1}, {SURFING: 4}], [4, 4], Counting(0))
    assert Counter(picked) == {SURFING: 3, ("Sports", "Water Sports", "Rowing"): 1}


@settings(deadline=None)
@given(logs, st.integers(2, 4), st.integers(0, 100))
def test_what_leaves_is_the_same_for_at_least_k_users_and_of_the_log(made: Log, k: int, seed: int) -> None:
    used = made.classified
    assume(len(used.users) >= k)
    outcome = semantic(made, Options(k=k), seeded_draw(seed))
    same = Counter(
        tuple(r.query._replace(user="") for r in outcome.released.users.get(user, ())) for user in used.users
    )
    assert min(same.values()) >= k
    assert sorted(user for group in outcome.groups for user in group) == sorted(used.users)
    assert {(r.query.text, r.path) for r in outcome.released.rows} <= {(r.query.text, r.path) for r in used.rows}
    assert outcome.account.total == len(made.rows)
    assert outcome.account.unclassified == len(made.rows) - len(used.rows)
    assert outcome.account.written == len(outcome.released.rows)
    assert outcome.released.rows == semantic(made, Options(k=k), seeded_draw(seed)).released.rows


def test_every_noun_phrase_of_a_query_is_an_interest() -> None:
    both = row("a", "diving in the mediterranean", "Sports")._replace(topics=(DIVING, SEA))
    assert interests_of([both, row("a", "surfing", "/".join(SURFING))]) == {DIVING: 1, SEA: 1, SURFING: 1}


def test_a_log_keeps_its_size_whatever_the_number_of_noun_phrases() -> None:
    made = log_of({"a": ["x", "y"], "b": ["z", "w"]})
    many = Log([r._replace(topics=(DIVING, SEA, SURFING)) for r in made.rows])
    assert len(semantic(many, Options(k=2), seeded_draw(1)).released.rows) == len(made.rows)


def test_a_user_without_a_category_leaves_with_nothing() -> None:
    made = log(row("a", "x", "Sports"), row("b", "y", "Sports"), row("c", "z"))
    outcome = semantic(made, Options(k=2), seeded_draw(1))
    assert "c" not in outcome.released.users
    assert outcome.account.unclassified == 1


def test_interests_are_the_categories_of_the_queries_that_have_one() -> None:
    assert interests_of([row("a", "x", "Sports"), row("a", "y"), row("a", "x", "Sports")]) == {("Sports",): 2}


def test_fewer_users_with_a_category_than_k_are_refused() -> None:
    with pytest.raises(ConfigError, match="2 users that the method can use"):
        semantic(Log([*log_of({"a": ["x"], "b": ["y"]}).rows, row("c", "z")]), Options(k=3), seeded_draw(1))
