"""Rules that change while queries are held: the new bound holds from the first moment on, and a restore repeats it.

The oracle knows when each query was handed over and by which rules a worker went, and nothing of how pools work.
"""

from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.draw import seeded_draw
from querymix.core.hold_clock import QUORUM
from querymix.core.records import OTHER, Query, each_row
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classified
from querymix.stages.partition import Partition, Step
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing, hash_of_rules

from tests.querymix.stages.partitions import DAY, Log, NewDraw, everything, partition

settings = how(deadline=None, max_examples=60)
BOUNDS: Final = [10.0, 60.0, 600.0, 30 * DAY]
rules = st.builds(
    Rules,
    k=st.integers(2, 4),
    mode=st.just("distinct"),
    delta=st.just("1.2"),
    draw=st.just("owner"),
    max_hold=st.sampled_from(BOUNDS),
    hold_policy=st.sampled_from(["trim", "trim", "suppress", "wait", "merge"]),
    established=st.sampled_from([None, None, 5.0, 7 * DAY]),
    dedupe=st.sampled_from([None, None, 20.0, DAY]),
    click_wait=st.sampled_from([0.0, 1.0, 15.0]),
    reserve=st.integers(0, 3),
    unit=st.sampled_from(["query", "session"]),
    session_gap=st.sampled_from([3.0, 60.0, 900.0]),
    session_most=st.integers(2, 4),
    session_scope=st.sampled_from(["category", "all"]),
)
orderings = st.sampled_from([Ordering(), Ordering(), Ordering(5.0), Ordering(60.0)])
frames = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=4)


class Change(NamedTuple):
    """Other rules, for the worker that runs or for the next one."""

    rules: Rules
    ordering: Ordering
    restart: bool


events = st.one_of(
    frames,
    st.integers(1, 90),
    st.sampled_from([700, 5000, int(DAY)]),
    st.builds(Change, rules, orderings, st.booleans()),
)


def slack(chosen: Rules) -> float:
    """Return for how many seconds longer a query may be held.

    Docs: deploy/README.md, "Change k". A gap of the clock is believed after 16 readings, one a second; then the reach;
    a look is a second late, and a query waits for its rows first.
    """
    assert chosen.bound is not None
    return QUORUM + max(2.0, chosen.bound / 4) + 1.0 + chosen.click_wait


class Worker:
    """A worker on one partition, second by second."""

    def __init__(self, chosen: Rules, ordering: Ordering) -> None:
        self.now = 1e9
        self.log = Log()
        self.chosen, self.ordering, self.since = chosen, ordering, self.now
        self.came: dict[int, float] = {}
        self.left: set[int] = set()
        self.state = partition(chosen, ordering=ordering)

    def step(self, given: list[bytes]) -> Step:
        step = self.state.step(given, self.state.position + len(given), self.now)
        self.log.entries += step.entries
        ranks = [int(row.query.rank or 0) for row in each_row(step.releases)]
        assert self.left.isdisjoint(ranks)
        self.left.update(ranks)
        return step

    def take(self, rows: list[tuple[int, int]]) -> None:
        given = []
        for category, user in rows:
            rank = len(self.came)
            self.came[rank] = self.now
            given.append(encode_classified(category, [Query(f"user{user}", f"text {rank % 3}", "", self.now, rank)]))
        self.step(given)

    def pass_by(self, seconds: int) -> None:
        """Let a worker look each second, but seldom where nothing would come of it anyhow."""
        end = self.now + seconds
        most = max(1.0, min(chosen.bound or 3600.0 for chosen in (self.chosen, self.state.pools.rules)) / 50)
        passed = 0
        while self.now < end:
            self.now = min(end, self.now + (1.0 if passed < 60 else most))
            passed += 1
            if self.state.due(self.now):
                passed = 0
                self.step([])
            self.check()

    def change(self, change: Change) -> None:
        if (change.rules, change.ordering) != (self.chosen, self.ordering):
            self.since = self.now
        self.chosen, self.ordering = change.rules, change.ordering
        if change.restart:
            self.state = Partition(
                change.rules, NewDraw(len(self.came)), ordering=change.ordering, least_deltas=300, part_bytes=200
            )
            self.state.restore(self.log.compacted())
        else:
            self.state.follow(change.rules, change.ordering)

    def check(self) -> None:
        """Assert that nothing is held for too long by the rules that were chosen last."""
        if self.chosen.bound is None or self.now - self.since < slack(self.chosen):
            return
        shared = self.chosen.hold_policy == "merge"
        held = [
            int(entry[1].rank or 0)
            for category, pool in self.state.pools
            if not (shared and category == OTHER)
            for entry in pool.queries
        ]
        held += [int(query.rank or 0) for query in self.state.pools._sessions.queries()]
        ages = [self.now - self.came[rank] for rank in held]
        assert max(ages, default=0.0) <= self.chosen.bound + slack(self.chosen)
        assert self.state.pools.rules == self.chosen


@settings
@given(rules, orderings, st.lists(events, max_size=14), st.integers(1, 200))
def test_after_a_change_of_rules_at_any_moment_nothing_is_held_longer_than_the_new_bound(
    first: Rules, ordering: Ordering, past: list[list[tuple[int, int]] | int | Change], then: int
) -> None:
    worker = Worker(first, ordering)
    for event in past:
        if isinstance(event, Change):
            worker.change(event)
        elif isinstance(event, int):
            worker.pass_by(event)
        else:
            worker.take(event)
    worker.pass_by(then)
    again = partition(worker.state.pools.rules, 99, ordering=worker.state.cells.ordering)
    again.restore(worker.log.compacted())
    if worker.log.entries:
        assert everything(again) == everything(worker.state)
    account = worker.state.account
    gone = account.suppressed_by_hold + account.suppressed_as_repeats
    assert account.released + account.held + gone == len(worker.came)


@settings
@given(rules, rules, st.lists(frames, min_size=1, max_size=8), st.sampled_from([0, 5, 100]))
def test_rules_that_are_taken_back_before_a_step_leave_no_trace(
    first: Rules, other: Rules, past: list[list[tuple[int, int]]], pause: int
) -> None:
    """What a rule forgets that is off cannot be got back, so nothing of the state may follow before it is written."""
    worker, untouched = Worker(first, Ordering()), Worker(first, Ordering())
    for rows in past:
        for one in (worker, untouched):
            one.pass_by(pause)
            one.take(rows)
    worker.state.follow(other, Ordering(5.0))
    assert worker.state.due(worker.now) or other == first
    worker.state.follow(first, Ordering())
    assert worker.state.due(worker.now) == untouched.state.due(worker.now)
    assert everything(worker.state) == everything(untouched.state)


OLD, NEW = Rules(3, click_wait=0.0, reserve=0), Rules(3, max_hold=60.0, click_wait=0.0, reserve=0)


@pytest.mark.parametrize("restart", [False, True])
def test_a_change_is_due_at_once_where_nothing_arrives_and_stands_in_one_step(restart: bool) -> None:
    worker = Worker(OLD, Ordering())
    worker.take([(0, 0), (0, 1)])
    worker.pass_by(3600)
    assert not worker.state.due(worker.now)
    worker.change(Change(NEW, Ordering(), restart))
    assert worker.state.due(worker.now)
    old, new = hash_of_rules(OLD, Ordering()), hash_of_rules(NEW, Ordering())
    assert worker.state.rules == old
    assert worker.step([]).rules_before == old
    assert worker.state.rules == new
    steps = []
    for _ in range(QUORUM + 2):
        worker.now += 1
        if worker.state.due(worker.now):
            steps.append(worker.step([]))
    assert {step.rules_before for step in steps} == {""}
    assert worker.state.account.suppressed_by_hold == 2
    again = partition(NEW)
    again.restore(worker.log.compacted())
    assert not again.due(worker.now)
    assert again.rules == new


def test_an_empty_partition_has_its_own_rules_and_nothing_to_write() -> None:
    it = partition(NEW)
    it.restore([])
    assert not it.due(5.0)
    assert it.rules == hash_of_rules(NEW, Ordering())


def test_the_time_policy_which_no_state_has_is_the_workers_own_at_once() -> None:
    worker = Worker(OLD, Ordering())
    worker.take([(0, 0)])
    worker.change(Change(OLD, Ordering(policy="query"), True))
    assert worker.state.cells.ordering.policy == "query"
    assert worker.step([]).rules_before == ""


def test_what_a_merge_has_left_in_the_shared_pool_is_suppressed_once_suppress_is_the_policy() -> None:
    worker = Worker(Rules(4, max_hold=10.0, hold_policy="merge", click_wait=0.0, reserve=0), Ordering())
    worker.take([(0, 0), (1, 1)])
    worker.pass_by(30)
    assert [category for category, pool in worker.state.pools if len(pool)] == [OTHER]
    worker.change(Change(Rules(4, max_hold=10.0, hold_policy="suppress", click_wait=0.0, reserve=0), Ordering(), False))
    worker.pass_by(2)
    assert worker.state.account.suppressed_by_hold == 2
    assert not worker.state.due(worker.now + 60)


def test_a_lower_k_lets_out_one_at_each_arrival_from_the_first_on() -> None:
    worker = Worker(Rules(4, click_wait=0.0, reserve=0), Ordering())
    worker.take([(0, user) for user in range(4)])
    worker.change(Change(Rules(2, click_wait=0.0, reserve=0), Ordering(), False))
    worker.take([(0, 4)])
    assert len(worker.left) == 1
    assert [pool.k for _, pool in worker.state.pools] == [2]


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("policy", ["trim", "wait"])
@pytest.mark.parametrize("wrong", [0, 1])
def test_a_run_with_a_state_holds_by_the_new_bound_from_its_first_record(
    policy: str, in_order: bool, wrong: int
) -> None:
    """Also where a day ended with a record stamped in the year 2099, under a policy that never looked at times."""

    def stage(chosen: Rules) -> Releasing:
        return Releasing(Pooling(chosen, seeded_draw(1), in_order=in_order), Cells(Ordering(), seeded_draw(1)))

    def rows(begin: float, times: list[float], first: int) -> list[Classified]:
        return [Classified(0, Query(f"user{n % 3}", "", "", begin + at, first + n, "")) for n, at in enumerate(times)]

    first = stage(Rules(5, hold_policy=policy, click_wait=0.0, reserve=0))  # type: ignore[arg-type]
    first(rows(1e9, [float(n) for n in range(40)] + [3.1e9] * wrong, 0))
    second = stage(Rules(5, max_hold=600.0, click_wait=0.0, reserve=0))
    second.restore(first.snapshot())
    for row in rows(1e9 + DAY, [float(n) for n in range(1500)], 100):
        second([row])
        if row.query.at - 1e9 - DAY > (QUORUM if not in_order else 0):
            assert all(int(query.rank or 0) >= 100 - wrong * 60 for query in second.pools.queries())
    assert min(int(query.rank or 0) for query in second.pools.queries()) > 100
