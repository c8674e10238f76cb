"""What a run keeps does not grow with the log: as many users at the same pace, and four times as long."""

import gc
from array import array
from collections import deque
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.local.advice import Advisor
from querymix.local.noticed import Noticed
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classified
from querymix.stages.period_ids import PeriodIds
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing

HOUR = 3600.0
GAP = 60.0
BATCH = 200
USERS = 100


def rows(first: int, count: int) -> list[Classified]:
    """Return records of which no text comes twice; one user asks much, and some queries have two rows."""
    chance, found = Random(first), []
    for number in range(first, first + count, 2):
        user = "robot" if chance.random() < 0.2 else f"user{chance.randrange(USERS)}"
        for rank in range(2):
            apart = rank * chance.randrange(2)
            query = Query(user, f"text {number + apart}", "", 1e9 + GAP * (number + apart), str(rank))
            found.append(Classified(number // 2 % 3, query))
    return found


def entries(*roots: Any) -> int:
    """Return how many entries all containers that can grow have, that are reached from here."""
    stack, seen, found = list(roots), set[int](), 0
    while stack:
        one = stack.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType):
            continue
        seen.add(id(one))
        if isinstance(one, dict | list | set | deque | array | bytearray):
            found += len(one)
        stack += gc.get_referents(one)
    return found


@pytest.mark.parametrize(
    "rules",
    [
        Rules(5, max_hold=6 * HOUR, reserve=2),
        Rules(5, max_hold=6 * HOUR, reserve=2, established=4 * HOUR, dedupe=2 * HOUR),
        Rules(5, max_hold=6 * HOUR, hold_policy="suppress", unit="session"),
    ],
)
def test_what_a_run_keeps_is_no_more_after_four_times_as_many_records(rules: Rules) -> None:
    releasing = Releasing(Pooling(rules, seeded_draw(1)), Cells(Ordering(HOUR), seeded_draw(2)))
    advisor, noticed, ids = Advisor(rules, most=500), Noticed(10), PeriodIds(24 * HOUR)
    early = late = released = 0
    for first in range(0, 12_000, BATCH):
        some = rows(first, BATCH)
        advisor.note(some)
        noticed.note(some)
        out = releasing(some).releases
        released += len(ids.of(out, releasing, last=False))
        if 2000 <= first < 3000:
            early = max(early, entries(releasing, advisor, noticed, ids))
        if first >= 11_000:
            late = max(late, entries(releasing, advisor, noticed, ids))
    assert released > 3000
    assert late < 1.15 * early
