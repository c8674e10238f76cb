"""What the hold would take, by owners alone: as many as the pools themselves lose."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.local.thinned import Arrival, queries_of, taken
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

HOUR = 3600.0


def arrivals(users: int, logs: int, gap: float) -> list[Arrival]:
    """Few users ask much, as in a real log."""
    draw = Random(7)
    return [(1e9 + gap * n, int(users * draw.random() ** 3), n) for n in range(logs)]


def lost(log: list[Arrival], rules: Rules) -> int:
    pooling = Pooling(rules, seeded_draw(9))
    pooling([Classified(0, Query(str(user), str(text), "", at, text)) for at, user, text in log])
    return pooling.account.suppressed_by_hold


@pytest.mark.parametrize(
    "others",
    [
        {}, {"k": 30}, {"reserve": 25}, {"max_hold": 20 * HOUR}, {"established": 20 * HOUR}, {"draw": "entry"},
        {"mode": "paper", "k": 60}, {"unit": "session", "session_gap": 600.0},
        {"hold_policy": "suppress"}, {"hold_policy": "suppress", "established": 60.0},
        {"established": 5 * HOUR, "max_hold": HOUR},
    ],
)  # fmt: skip
def test_the_share_that_is_taken_is_that_of_the_pools_but_for_five_points(others: Mapping[str, Any]) -> None:
    log = arrivals(150, 6000, 300.0)
    rules = Rules(**{"k": 12, "reserve": 5, "max_hold": 6 * HOUR, **others})
    share, true = taken(queries_of(log, rules), rules) / len(log), lost(log, rules) / len(log)
    assert abs(share - true) < 0.05
    assert true > 0.02


def test_further_rows_further_queries_of_a_session_and_repeats_enter_no_pool_and_times_are_put_in_order() -> None:
    log: list[Arrival] = [(7.0, 1, 1), (7.0, 1, 1), (9.0, 1, 2), (3.0, 2, 5), (50.0, 1, 1)]
    assert queries_of(log, Rules()) == [(3.0, 2, 5), (7.0, 1, 1), (9.0, 1, 2), (50.0, 1, 1)]
    assert queries_of(log, Rules(unit="session", session_gap=10.0)) == [(3.0, 2, 5), (7.0, 1, 1), (50.0, 1, 1)]
    assert queries_of(log, Rules(dedupe=60.0)) == [(3.0, 2, 5), (7.0, 1, 1), (9.0, 1, 2)]


def test_what_is_taken_is_the_same_each_time_and_nothing_of_nothing() -> None:
    log, rules = arrivals(150, 2000, 300.0), Rules(12, max_hold=6 * HOUR)
    assert taken(log, rules) == taken(log, rules) > 0
    assert taken([], rules) == 0
