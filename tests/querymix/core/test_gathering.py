"""Rows of one query leave together, whatever comes between them; nothing is lost, and a query counts once."""

import json
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.gathering import MAX_ROWS, MAX_WAITING
from querymix.core.pools import Pools
from querymix.core.profiles import categories_of, evidence
from querymix.core.records import Query, Release, each_row, rows_of
from querymix.core.rules import Rules
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from tests.querymix.core.pooled import ARTS, SPORTS

settings = how(deadline=None, max_examples=60)


@st.composite
def clicks(draw: st.DrawFn) -> list[Classified]:
    """Return rows in order of time, those of one second in any order; each has a number of its own for a rank."""
    units = draw(
        st.lists(
            st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(1, 4), st.sampled_from([0, 0, 1, 1, 30])),
            max_size=60,
        )
    )
    now, second, rows = 0.0, list[tuple[int, str, str, float]](), list[tuple[int, str, str, float]]()
    for user, text, size, step in units:
        if step:
            rows += draw(st.permutations(second)) if len(second) < 12 else second
            second = []
        now += step
        category = SPORTS if text % 2 else ARTS
        second += [(category, f"user{user}", f"text {text}", now)] * size
    rows += second
    return [Classified(c, Query(u, t, str(at), at, n, "")) for n, (c, u, t, at) in enumerate(rows)]


def key(query: Query) -> tuple[str, str, float]:
    return query.user, query.text, query.at


@settings
@given(clicks(), st.lists(st.integers(0, 200)), st.integers(0, 2**32), st.sampled_from([None, 45.0]))
def test_a_query_leaves_whole_under_one_user_however_its_rows_are_cut_and_killed(
    log: list[Classified], cuts: list[int], seed: int, max_hold: float | None
) -> None:
    rules = Rules(2, max_hold=max_hold, hold_policy="trim" if max_hold else "wait", reserve=1)
    whole, out = Pooling(rules, seeded_draw(seed)), list[Release]()
    expected = whole(log) + whole.finish()
    draw = seeded_draw(seed)
    parts = Pooling(rules, draw)
    edges = [0, *sorted(cut for cut in cuts if cut < len(log)), len(log)]
    for start, end in pairwise(edges):
        state = json.loads(json.dumps(parts.snapshot()))
        parts = Pooling(rules, draw)
        parts.restore(state)
        out += parts(log[start:end])
    out += parts.finish()
    assert out == expected
    assert parts.snapshot() == whole.snapshot()

    rows = each_row(out)
    assert len(rows) == rows_of(out)
    left = [int(row.query.rank or 0) for row in rows]
    held = [int(query.rank or 0) for query in parts.pools.queries()]
    account = parts.account
    assert len({*left, *held}) == len(left) + len(held) == account.released + account.held
    assert account.released + account.held + account.suppressed_by_hold == len(log) == -account.waiting
    assert account.released == len(left)

    sizes = Counter(key(query) for _, query in log)
    places = defaultdict(list)
    for place, row in enumerate(rows):
        assert row.user != row.query.user
        places[key(row.query)].append(place)
    for unit, at in places.items():
        assert len(at) == sizes[unit], "whole"
        assert at == list(range(at[0], at[0] + len(at))), "one after the other"
        assert len({rows[place].user for place in at}) == 1, "under one user"

    came = Counter((user, c) for user, _, _, c in {(*key(query), c) for c, query in log})
    kept = Counter(
        (user, c) for _, pool in parts.pools for user, origin, _ in pool.users for c in categories_of(origin)
    )
    gone = came - Counter(evidence(out)) - kept
    if max_hold is None:
        assert Counter(evidence(out)) + kept == came
    assert Counter(evidence(out)) + kept + gone == came
    assert gone.total() == len(sizes) - len(out) - sum(len(pool) for _, pool in parts.pools)


def row(number: int, at: float = 0.0, user: str = "ann", text: str = "chess") -> Query:
    return Query(user, text, str(at), at, number, "")


def pools(**more: Any) -> Pools:
    return Pools(Rules(2, reserve=0, **more), seeded_draw(1))


def take(it: Pools, *rows: Query) -> list[Release]:
    return it.take_timed([(ARTS, query) for query in rows], [query.at for query in rows])


def test_a_row_joins_its_query_while_that_waits_and_is_a_query_of_its_own_later() -> None:
    it = pools()
    assert take(it, row(0), row(1)) == []
    assert (it.held, len(it._gathering.units)) == (2, 1)
    assert take(it, row(2, 500.0, "bob"), row(3)) == []
    assert it.settle(9000.0) == []
    assert [len(pool) for _, pool in it] == [3]
    (release,) = take(it, row(4, 900.0, "eve")) + it.settle(99_000.0)
    assert it.held + rows_of([release]) == 5


def test_rows_of_other_users_texts_and_seconds_are_queries_of_their_own() -> None:
    it = pools()
    take(it, row(0), row(1, 1.0), row(2, 1.0, "bob"), row(3, 1.0, "bob", "go"))
    assert it.settle(99.0) == []
    assert [len(pool) for _, pool in it] == [4]


def test_without_a_wait_each_row_is_a_query() -> None:
    it = pools(click_wait=0.0)
    take(it, *[row(number) for number in range(5)])
    assert (it.held, sum(len(pool) for _, pool in it)) == (5, 5)


def test_too_many_rows_of_one_query_are_suppressed_and_counted() -> None:
    it = pools()
    take(it, *[row(number) for number in range(MAX_ROWS + 9)])
    assert it.held == MAX_ROWS
    assert it.account.suppressed_as_repeats == 9


def test_no_more_queries_wait_than_are_allowed_though_no_time_passes() -> None:
    it = pools()
    out = take(it, *[row(number, 0.0, f"user{number}") for number in range(MAX_WAITING + 50)])
    assert len(it._gathering.waiting) == MAX_WAITING
    assert len(out) == 48


def test_a_time_that_is_none_stops_nobody() -> None:
    it = pools()
    out = take(
        it, *[row(number, [float("nan"), float("inf"), 5.0][number % 3], f"user{number}") for number in range(9)]
    )
    out += it.settle(1e9)
    assert len(out) == 7


def test_a_repeat_is_suppressed_under_a_name_of_its_own_and_clicks_are_none() -> None:
    it = pools(dedupe=100.0)
    take(it, row(0), row(1), row(2, 50.0), row(3, 149.0), row(4, 249.0), row(5, 249.0, "bob"))
    assert it.account.suppressed_as_repeats == 2
    assert it.held == 4
