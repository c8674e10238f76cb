"""The arrivals attack is certain where arrivals leave no doubt, guesses where they say nothing. All data is made up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.rules import Rules
from querymix_lab.attacks.arrivals import arrivals, chance, guessed
from querymix_lab.attacks.particles import Particles
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.attacks.simulated import simulate

from tests.querymix_lab.attacks.made_up import DAY, habits, log_of

K = 5
EXACT = Rules(K, reserve=0)
"""Something leaves just where more than k owners wait: so it is certain what a release says of them."""


def test_a_query_that_must_have_left_is_named_each_time() -> None:
    """One person asks 30 times, then others once each, and that person once after each of them.

    A pool of k + 1 owners lets something out at the person's next arrival only if what left before was the person's.
    """
    users = [0] * 30 + [user for other in range(1, K + 61) for user in (other, 0)]
    log = log_of(users, [60.0 * number for number in range(len(users))])
    right = 0
    for seed in range(6):
        simulated = simulate(log, EXACT, seed=seed)
        by_others = [line for line in range(len(simulated.released)) if (simulated.moments[line] // 60 - 30) % 2 == 0]
        again = {line for line in by_others if simulated.moments[line] + 60 in simulated.moments}
        guesses = guessed(simulated, EXACT, seed, particles=300)
        for line, user, sure in zip(guesses.lines, guesses.users, guesses.confidence, strict=True):
            if line in again and simulated.released.users[line] != 0:
                assert (user, simulated.owners[line]) == (0, 0)
                assert sure > 0.99
                right += 1
    assert right >= 20


def test_who_asks_once_is_hidden_among_k() -> None:
    log = log_of(list(range(1_500)), [60.0 * number for number in range(1_500)])
    simulated = simulate(log, Rules(K))
    rows = {row["attack"]: row for row in arrivals(simulated, Rules(K), 1, particles=300)}
    assert rows["arrivals"]["success"] < 1.3 / K
    assert rows["arrivals"]["low"] <= rows["arrivals"]["success"] <= rows["arrivals"]["high"]


def test_the_surest_are_named_more_often_than_all() -> None:
    simulated = simulate(habits(12, 150), EXACT)
    rows = {row["attack"]: row["success"] for row in arrivals(simulated, EXACT, 1, particles=500)}
    assert rows["arrivals, surest 10%"] > 1.2 * rows["arrivals"]


def test_a_secret_reserve_makes_the_surest_less_sure() -> None:
    log, surest = habits(30, 60), []
    for rules in (EXACT, Rules(K)):
        rows = arrivals(simulate(log, rules), rules, 1, particles=200)
        surest += [row["success"] for row in rows if row["attack"] == "arrivals, surest 10%"]
    assert surest[1] < 0.75 * surest[0]


def test_thin_categories_have_rows_of_their_own() -> None:
    busy, rare = habits(30, 60), habits(30, 4, seed=2)
    log = log_of(
        [*busy.users.tolist(), *rare.users.tolist()],
        [*busy.times.tolist(), *rare.times.tolist()],
        [*busy.categories.tolist(), *[9] * len(rare)],
    )
    names = [row["attack"] for row in arrivals(simulate(log, Rules(K)), Rules(K), 1, particles=100)]
    assert "arrivals, thin categories, surest 10%" in names


def test_only_the_first_arrivals_of_a_sample_are_followed() -> None:
    simulated = simulate(habits(12, 60), Rules(K))
    assert len(guessed(simulated, Rules(K), 1, particles=50, sample=40).lines) < len(simulated.released)


def test_a_log_that_releases_nothing_is_too_short() -> None:
    with pytest.raises(TooShortError):
        arrivals(simulate(log_of([0, 1], [0.0, 60.0]), Rules(K)), Rules(K), 1)


def test_queries_that_are_held_too_long_do_not_confuse_it() -> None:
    """After a month of silence the pool is empty again, for the particles too: nothing is impossible after it."""
    first = habits(12, 40)
    users, times = first.users.tolist() * 2, [*first.times.tolist(), *(first.times + 80 * DAY).tolist()]
    simulated = simulate(log_of(users, times), Rules(K))
    guesses = guessed(simulated, Rules(K), 1, particles=300)
    late = simulated.moments[guesses.lines] > 80 * DAY
    right = guesses.users == simulated.owners[guesses.lines]
    assert late.any()
    assert right[late].mean() > 0.8 * right[~late].mean()


@pytest.mark.parametrize("reserve", [0, 1, 4])
def test_the_chance_of_a_release_counts_the_draws_of_the_reserve(reserve: int) -> None:
    owners = np.arange(12)
    counted = [np.mean([n > K + x for x in range(reserve + 1)]) for n in owners]
    assert chance(owners, K, reserve, released=True) == pytest.approx(counted)
    assert chance(owners, K, reserve, released=False) == pytest.approx(1 - np.array(counted))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=30), st.integers(0, 30))
def test_particles_hold_what_came_and_has_not_left(queries: list[tuple[int, int]], leaving: int) -> None:
    cloud = Particles(20, 4, np.random.default_rng(1))
    for owner, look in queries:
        cloud.put(owner, look)
    assert set(cloud.size) == {len({owner for owner, _ in queries})}
    read = 0
    for _ in range(min(leaving, len(queries))):
        cloud.take(99, None, None)
        read += cloud.read() is not None
    assert set(cloud.held) == {max(0, len(queries) - leaving)}
    assert read + len(list(cloud.rest())) == min(leaving, len(queries))
    for look in range(4):
        cloud.drop(look)
    assert set(cloud.size) == {0}
