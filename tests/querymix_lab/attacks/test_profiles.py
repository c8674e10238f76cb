"""Counts of categories put the ids of one user together, and say nothing where all users are alike. Made-up data."""

from functools import cache

import numpy as np
import pytest
from querymix.core.periods import Period
from querymix.core.rules import Rules
from querymix_lab.attacks.profiles import alike, assigned, halves, profiles
from querymix_lab.attacks.scoring import Row, TooShortError
from querymix_lab.attacks.simulated import simulate

from tests.querymix_lab.attacks.made_up import DAY, habits, log_of

RULES = Rules(5)


@cache
def found(*, same: bool, period: Period = None) -> dict[str, Row]:
    log = habits(30, 150, same=same)
    return {row["attack"]: row for row in profiles(simulate(log, RULES, period=period), RULES, 1, period=period)}


def test_two_halves_are_put_together_by_what_each_user_likes() -> None:
    rows = found(same=False)
    assert rows["profiles, two halves of 10 lines"]["success"] > 0.8
    assert rows["profiles, two halves of 50 lines"]["success"] > 0.8
    assert rows["profiles, known counts"]["success"] > 0.9


def test_two_halves_of_users_who_are_alike_are_put_together_by_chance() -> None:
    row = found(same=True)["profiles, two halves of 10 lines"]
    assert row["success"] < 0.2
    assert row["baseline"] == pytest.approx(1 / 30, abs=0.01)


def test_periods_are_put_together_where_habits_differ_only() -> None:
    own, alike_ = found(same=False, period=DAY), found(same=True, period=DAY)
    for name in ("profiles, neighbouring periods", "profiles, distant periods"):
        assert own[name]["success"] > 3 * own[name]["baseline"]
        assert alike_[name]["success"] < 2 * alike_[name]["baseline"]


def test_a_period_may_be_a_whole_number_of_seconds() -> None:
    assert "profiles, neighbouring periods" in found(same=True, period=86_400)


def test_an_id_of_a_line_tells_no_counts() -> None:
    assert found(same=False, period="record")["profiles, known counts"]["success"] < 0.3


def test_vectors_of_one_mixture_are_most_alike() -> None:
    counts = np.array([[30.0, 1, 0], [2, 28, 3], [0, 2, 25]])
    assert assigned(alike(counts, counts[[2, 0, 1]])).tolist() == [2, 0, 1]


def test_it_does_not_matter_which_side_is_first() -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.integers(0, 9, (4, 3)).astype(np.float64) for _ in range(2))
    assert alike(first, second) == pytest.approx(alike(second, first).T)


def test_what_is_left_over_is_put_together_with_nobody() -> None:
    assert sorted(assigned(np.eye(2, 3)).tolist()) == [-1, 0, 1]


def test_a_log_of_few_lines_is_too_short() -> None:
    simulated = simulate(log_of([0, 1], [0.0, 60.0]), RULES)
    with pytest.raises(TooShortError):
        profiles(simulated, RULES, 1)
    with pytest.raises(TooShortError):
        halves(simulated.released, [], "categories")
