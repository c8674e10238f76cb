"""The tail of both runtimes: its state goes on exactly, also one that the code before it wrote."""

import copy
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.draw import seeded_draw
from querymix.core.records import Query, Release, rows_of
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering
from querymix.stages.partition import Entry, Partition
from querymix.stages.pooling import OLD_VERSION, Pooling
from querymix.stages.releasing import Released, Releasing

from tests.querymix.stages.partitions import RULES

BEFORE: Final = json.loads((Path(__file__).parent / "data" / "states_of_ada4de9.json").read_text())
"""What commit ada4de9 wrote of made-up queries, by the name of the rules: a state topic and a checkpoint, and what that
code released next by numbers that repeat themselves."""
OLD_LOOK_AT: Final = {"plain": 260_204.0, "cells": 1052.3, "merge": 1054.0}
"""When that code would have looked at what is held next; the code of today looks at once."""
orderings = st.sampled_from([Ordering(), Ordering(5), Ordering(None, "query"), Ordering(60, "query")])


def stage(rules: Rules, ordering: Ordering, seed: int = 1) -> Releasing:
    draw = seeded_draw
    return Releasing(Pooling(rules, draw(seed), "aol"), Cells(ordering, draw(seed + 1)))


def query(number: int, at: float) -> Query:
    """Return a query as those of the states from before."""
    url = "a.example" if number % 3 else None
    return Query(f"u{number * 7 % 9}", f"t{number // 2}", at, float(at), str(number), url)


def shown(releases: list[Release]) -> list[list[Any]]:
    return [
        [one.user, one.origin, one.query.rank, one.pool, one.trigger.at, [row.rank for row in one.further]]
        for one in releases
    ]


@pytest.mark.parametrize("name", BEFORE)
def test_a_state_topic_of_the_version_before_goes_on_as_it_would_have(name: str) -> None:
    before = BEFORE[name]
    it = Partition(Rules.of(before["rules"]), seeded_draw(9), "aol", Ordering(*before["ordering"]))
    it.restore([Entry(key.encode(), value.encode()) for key, value in before["log"].items()])
    it._recorder._source = it.cells._draw = seeded_draw(3)
    it.pooling.follow(it.pools.rules, OLD_VERSION)
    it.pooling._look_at = OLD_LOOK_AT[name]
    now = before["now"]
    releases = it.step([], it.position, now + 30.0).releases
    frame = encode_classified(0, [query(900 + number, 400) for number in range(9)], "aol")
    releases += it.step([frame], it.position + 1, now + 40.0).releases
    assert shown(releases) == before["then"]
    new = {"empty": 0, "lost": 0, "suppressed_as_rare": 0, "suppressed_as_long": 0}
    assert it.account.figures() == before["account"] | new


@pytest.mark.parametrize("name", BEFORE)
def test_a_checkpoint_of_the_version_before_goes_on_as_it_would_have(name: str) -> None:
    before = copy.deepcopy(BEFORE[name])
    it = stage(Rules.of(before["rules"]), Ordering(*before["ordering"]))
    held = before["checkpoint"]
    it.restore(held["anonymizing"] | {"cells": held["cells"], "in_cells": held["in_cells"]})
    it.pools.draw, it.cells._draw = seeded_draw(4), seeded_draw(5)
    releases = it([(number % 2, query(500 + number, 145 + number)) for number in range(9)]).releases
    releases += it.finish().releases
    assert shown(releases) == before["after"]


batches = st.lists(st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 90)), max_size=12), max_size=12)


def fed(it: Releasing, some: list[list[tuple[int, int]]], begin: float) -> list[Release]:
    out = []
    for place, rows in enumerate(some):
        at = begin + 3.0 * place
        out += it([(category, query(number, at)) for category, number in rows]).releases
    return out


@how(deadline=None, max_examples=60)
@given(batches, batches, st.sampled_from(RULES), orderings)
def test_a_restored_stage_lets_out_what_the_one_that_was_not_would(
    past: list[list[tuple[int, int]]], future: list[list[tuple[int, int]]], rules: Rules, ordering: Ordering
) -> None:
    here, there = stage(rules, ordering), stage(rules, ordering)
    out = fed(here, past, 100.0)
    there.restore(json.loads(json.dumps(here.snapshot())))
    for it in (here, there):
        it.pools.draw, it.cells._draw = seeded_draw(4), seeded_draw(5)
    later = fed(here, future, 200.0)
    assert shown(fed(there, future, 200.0)) == shown(later)
    last = here.finish().releases
    assert shown(there.finish().releases) == shown(last)
    assert json.dumps(there.snapshot()) == json.dumps(here.snapshot())
    account = here.account
    put = sum(map(len, past + future))
    assert account.released + account.held + account.suppressed == put
    assert account.released == rows_of(out + later + last)


def test_pieces_are_the_whole_in_its_order() -> None:
    it = stage(Rules(2, click_wait=0.0, reserve=0), Ordering())
    released = it([(1, query(number, 100.0)) for number in range(80)])
    pieces = list(released.pieces(7))
    assert [one for piece in pieces for one in piece.releases] == released.releases
    assert max(len(piece.releases) for piece in pieces) == 7
    assert sum(sum(piece.evidence().values()) for piece in pieces) == sum(released.evidence().values()) > 0


def test_no_repr_shows_what_is_held_or_released() -> None:
    it = stage(Rules(2, reserve=0), Ordering())
    released = it([(1, query(number, float(number))) for number in range(20)])
    assert isinstance(released, Released)
    assert "u1" not in repr(it) + repr(released)
    assert "t1" not in repr(it) + repr(released)
