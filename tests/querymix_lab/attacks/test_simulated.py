"""A simulated release names the owner of every line exactly."""

import numpy as np
import pytest
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses
from querymix_lab.attacks.simulated import joined, simulate

LINES = 3_000
DAY = 86_400.0


def made() -> Log:
    """A log of three days in two categories, in which twenty users ask fifty texts."""
    chance = np.random.default_rng(1)
    times = np.sort(chance.uniform(0, 3 * DAY, LINES)).round()
    return Log(chance.integers(20, size=LINES), chance.integers(50, size=LINES), np.arange(LINES) % 2, times)


def test_each_line_has_one_owner_who_asked_its_text_in_its_category_before_it_left() -> None:
    simulated = simulate(made(), Rules(k=5))
    asked = simulated.asked.take(simulated.askings)
    assert 0.5 < simulated.share < 1
    assert len(np.unique(simulated.askings)) == len(simulated.released)
    assert (asked.texts == simulated.released.texts).all()
    assert (asked.categories == simulated.released.categories).all()
    assert (asked.times <= simulated.moments).all()
    assert (simulated.owners != simulated.released.users).all()
    right = Guesses(np.arange(len(simulated.released)), simulated.owners, np.ones(len(simulated.released)))
    assert simulated.score("truth", "", right).success == 1.0


def test_rows_of_one_query_are_one_line() -> None:
    log = made()
    twice = log.take(np.repeat(np.arange(LINES), 2))
    assert len(joined(twice)) == len(joined(log))


def test_an_id_of_a_period_is_one_users_and_no_other_periods() -> None:
    simulated = simulate(made(), Rules(k=5), period=DAY)
    days = np.floor(simulated.moments / DAY)
    pairs = np.unique(np.stack([days, simulated.released.users]), axis=1).shape[1]
    together = np.unique(np.stack([days, simulated.released.users, simulated.ids]), axis=1).shape[1]
    assert pairs == together == len(np.unique(simulated.ids)) > 20


@pytest.mark.parametrize("period", ["session", "record"])
def test_ids_of_a_release_or_a_line_are_never_seen_again(period: str) -> None:
    simulated = simulate(made(), Rules(k=5), period="session" if period == "session" else "record")
    assert len(np.unique(simulated.ids)) == len(simulated.released)
    assert (simulated.seen.users == simulated.ids).all()


def test_times_are_shown_on_the_grid_and_lines_leave_in_its_order() -> None:
    simulated = simulate(made(), Rules(k=5), ordering=Ordering(3600.0))
    assert (simulated.released.times % 3600 == 0).all()
    assert (np.diff(simulated.released.times) >= 0).all()
    assert (np.abs(simulated.moments - simulated.released.times) < 3600).all()
    assert (np.diff(simulated.moments) < 0).any()
