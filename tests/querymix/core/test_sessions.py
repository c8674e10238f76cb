"""The queries of a session leave together and in order under one other user, however the log is cut and killed."""

import json
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.gathering import MAX_ROWS
from querymix.core.pools import Pools
from querymix.core.profiles import categories_of, evidence
from querymix.core.records import UNCLASSIFIED, Query, Release, each_row, rows_of
from querymix.core.rules import Rules
from querymix.core.sessions import MAX_SESSIONS
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from tests.querymix.core.pooled import ARTS, SPORTS

settings = how(deadline=None, max_examples=60)
GAP = 20.0


@st.composite
def logs(draw: st.DrawFn) -> list[Classified]:
    """Return rows in order of time, each with a number of its own for a rank; a query's rows have one category."""
    steps = st.sampled_from([0, 1, 1, 5, 19, 20, 21, 50])
    asked = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 1), st.integers(1, 2), steps), max_size=50))
    now, rows = 0.0, list[Classified]()
    for number, (user, category, size, step) in enumerate(asked):
        now += step
        for _ in range(size):
            query = Query(f"user{user}", f"text {number}", str(now), now, len(rows), "")
            rows.append(Classified(category, query))
    return rows


def units_of(log: list[Classified], rules: Rules) -> Counter[tuple[int, ...]]:
    """Return the numbers of each session's rows, told from the whole log at once: the oracle for scope `category`."""
    queries = dict[tuple[str, str, float], list[Any]]()
    last = dict[str, tuple[int, float]]()
    for category, query in log:
        key = query.user, query.text, query.at
        if key not in queries:
            pool, (before, at) = category, last.get(query.user, (UNCLASSIFIED, -1e9))
            if category == UNCLASSIFIED and query.at - at < rules.session_gap:
                pool = before
            last[query.user] = pool, query.at
            queries[key] = [pool, query.at]
        queries[key].append(int(query.rank or 0))
    units = defaultdict[tuple[str, int], list[list[Any]]](list)
    for (user, _, at), (pool, _, *numbers) in queries.items():
        mine = units[user, pool]
        if not mine or at - mine[-1][0] >= rules.session_gap or mine[-1][1] == rules.session_most:
            mine.append([at, 0])
        mine[-1][0], mine[-1][1] = at, mine[-1][1] + 1
        mine[-1] += numbers
    return Counter(tuple(unit[2:]) for mine in units.values() for unit in mine)


def numbers_of(*rows: Query) -> tuple[int, ...]:
    return tuple(int(row.rank or 0) for row in rows)


def in_pools(pools: Pools) -> Counter[tuple[int, ...]]:
    """Return the units that the pools hold."""
    out = Counter[tuple[int, ...]]()
    for _, pool in pools:
        for owner, query, _ in pool.queries:
            found = pools._gathering.held.get(owner, {}).get((query.text, query.at), [None, ()])
            out[numbers_of(query, *found[2:])] += 1
    return out


@settings
@given(
    logs(),
    st.lists(st.integers(0, 100)),
    st.integers(0, 2**32),
    st.sampled_from([None, 45.0, 15.0]),
    st.sampled_from(["category", "all"]),
    st.booleans(),
)
def test_sessions_are_the_same_however_the_log_is_cut_and_killed(
    log: list[Classified], cuts: list[int], seed: int, max_hold: float | None, scope: Any, in_order: bool
) -> None:
    rules = Rules(2, max_hold=max_hold, hold_policy="trim" if max_hold else "wait", unit="session", session_gap=GAP)
    rules = rules._replace(session_most=3, session_scope=scope)
    whole, out = Pooling(rules, seeded_draw(seed), in_order=in_order), list[Release]()
    expected = whole(log) + whole.finish()
    draw = seeded_draw(seed)
    parts = Pooling(rules, draw, in_order=in_order)
    edges = [0, *sorted(cut for cut in cuts if cut < len(log)), len(log)]
    for start, end in pairwise(edges):
        state = json.loads(json.dumps(parts.snapshot()))
        parts = Pooling(rules, draw, in_order=in_order)
        parts.restore(state)
        out += parts(log[start:end])
    out += parts.finish()
    assert out == expected
    assert parts.snapshot() == whole.snapshot()

    rows = each_row(out)
    assert len(rows) == rows_of(out)
    left = numbers_of(*(row.query for row in rows))
    held = numbers_of(*parts.pools.queries())
    account = parts.account
    assert len({*left, *held}) == len(left) + len(held) == account.released + account.held
    assert account.released + account.held + account.suppressed_by_hold == len(log) == -account.waiting
    assert account.released == len(left)
    for release in out:
        unit = (release.query, *release.further)
        assert {row.user for row in unit} == {release.query.user} != {release.user}
        assert list(numbers_of(*unit)) == sorted(numbers_of(*unit)), "in their order"
        assert len({(row.text, row.at) for row in unit}) <= 3
        assert all(after.at - before.at < GAP for before, after in pairwise(unit))
    own = {query.rank: category for category, query in log}
    assert [row.pool for row in rows] == [own[row.query.rank] for row in rows], "a line has its own category"
    units = Counter(numbers_of(release.query, *release.further) for release in out) + in_pools(parts.pools)
    if max_hold is None:
        came = Counter((user, c) for user, _, c in {(query.user, query.text, c) for c, query in log})
        kept = [(user, c) for _, pool in parts.pools for user, origin, _ in pool.users for c in categories_of(origin)]
        counted = Counter(evidence(out)) + Counter(pair for pair in kept if pair[1] != UNCLASSIFIED)
        assert counted == Counter({pair: count for pair, count in came.items() if pair[1] != UNCLASSIFIED})
        if scope == "category":
            assert units == units_of(log, rules)


def row(number: int, at: float = 0.0, user: str = "ann", text: str = "") -> Query:
    return Query(user, text or f"text {number}", str(at), at, number, "")


def pools(**more: Any) -> Pools:
    return Pools(Rules(2, reserve=0, unit="session", session_gap=GAP, session_most=3, **more), seeded_draw(1))


def sizes(it: Pools) -> list[int]:
    return [len(pool) for _, pool in it]


def test_a_session_waits_from_its_last_query_and_enters_its_pool_as_one() -> None:
    it = pools()
    for number, at in enumerate([0.0, 19.0]):
        it.take([(ARTS, row(number, at))], at, at)
        it.settle(at + 1.0)
    assert it.settle(39.9) == []
    assert (sizes(it), it.held) == ([0], 2)
    it.settle(40.0)
    assert (sizes(it), it.held) == ([1], 2)


def test_a_session_with_all_its_queries_waits_no_longer_and_the_next_query_begins_another() -> None:
    it = pools()
    it.take([(ARTS, row(number)) for number in range(4)], 0.0, 0.0)
    it.settle(1.0)
    assert (sizes(it), len(it._sessions.waiting), it.held) == ([1], 1, 4)


def test_sessions_of_other_users_and_pools_are_others() -> None:
    it = pools()
    it.take([(ARTS, row(0)), (SPORTS, row(1)), (ARTS, row(2, user="bob"))], 0.0, 0.0)
    it.settle(1e9)
    assert sizes(it) == [2, 1]


def test_the_clicks_of_a_query_inside_of_a_session_are_one_query_of_it() -> None:
    it = pools()
    it.take([(ARTS, row(n, text="chess")) for n in range(5)] + [(ARTS, row(5)), (ARTS, row(6))], 0.0, 0.0)
    it.settle(1.0)
    assert (sizes(it), it.held) == ([1], 7)
    ((_, origin, _),) = dict(it)[ARTS].users
    assert origin == (ARTS, ARTS, ARTS)


def test_a_session_is_bounded_in_rows_and_none_is_lost() -> None:
    it = pools()
    many = MAX_ROWS - 1
    it.take([(ARTS, row(n, text="chess")) for n in range(many)] + [(ARTS, row(many + n)) for n in range(2)], 0.0, 0.0)
    it.settle(1e9)
    assert (sizes(it), it.held) == ([2], many + 2)


def test_no_more_sessions_wait_than_are_allowed() -> None:
    it = pools()
    assert it._sessions.most == MAX_SESSIONS
    it._sessions.most = 5
    it.take([(ARTS, row(n, user=f"user{n}")) for n in range(7)], 0.0, 0.0)
    it.settle(1.0)
    assert (sizes(it), len(it._sessions.waiting), it.held) == ([2], 5, 7)


def test_a_session_that_is_held_too_long_while_it_waits_is_given_up_and_counted() -> None:
    it = pools(max_hold=30.0)
    for at in (0.0, 15.0):
        it.take([(ARTS, row(int(at), at))], at, at)
        it.settle(at + 1.0)
    assert it.expire(31.0, row(99)) == []
    assert (it.held, it.account.suppressed_by_hold) == (0, 2)


def test_where_sessions_are_switched_off_those_that_wait_enter_their_pools() -> None:
    it = pools()
    it.take([(ARTS, row(0)), (ARTS, row(1))], 0.0, 0.0)
    it.settle(1.0)
    assert sizes(it) == [0]
    it.follow(Rules(2))
    assert it.gathering_complete_due(1.0)
    it.settle(1.0)
    assert (sizes(it), it.held) == ([1], 2)


def test_a_time_that_is_none_stops_nobody() -> None:
    it = pools()
    it.take([(ARTS, row(n, [float("nan"), float("inf"), 5.0][n % 3], f"user{n}")) for n in range(9)], 0.0, 0.0)
    out = it.settle(1e9)
    assert len(out) == 7


def test_a_query_of_another_category_than_its_pool_is_told_so_where_sessions_are_off_too() -> None:
    """Its frame may have been written while they were on."""
    it = Pools(Rules(2, hold_policy="wait", reserve=0), seeded_draw(1))
    it.take([(ARTS, row(n, user=f"user{n % 4}")) for n in range(8)], 0.0, 0.0, [SPORTS, UNCLASSIFIED] * 4)
    out = it.settle(1e9)
    assert {line.pool for line in each_row(out)} == {SPORTS, UNCLASSIFIED}
    assert {category for _, category in evidence(out)} <= {SPORTS}
    assert all(
        line.query.rank is not None and line.pool == [SPORTS, UNCLASSIFIED][int(line.query.rank) % 2]
        for line in each_row(out)
    )
