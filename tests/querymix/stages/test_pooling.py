"""The second stage: the log's own time is the clock, and how a log is batched changes nothing."""

import copy
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix.core.hold_clock import QUORUM
from querymix.core.records import Query, Release
from querymix.core.rules import HoldPolicy, Rules
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

from tests.querymix.stages.old_states import OLD, shown
from tests.querymix.stages.partitions import without_hashes

policies = st.sampled_from(["trim", "wait", "suppress", "merge"])
settings = how(deadline=None)


@st.composite
def logs(draw: st.DrawFn) -> list[Classified]:
    """Return classified queries, not always in order of time."""
    least = draw(st.sampled_from([-5, 0]))  # with 0 the clock reads whole batches at once
    steps = st.one_of(st.just(0), st.integers(least, 12), st.integers(least, 40))
    rows = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 3), steps), max_size=80))
    now, out = 0.0, []
    for number, (category, user, text, step) in enumerate(rows):
        now += step
        out.append(Classified(category, Query(f"user{user}", f"text {text}", str(now), now, number, "")))
    return out


def stage(policy: HoldPolicy, seed: int = 5, **more: Any) -> Pooling:
    return Pooling(Rules(2, max_hold=50.0, hold_policy=policy, **({"reserve": 0} | more)), seeded_draw(seed))


others = st.fixed_dictionaries(
    {
        "established": st.sampled_from([None, 30.0]),
        "dedupe": st.sampled_from([None, 40.0]),
        "click_wait": st.sampled_from([0.0, 1.0, 15.0]),
        "reserve": st.sampled_from([0, 2]),
    }
)


@settings
@given(logs(), st.lists(st.integers(0, 80)), policies, others)
def test_how_a_log_is_batched_changes_no_release(
    log: list[Classified], cuts: list[int], policy: HoldPolicy, more: dict[str, Any]
) -> None:
    whole, parts = stage(policy, **more), stage(policy, **more)
    expected = whole(log)
    found: list[Release] = []
    edges = [0, *sorted(cuts), len(log)]
    for start, end in pairwise(edges):
        found += parts(log[start:end])
    assert found == expected
    assert without_hashes(parts.snapshot()) == without_hashes(whole.snapshot())


@settings
@given(logs(), logs(), policies, others)
def test_a_restored_stage_looks_at_the_hold_policy_at_the_same_moments(
    before: list[Classified], after: list[Classified], policy: HoldPolicy, more: dict[str, Any]
) -> None:
    here, there = stage(policy, **more), stage(policy, **more)
    here(before)
    there.restore(json.loads(json.dumps(here.snapshot())))
    here.pools.draw, there.pools.draw = seeded_draw(9), seeded_draw(9)
    now = before[-1].query.at if before else 0.0
    rest = [Classified(category, query._replace(at=query.at + now)) for category, query in after]
    assert here(rest) == there(rest)
    assert json.dumps(here.snapshot()) == json.dumps(there.snapshot())


def held_for(pooling: Pooling, now: float) -> list[float]:
    """Return for how long queries have been held by their own times, the shared pool aside."""
    return [now - entry[1].at for category, pool in pooling.pools if category >= 0 for entry in pool.queries]


@settings
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.floats(0, 12)), max_size=80), policies)
def test_nothing_is_held_much_longer_than_max_hold(rows: list[tuple[int, int, float]], policy: HoldPolicy) -> None:
    pooling, now = stage(policy), 0.0
    for number, (category, user, step) in enumerate(rows):
        now += step
        pooling([Classified(category, Query(f"user{user}", "text", "", now, number, ""))])
        # What would be held too long before the next look goes.
        assert policy == "wait" or max(held_for(pooling, now), default=0.0) <= 50.0


gaps = st.one_of(st.floats(0, 3), st.floats(0, 60), st.sampled_from([0.0, 1.0, 49.0, 50.0, 51.0, 1e4, 1e7]))
bounded = st.sampled_from(["trim", "suppress"])
waits = st.sampled_from([0.0, 1.0, 15.0, 47.0, 70.0])
"""Seconds; with the last one a query enters its pool only after `max_hold`."""


def asked(steps: list[tuple[int, int, float]]) -> list[Classified]:
    """Return queries in time order; the rank is each one's number."""
    now, out = 1e9, []
    for number, (category, user, gap) in enumerate(steps):
        now += gap
        out.append(Classified(category, Query(f"user{user}", f"text {number % 3}", str(now), now, number, "")))
    return out


steps = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6), gaps), max_size=120)


@settings
@given(steps, st.lists(st.integers(0, 120)), bounded, waits, st.sampled_from([None, 30.0]), st.booleans())
def test_in_order_no_release_is_older_than_max_hold_whatever_the_gaps(
    log: list[tuple[int, int, float]], cuts: list[int], policy: HoldPolicy, wait: float, other: float | None, old: bool
) -> None:
    """By the times that are released. A query that waits for its rows sets off its release at its own time."""
    rules = Rules(2, max_hold=50.0, hold_policy=policy, click_wait=wait, dedupe=other, reserve=1)
    pooling, rows, releases = Pooling(rules, seeded_draw(5), in_order=True), asked(log), list[Release]()
    for start, end in pairwise([0, *sorted(cuts), len(rows)]):
        releases += pooling(rows[start:end])
        if old:
            state = json.loads(json.dumps(pooling.snapshot()))
            pooling = Pooling(rules, seeded_draw(5), in_order=True)
            pooling.restore(state)
    releases += pooling.finish()
    most = 50.0 if wait < 50.0 else wait + 2.5
    assert all(0 <= release.trigger.at - release.query.at <= most + 1e-6 for release in releases)
    account = pooling.account
    assert account.released + account.suppressed + account.held == len(rows)
    assert account.released == sum(1 + len(release.further) for release in releases)


@settings
@given(steps, bounded, waits)
def test_in_order_nothing_is_given_up_more_than_a_twentieth_early(
    log: list[tuple[int, int, float]], policy: HoldPolicy, wait: float
) -> None:
    rules = Rules(2, max_hold=50.0, hold_policy="trim", click_wait=wait, reserve=1)
    pooling, before = Pooling(rules, seeded_draw(5), in_order=True), dict[int, float]()
    for row in asked(log):
        left = {release.query.rank for release in pooling([row])}
        after = {int(query.rank or 0): query.at for query in pooling.pools.queries()}
        gone = before.keys() - after.keys() - left
        assert all(row.query.at - before[rank] >= 47.5 - 1e-6 for rank in gone)
        before = after


@settings
@given(steps, policies, waits)
def test_in_order_what_is_released_goes_on_in_time_also_what_a_merge_lets_out(
    log: list[tuple[int, int, float]], policy: HoldPolicy, wait: float
) -> None:
    pooling = Pooling(
        Rules(2, max_hold=50.0, hold_policy=policy, click_wait=wait, reserve=1), seeded_draw(5), in_order=True
    )
    releases = [*pooling(asked(log)), *pooling.finish()]
    times = [release.trigger.at for release in releases]
    assert times == sorted(times)


@settings
@given(steps, bounded, waits)
def test_where_times_are_distrusted_a_release_is_older_by_fifteen_queries_and_the_reach_at_most(
    log: list[tuple[int, int, float]], policy: HoldPolicy, wait: float
) -> None:
    """The clock believes a gap once `QUORUM` readings stand beyond it."""
    pooling, rows = (
        Pooling(Rules(2, max_hold=50.0, hold_policy=policy, click_wait=wait, reserve=1), seeded_draw(5)),
        asked(log),
    )
    for number, row in enumerate(rows):
        believed = rows[max(0, number - QUORUM + 1)].query.at
        for release in pooling([row]):
            assert min(release.trigger.at, believed) - release.query.at <= max(50.0, wait + 2.5) + 12.5 + 1e-6
    account = pooling.account
    assert account.released + account.suppressed + account.held == len(rows)


@settings
@given(steps, bounded)
def test_where_times_are_distrusted_nothing_is_given_up_early_for_a_gap(
    log: list[tuple[int, int, float]], policy: HoldPolicy
) -> None:
    pooling, before = stage("trim", click_wait=0.0), dict[int, float]()
    for row in asked(log):
        left = {release.query.rank for release in pooling([row])}
        after = {int(query.rank or 0): query.at for query in pooling.pools.queries()}
        assert all(row.query.at - before[rank] >= 47.5 - 1e-3 for rank in before.keys() - after.keys() - left)
        before = after


def test_a_query_a_minute_is_held_for_ten_seconds_and_not_for_hours() -> None:
    rows = [Classified(0, Query(f"user{n % 97}", "text", "", 1e9 + 60.0 * n, n, "")) for n in range(3000)]
    rules = Rules(5, max_hold=10.0, reserve=1)
    sure, unsure = Pooling(rules, seeded_draw(1), in_order=True), Pooling(rules, seeded_draw(1))
    assert not [*sure(rows), *sure.finish()]
    assert sure.account.suppressed_by_hold == len(rows) - 1
    late = [release.trigger.at - release.query.at for release in unsure(rows)]
    assert max(late, default=0.0) <= 10 + 2.5 + 60 * QUORUM


def test_a_state_from_before_another_logs_first_time_goes_on_by_that_logs_times() -> None:
    """A wrong time at a log's end must not stop the hold of the next day's log."""
    pooling = Pooling(
        Rules(3, max_hold=50.0, hold_policy="trim", established=30.0, reserve=1), seeded_draw(1), in_order=True
    )
    pooling(asked([(0, 0, 1.0), (0, 1, 1.0), (0, 2, 1e9)]))
    later = [Classified(0, Query(f"user{n % 2}", "text", "", 1e9 + 100 + n, n, "")) for n in range(200)]
    for row in later:
        pooling([row])
        assert max(row.query.at - entry[2] for _, pool in pooling.pools for entry in pool.queries) <= 50.0
    assert pooling.account.held <= 52


def test_a_shorter_max_hold_holds_at_once() -> None:
    pooling = Pooling(Rules(5, reserve=1), seeded_draw(1), in_order=True)
    pooling(asked([(0, user, 100.0) for user in range(4)]))
    pooling.follow(Rules(5, max_hold=10.0, reserve=1))
    pooling([Classified(0, Query("user9", "text", "", 1e9 + 420, 9, ""))])
    assert pooling.account.suppressed_by_hold == 4


class Held(NamedTuple):
    """What became of a stream of one record a second; for how long queries were held is by their right times."""

    suppressed: list[float]
    """Of the queries stamped right."""
    left: list[float]
    """Of all that are held at the end."""


def follow(readings: list[tuple[float, float]]) -> Held:
    """Pool queries of one user, given each one's right time and the time that it is stamped with."""
    pooling = stage("suppress")
    before: set[int] = set()
    suppressed = []
    for number, (right, stamped) in enumerate(readings):
        pooling([Classified(0, Query("ann", "text", "", stamped, number, ""))])
        after = {int(entry[1].rank or 0) for _, pool in pooling.pools for entry in pool.queries}
        suppressed += [right - readings[gone][0] for gone in before - after if readings[gone][0] == readings[gone][1]]
        before = after
    return Held(suppressed, [readings[-1][0] - readings[kept][0] for kept in before])


WRONG = [4_102_444_800.0, 253_402_300_799.0, 0.0, -5e9, 1.1e9, 1e9 + 3600.0, float("nan"), float("inf")]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("places", [[0], [100], [100, 101, 102], range(50, 65), range(7, 1000, 7), range(3, 1000, 3)])
def test_logs_with_a_wrong_time_suppress_no_other_early_and_stop_no_hold(wrong: float, places: Sequence[int]) -> None:
    held = follow([(1e9 + n, wrong if n in places else 1e9 + n) for n in range(1000)])
    wait = 55 + 12.5 + (QUORUM + len(places) if places in ([0], range(50, 65)) else 0)
    assert min(held.suppressed) >= 50 - 2.5 - 12.5
    assert max(held.suppressed) <= wait
    assert max(held.left) <= wait


@settings
@given(st.floats(20, 1e7), st.integers(60, 120), st.integers(60, 120))
def test_a_gap_in_the_log_ends_what_was_held_before_it_and_nothing_else(gap: float, one: int, other: int) -> None:
    held = follow([(float(n), float(n)) for n in range(one)] + [(one + gap + n, one + gap + n) for n in range(other)])
    assert min(held.suppressed, default=50.0) >= 50 - 2.5 - 12.5
    assert max(held.left) <= 55 + 2 * QUORUM


def test_the_query_that_set_off_a_look_is_not_yet_in_the_pools() -> None:
    pooling = stage("suppress")
    ask = [Classified(0, Query(f"user{n}", "text", "", 10.0 * n, n, "")) for n in range(7)]
    pooling.pools.follow(Rules(9, max_hold=50.0, hold_policy="suppress", click_wait=0.0, reserve=1))
    assert pooling(ask) == []
    ((_, pool),) = pooling.pools
    assert pool.suppressed == 0 or "user6" in [user for user, _, _ in pool.users]


@pytest.mark.parametrize(
    ("held", "ours"), [("aol", "json user=u"), ("json user=u", "json user=v"), ("json user=u", "aol")]
)
def test_queries_held_in_another_format_are_refused_with_the_way_out(held: str, ours: str) -> None:
    """They could not be written: each codec keeps what it needs for that with the query."""
    old = Pooling(Rules(2, reserve=1), seeded_draw(1), held)
    new = Pooling(Rules(2, reserve=1), seeded_draw(1), ours)
    new.restore(json.loads(json.dumps(old.snapshot())))
    extra = () if held == "aol" else (False, ("u",), ())
    old([Classified(0, Query("ann", "made-up text", "", 1.0, None, None, extra))])
    for state in (old.snapshot(), {**old.snapshot(), "format": ""}):
        if state["format"] or held.partition(" ")[0] != ours.partition(" ")[0]:
            with pytest.raises(ConfigError, match="the old --format") as caught:
                new.restore(json.loads(json.dumps(state)))
            assert "made-up" not in str(caught.value)
    same = Pooling(Rules(2, reserve=1), seeded_draw(1), held)
    same.restore(json.loads(json.dumps(old.snapshot())))
    assert same.account == old.account


@pytest.mark.parametrize("back", [0.0, 40.0, 7200.0])
def test_the_age_of_what_is_held_goes_on_once_the_clock_was_put_back(back: float) -> None:
    """The service's clock at 1,000 s, put back; a reading a second then."""
    pooling = stage("suppress", click_wait=0.0)
    pooling.take([(0, [Query("ann", "text", "", 0.0, 0, "")])], 1000.0)
    ages = [pooling.hold_age(1000.0 - back)]
    for second in range(1, 41):
        pooling.read(1000.0 - back + second, pooling.last)
        ages.append(pooling.hold_age(1000.0 - back + second))
    assert ages == sorted(ages)
    assert 40 - 1 - 24 <= ages[-1] <= 41
    assert stage("suppress").hold_age(5.0) == 0.0


@pytest.mark.parametrize("name", OLD)
def test_a_checkpoint_of_version_0_1_0_is_taken_over(name: str) -> None:
    pooling = Pooling(Rules.of(OLD[name]["rules"]), seeded_draw(1), "aol")
    pooling.restore(copy.deepcopy(OLD[name]["local"]["state"]))
    assert shown(pooling.pools) == OLD[name]["local"]["pools"]
    now = without_hashes(json.loads(json.dumps(pooling.snapshot())))
    assert (now.pop("placing"), now.pop("sessions")) == ([], []), "there were none"
    assert now == without_hashes(OLD[name]["local"]["state"])
