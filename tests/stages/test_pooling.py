"""The second stage: the log's own time is the clock, and how a log is batched changes nothing."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from service.core.draw import seeded_draw_for_tests
from service.core.pools import HoldPolicy, Pools, Rules
from service.core.records import Query, Release
from service.stages.anonymizing import Anonymizing
from service.stages.classifying import Classified

policies = st.sampled_from(["wait", "suppress", "merge"])
settings = how(deadline=None)


@st.composite
def logs(draw: st.DrawFn) -> list[Classified]:
    """Return classified queries, not always in order of time."""
    rows = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(-5, 40)), max_size=80))
    now, out = 0.0, []
    for number, (category, user, step) in enumerate(rows):
        now += step
        out.append(Classified(category, Query(f"user{user}", f"text {number}", str(now), now, number, "")))
    return out


def stage(policy: HoldPolicy, seed: int = 5) -> Anonymizing:
    return Anonymizing(Pools(Rules(2, max_hold=50.0, hold_policy=policy), seeded_draw_for_tests(seed)))


@settings
@given(logs(), st.lists(st.integers(0, 80)), policies)
def test_how_a_log_is_batched_changes_no_release(
    log: list[Classified], cuts: list[int], policy: HoldPolicy
) -> None:  # fmt: skip
    whole, parts = stage(policy), stage(policy)
    expected = whole(log)
    found: list[Release] = []
    edges = [0, *sorted(cuts), len(log)]
    for start, end in pairwise(edges):
        found += parts(log[start:end])
    assert found == expected
    assert parts.snapshot() == whole.snapshot()


@settings
@given(logs(), logs(), policies)
def test_a_restored_stage_looks_at_the_hold_policy_at_the_same_moments(
    before: list[Classified], after: list[Classified], policy: HoldPolicy
) -> None:
    here, there = stage(policy), stage(policy)
    here(before)
    there.restore(json.loads(json.dumps(here.snapshot())))
    here.pools.draw, there.pools.draw = seeded_draw_for_tests(9), seeded_draw_for_tests(9)
    now = before[-1].query.at if before else 0.0
    rest = [Classified(category, query._replace(at=query.at + now)) for category, query in after]
    assert here(rest) == there(rest)
    assert json.dumps(here.snapshot()) == json.dumps(there.snapshot())


@settings
@given(logs(), st.sampled_from(["suppress", "merge"]))
def test_nothing_is_held_much_longer_than_max_hold(log: list[Classified], policy: HoldPolicy) -> None:
    log.sort(key=lambda item: item.query.at)
    anonymizing = stage(policy)
    for item in log:
        anonymizing([item])
        # A look every tenth of max_hold: 50 seconds and at most 5 more.
        ages = [item.query.at - entry[2] for c, pool in anonymizing.pools if c >= 0 for entry in pool.queries]
        assert max(ages, default=0.0) <= 55.0


def test_the_query_that_set_off_a_look_is_not_yet_in_the_pools() -> None:
    anonymizing = stage("suppress")
    ask = [Classified(0, Query(f"user{n}", "text", "", at, n, "")) for n, at in enumerate((0.0, 1_000.0))]
    assert anonymizing(ask) == []
    ((_, pool),) = anonymizing.pools
    assert (pool.suppressed, [user for user, _, _ in pool.users]) == (1, ["user1"])
