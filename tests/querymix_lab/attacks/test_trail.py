"""The trail attack finds the id of who searches at hours of its own, and nobody where ids are mixed. Made-up data."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from querymix.core.periods import Period
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix_lab.attacks.scoring import Row, TooShortError
from querymix_lab.attacks.simulated import simulate
from querymix_lab.attacks.trail import trail

from tests.querymix_lab.attacks.made_up import DAY, habits, log_of

RULES = Rules(5)
LOG = habits(100, 50)
"""So many users that with the default reserve most lines leave: of thirty only 60 % do, and fewer ids are found."""


@cache
def found(period: Period = None, precision: float | None = None) -> dict[str, Row]:
    simulated = simulate(LOG, RULES, period=period, ordering=Ordering(precision))
    rows = trail(simulated, RULES, 1, period=period, precision=precision, known=(None, 20, 1))
    return {row["attack"]: row for row in rows}


def test_a_lasting_id_is_found_by_times_and_more_so_with_more_of_them() -> None:
    rows = found()
    one, twenty, every = (rows[f"trail, {known} known"]["success"] for known in ("1", "20", "all"))
    assert one < twenty <= every
    assert every > 0.9


def test_categories_tell_more_where_times_are_cut() -> None:
    rows = found(precision=DAY)
    assert rows["trail, 20 known, with categories"]["success"] > rows["trail, 20 known"]["success"]


@pytest.mark.parametrize("precision", [None, DAY])
@pytest.mark.parametrize("period", [DAY, "record"])
def test_ids_that_do_not_last_are_found_less(period: Period, precision: float | None) -> None:
    assert found(period, precision)["trail, all known"]["success"] < 0.45


@pytest.mark.parametrize("period", [None, DAY, "record"])
def test_where_lines_stand_under_anybodys_id_nobody_is_found(period: Period) -> None:
    simulated = simulate(LOG, RULES, period=period)
    order = np.random.default_rng(1).permutation(len(simulated.released))
    lines = replace(simulated.released, users=simulated.released.users[order])
    mixed = replace(simulated, released=lines, ids=lines.users if period is None else simulated.ids[order])
    if period == DAY:
        _, ids = np.unique(np.stack([mixed.moments // DAY, lines.users]), axis=1, return_inverse=True)
        mixed = replace(mixed, ids=ids.reshape(-1))
    for row in trail(mixed, RULES, 1, period=period, known=(None,)):
        assert row["low"] <= 2 * row["baseline"]


def test_a_period_may_be_a_whole_number_of_seconds() -> None:
    simulated = simulate(LOG, RULES, period=86_400)
    (row, _) = trail(simulated, RULES, 1, period=86_400, known=(None,))
    assert row["success"] == found(DAY)["trail, all known"]["success"]


def test_who_has_too_few_searches_is_left_out() -> None:
    with pytest.raises(TooShortError, match="trail"):
        trail(simulate(LOG, RULES), RULES, 1, known=(51,))


def test_a_log_that_releases_nothing_is_too_short() -> None:
    with pytest.raises(TooShortError):
        trail(simulate(log_of([0, 1], [0.0, 60.0]), RULES), RULES, 1)
