"""What a line's time and form tell: planted leaks are found whole, and gone with a wide grid or one form for all."""

import numpy as np
import pytest
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix_lab.attacks import form as forms
from querymix_lab.attacks.form import form, looks_strange
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.moments import time
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.attacks.simulated import Simulated, simulate

USERS, LINES, DAY = 40, 4_000, 86_400.0
RULES = Rules(k=3, reserve=0)
"""Where each user has one category, ten users share it: with a reserve an id would wait there for days."""


def made(*, own: bool = False) -> Log:
    """A log of ten days in four categories, by users at random; `own`: each user has one category."""
    chance = np.random.default_rng(1)
    users, times = chance.integers(USERS, size=LINES), np.sort(chance.uniform(0, 10 * DAY, LINES)).round()
    return Log(users, np.arange(LINES), users % 4 if own else chance.integers(4, size=LINES), times)


def told(log: Log, precision: float | None, period: float | None = None) -> tuple[float, float]:
    simulated = simulate(log, RULES, ordering=Ordering(precision), period=period)
    alone, known = time(simulated, RULES, 1, precision)
    assert alone["low"] <= alone["success"] <= alone["high"]
    return alone["success"], known["success"]


def test_the_second_of_a_search_tells_its_category_and_a_day_does_not() -> None:
    second, day = told(made(), None), told(made(), DAY)
    assert second[0] > 0.9
    assert day[0] == pytest.approx(0.25, abs=0.05)


def test_who_knows_the_id_too_learns_what_this_id_asks() -> None:
    alone, known = told(made(own=True), DAY)
    assert alone < 0.35
    assert known > 0.9
    assert told(made(), DAY)[1] == pytest.approx(0.25, abs=0.05)


def test_where_nothing_was_released_no_moment_tells_anything() -> None:
    with pytest.raises(TooShortError):
        time(simulate(made(), Rules(k=100)), Rules(k=100), 1)


@pytest.fixture
def simulated() -> Simulated:
    return simulate(made(), RULES)


def test_the_only_user_of_a_program_is_named_by_how_its_lines_look(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strange(simulated: Simulated, others: np.ndarray) -> np.ndarray:
        return np.isin(simulated.owners, others)

    monkeypatch.setattr(forms, "looks_strange", strange)
    one, many = form(simulated, RULES, 1, shares=(1 / USERS, 0.5))
    assert one["success"] == 1.0
    assert one["baseline"] < 0.5
    assert many["baseline"] < many["success"] < 1.0


def test_where_the_codec_writes_all_lines_in_one_form_the_attack_is_the_kernel(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def alike(simulated: Simulated, others: np.ndarray) -> np.ndarray:
        return np.zeros(len(simulated.released), dtype=bool)

    monkeypatch.setattr(forms, "looks_strange", alike)
    for row in form(simulated, RULES, 1):
        assert row["success"] == row["baseline"]


def test_either_no_line_looks_strange_or_just_those_of_the_other_program(simulated: Simulated) -> None:
    """The first holds where the codec writes one form for all producers."""
    others = np.array([3, 5])
    strange = looks_strange(simulated, others)
    assert not strange.any() or (strange == np.isin(simulated.owners, others)).all()
