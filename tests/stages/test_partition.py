"""A partition's state: whatever the state log still holds of it leads to the same pools and the same future."""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from service.codecs.frames import encode_classified
from service.core.account import Account
from service.core.draw import Draw
from service.core.errors import Misconfigured
from service.core.holdclock import QUORUM
from service.core.records import OTHER, Query, Release
from service.core.rules import Rules
from service.stages.partition import LEAST_DELTAS, PART_BYTES, Entry, Partition, Step
from tests.stages.old_states import OLD, shown

settings = how(deadline=None, max_examples=40)
WAIT = Rules(2)
RULES = [
    WAIT,
    Rules(2, max_hold=50.0, hold_policy="suppress"),
    Rules(3, max_hold=50.0, hold_policy="merge"),
    Rules(2, mode="paper", delta="1.5"),
    Rules(2, max_hold=50.0, hold_policy="merge", draw="entry"),
]
TEXTS = ["guitar chords", "caf\u00e9", "\udce9", "\U0001f600", "tab\ttab", ""]


class Batch(NamedTuple):
    """What one step is given."""

    frames: list[bytes]
    wait: float
    """Seconds since the step before."""
    logs: list[tuple[int, Query]]


class NewDraw(Draw):
    """Draws as the operating system's generator does: a number never comes a second time."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed).randbytes)
        self.asked = 0

    def below(self, n: int) -> int:
        self.asked += 1
        return super().below(n)


@st.composite
def streams(draw: st.DrawFn, most: int = 25) -> list[Batch]:
    """Return batches of frames; each log has a number of its own for a rank."""
    batches, number = [], 0
    shapes = st.lists(st.tuples(st.integers(-1, 2), st.lists(st.integers(0, 5), max_size=8)), max_size=4)
    for shape, wait in draw(st.lists(st.tuples(shapes, st.sampled_from([0, 1, 9, 60])), max_size=most)):
        frames, logs = [], []
        for category, users in shape:
            queries = []
            for user in users:
                extra = (False, ("user", "query"), ((1, (2,)),)) if number % 3 else ()
                text = TEXTS[number % len(TEXTS)]
                queries.append(Query(f"user{user}", text, number, number / 7, number, "a.example", extra))
                number += 1
            frames.append(encode_classified(category, queries))
            logs += [(category, query) for query in queries]
        batches.append(Batch(frames, float(wait), logs))
    return batches


class Log:
    """A partition of the state topic: everything that was ever written."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def compacted(self, keep: random.Random | None = None) -> list[Entry]:
        """Return the last entry of each key, and with `keep` some of the older ones too, in the log's order."""
        last = {entry.key: place for place, entry in enumerate(self.entries)}
        return [
            entry
            for place, entry in enumerate(self.entries)
            if last[entry.key] == place or (keep is not None and keep.random() < 0.5)
        ]


def partition(rules: Rules, seed: int = 5, *, small: bool = True) -> Partition:
    """Return a new one; a small one writes snapshots often, in parts of a few entries."""
    sizes = (300, 200) if small else (LEAST_DELTAS, PART_BYTES)
    return Partition(rules, NewDraw(seed), least_deltas=sizes[0], part_bytes=sizes[1])


def run(it: Partition, batches: Iterable[Batch], log: Log, *, begin: float = 0.0) -> list[Step]:
    """Take the batches in and write the log."""
    steps = []
    now = begin
    for batch in batches:
        now += batch.wait
        steps.append(it.step(batch.frames, it.position + len(batch.frames), now))
        log.entries += steps[-1].entries
    return steps


def everything(it: Partition) -> dict[str, Any]:
    """Return all of a partition's state that has a say in what comes."""
    return {
        "pools": {
            category: (
                pool.k, pool.users, pool.queries, pool.user_counts, pool.places, pool.owners, pool.spread,
                pool.released, pool.own_returned, pool.suppressed, pool.merged, pool.anonymity,
            )
            for category, pool in it.pools
        },
        "rules": it.pools.rules,
        "position": it.position,
        "arrived": it.arrived,
        "pooling": it.pooling.snapshot(),
    }  # fmt: skip


def released(steps: Iterable[Step]) -> list[Release]:
    return [release for step in steps for release in step.releases]


@settings
@given(streams(), streams(8), st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_any_log_that_compaction_may_leave_gives_the_same_state_and_the_same_future(
    past: list[Batch], future: list[Batch], rules: Rules, keep: random.Random
) -> None:
    log = Log()
    whole = partition(rules)
    run(whole, past, log)
    now = sum(batch.wait for batch in past)
    before = everything(whole)
    restored = []
    for entries in (log.entries, log.compacted(), log.compacted(keep)):
        again = partition(rules, 77)
        again.restore(entries)
        assert everything(again) == before
        restored.append(again)
    # From here on all draw the same numbers, so that what they do can be compared.
    whole._recorder._source = NewDraw(9)
    expected = run(whole, future, Log(), begin=now)
    for again in restored:
        again._recorder._source = NewDraw(9)
        steps = run(again, future, Log(), begin=now)
        assert steps == expected
        assert everything(again) == everything(whole)


@settings
@given(streams(), st.sampled_from(RULES))
def test_a_restore_after_every_step_changes_nothing(batches: list[Batch], rules: Rules) -> None:
    """A worker that is killed after each transaction does what one does that never is."""
    log = Log()
    whole, draw = partition(rules), NewDraw(5)
    now = 0.0
    for batch in batches:
        now += batch.wait
        (step,) = run(whole, [batch], Log(), begin=now - batch.wait)
        again = Partition(rules, draw, least_deltas=300, part_bytes=200)
        again.restore(log.compacted())
        assert again.step(batch.frames, again.position + len(batch.frames), now) == step
        log.entries += step.entries
        assert everything(again) == everything(whole)


@settings
@given(streams(), st.sampled_from(RULES))
def test_every_log_is_released_held_or_suppressed_once_and_every_user_too(batches: list[Batch], rules: Rules) -> None:
    log = Log()
    it = partition(rules)
    out = released(run(it, batches, log))
    again = partition(rules, 77)
    again.restore(log.compacted())
    put = [query for batch in batches for _, query in batch.logs]
    held = [entry[1] for _, pool in again.pools for entry in pool.queries]
    users = [entry[0] for _, pool in again.pools for entry in pool.users]
    suppressed = sum(pool.suppressed for _, pool in again.pools)
    seen = Counter(query.rank for query in [*held, *(release.query for release in out)])
    assert not seen - Counter(query.rank for query in put), "nothing twice, nothing made up"
    assert seen.total() + suppressed == len(put) == again.arrived
    assert not Counter(users) + Counter(release.user for release in out) - Counter(query.user for query in put)
    if rules.mode == "distinct":
        assert all(release.user != release.query.user for release in out)


@settings
@given(streams(), st.sampled_from(RULES))
def test_a_restore_draws_no_number(batches: list[Batch], rules: Rules) -> None:
    log = Log()
    run(partition(rules), batches, log)
    draw = NewDraw(1)
    again = Partition(rules, draw)
    again.restore(log.compacted())
    assert draw.asked == 0


BAD = [b"", b"{}", b"[1,\n[]]", b"[99, []]", b'[1, [{"a": 1}]]', b"[" * 100_000, b'[1, [["user", "text"]]]']


@settings
@given(streams(), st.sampled_from(BAD), st.sampled_from(RULES))
def test_a_bad_frame_leaves_the_state_as_it_was(batches: list[Batch], bad: bytes, rules: Rules) -> None:
    good = encode_classified(1, [Query("user0", "text", 0, 0.0, 0, "", ())])
    it, untouched = partition(rules), partition(rules)
    log = Log()
    run(it, batches, log)
    run(untouched, batches, Log())
    now = sum(batch.wait for batch in batches) + 1
    with pytest.raises(ValueError, match="not a frame"):
        it.step([good, bad], it.position + 2, now)
    assert everything(it) == everything(untouched)
    assert it.step([good], it.position + 1, now) == untouched.step([good], untouched.position + 1, now)
    assert everything(it) == everything(untouched)


@settings
@given(streams(), streams(), st.sampled_from(RULES), st.sampled_from(RULES))
def test_new_rules_change_nothing_that_was_decided_and_hold_from_then_on(
    past: list[Batch], future: list[Batch], old: Rules, new: Rules
) -> None:
    """An operator starts the workers again with another k: what was drawn before must not be drawn again."""
    log = Log()
    first = partition(old)
    before = run(first, past, log)
    held = Counter(entry[1].rank for _, pool in first.pools for entry in pool.queries)
    second = partition(new, 6)
    second.restore(log.compacted())
    assert second.pools.rules == new
    assert Counter(entry[1].rank for _, pool in second.pools for entry in pool.queries) == held
    assert all(pool.k == new.k for _, pool in second.pools) or new.mode == "paper"
    now = sum(batch.wait for batch in past)
    shift = sum(len(batch.logs) for batch in past)
    later = []
    for batch in future:
        logs = [(category, query._replace(rank=shift + int(query.rank or 0))) for category, query in batch.logs]
        later.append(Batch([encode_classified(category, [query]) for category, query in logs], batch.wait, logs))
    after = run(second, later, log, begin=now)
    third = partition(new, 7)
    third.restore(log.compacted())
    assert everything(third) == everything(second)
    ranks = [release.query.rank for release in [*released(before), *released(after)]]
    assert len(set(ranks)) == len(ranks)


def test_a_snapshot_in_many_parts_holds_no_part_that_is_too_large_for_a_record() -> None:
    """Pools of the longest queries, in the characters that take the most room."""
    it = partition(WAIT, small=False)
    entries: list[Entry] = []
    for number in range(60):
        query = Query("user", "\udcff" * 60_000, "", 0.0, number, "", ())
        entries += it.step([encode_classified(1, [query])], number, 0.0).entries
    snapshot = [entry for entry in entries if entry.key.startswith(b"part")]
    assert len(snapshot) > 10
    assert max(len(entry.value) for entry in entries) < 2 * PART_BYTES
    again = partition(WAIT, small=False)
    again.restore({entry.key: entry for entry in entries}.values())
    assert everything(again) == everything(it)


def test_deltas_are_written_until_they_outweigh_a_snapshot() -> None:
    """Otherwise large pools would be written again with each small step."""
    it = partition(WAIT)
    frame = encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])
    kinds = []
    for number in range(400):
        kinds += [entry.key[:4] for entry in it.step([frame], number, 0.0).entries[:1]]
    snapshots = [place for place, kind in enumerate(kinds) if kind == b"part"]
    pauses = [later - earlier for earlier, later in pairwise(snapshots)]
    assert pauses == sorted(pauses)
    assert len(snapshots) < 20


@pytest.mark.parametrize("lost", [b"part-0", b"part-1", b"delta-0"])
def test_a_log_with_a_hole_is_refused(lost: bytes) -> None:
    log = Log()
    it = partition(WAIT)
    frame = encode_classified(1, [Query("user", "some text", "", 0.0, 0, "", ()) for _ in range(8)])
    number = 0
    while not log.entries or log.entries[-1].key != b"delta-1" or b'"epoch":0' in log.entries[-1].value:
        log.entries += it.step([frame], number, 0.0).entries
        number += 1
    with pytest.raises(ValueError, match="the state log lacks"):
        partition(WAIT).restore([entry for entry in log.compacted() if entry.key != lost])


def ticks(it: Partition, begin: float, end: float) -> list[Step]:
    """Let a second pass at a time, as a worker does without frames."""
    return [it.step([], it.position, float(now)) for now in range(int(begin), int(end)) if it.due(now)]


def test_without_frames_a_step_only_looks_at_what_is_held_too_long() -> None:
    it = partition(Rules(2, max_hold=10.0, hold_policy="suppress"))
    log = Log()
    log.entries += it.step([encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])], 4, 100.0).entries
    assert it.due(100.5)
    assert not it.step([], it.position, 100.5).releases
    assert not it.due(101.0)
    steps = ticks(it, 102, 120)
    assert [step.account.suppressed_by_hold for step in steps].count(1) == 1
    log.entries += [entry for step in steps for entry in step.entries]
    assert it.pools.held == 0
    assert not it.due(1000.0), "nothing is held"
    again = partition(Rules(2, max_hold=10.0, hold_policy="suppress"))
    again.restore(log.entries)
    assert (again.position, again.pools.held, again.account.suppressed_by_hold) == (4, 0, 1)


@pytest.mark.parametrize("off", [7200.0, -7200.0, 86_400.0, -86_400.0])
def test_a_worker_whose_clock_differs_takes_over_and_holds_no_longer(off: float) -> None:
    """The service goes on on a machine whose clock is ahead or behind, with no log coming in."""
    it = partition(Rules(2, max_hold=60.0, hold_policy="suppress"))
    log = Log()
    log.entries += it.step([encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])], 4, 1e6).entries
    again = partition(Rules(2, max_hold=60.0, hold_policy="suppress"))
    again.restore(log.entries)
    steps = ticks(again, 1e6 + off + 1, 1e6 + off + 120)
    assert again.account.suppressed_by_hold == 1
    gone = next(number for number, step in enumerate(steps) if step.account.suppressed_by_hold)
    assert gone >= QUORUM - 1, "one moment of a wrong clock does nothing"


def test_what_was_held_too_long_comes_out_of_the_shared_pool_and_is_remembered() -> None:
    rules = Rules(2, max_hold=10.0, hold_policy="merge")
    it = partition(rules)
    log = Log()
    for category in range(3):
        query = Query(f"user{category}", "text", category, 0.0, category, "", ())
        log.entries += it.step([encode_classified(category, [query])], category, 0.0).entries
    steps = ticks(it, 1, 60)
    log.entries += [entry for step in steps for entry in step.entries]
    assert [release.pool for release in released(steps)] == [OTHER]
    again = partition(rules)
    again.restore(log.entries)
    assert everything(again) == everything(it)


@settings
@given(streams(), st.sampled_from(RULES))
def test_a_step_tells_what_it_changed(batches: list[Batch], rules: Rules) -> None:
    it = partition(rules)
    steps = run(it, batches, Log())
    total = sum((step.account for step in steps), Account())
    assert total == it.account
    assert total.total == 0, "what was taken in waits no longer"
    assert -total.waiting == it.arrived
    assert total.released == len(released(steps))


def test_a_restore_keeps_no_more_than_the_last_epoch_while_it_reads() -> None:
    """The state topic before compaction: a thousand times what the pools hold."""
    it = partition(Rules(2, max_hold=10.0, hold_policy="suppress"))
    again = partition(Rules(2, max_hold=10.0, hold_policy="suppress"))
    read, most, largest = 0, 0, 0
    for number in range(3000):
        frame = encode_classified(1, [Query("user", "text", "", 0.0, number, "", ())])
        for entry in it.step([frame], number, number / 10).entries:
            again.fold(entry)
            read += len(entry.value)
            most = max(most, again.folded_bytes)
        largest = max(largest, it._snapshot_bytes)
    assert most < 3 * max(largest, 300)
    assert read > 10 * most
    again.restored()
    assert again.folded_bytes == 0
    assert everything(again) == everything(it)


@pytest.mark.parametrize(
    "bad", [b"", b"{}", b"[]", b"7", b"null", b"\xff", b'{"epoch": "x"}', b'{"epoch": null}', b"[" * 100_000]
)
@pytest.mark.parametrize("key", [b"delta-0", b"part-0"])
def test_a_record_that_is_none_is_refused_by_its_key(key: bytes, bad: bytes) -> None:
    with pytest.raises(ValueError, match=key.decode()):
        partition(WAIT).fold(Entry(key, bad))


@pytest.mark.parametrize("rest", [b"}", b', "parts": 1, "pools": []}', b', "parts": 1, "pools": {"1": 5}}'])
def test_a_damaged_snapshot_is_refused(rest: bytes) -> None:
    with pytest.raises(ValueError, match="the state log"):
        partition(WAIT).restore([Entry(b"part-0", b'{"epoch": 1' + rest)])


def test_the_keys_of_others_are_left_out() -> None:
    it = partition(WAIT)
    it.restore([Entry(b"raw-0", b"whatever")])
    assert everything(it) == everything(partition(WAIT))


def test_frames_and_states_of_another_format_are_refused_and_change_nothing() -> None:
    frame = encode_classified(1, [Query("user", "made-up text", "", 0.0, 0, "", ())], "aol")
    it = Partition(WAIT, NewDraw(1), "aol")
    log = it.step([frame], 3, 0.0).entries
    other = Partition(WAIT, NewDraw(1), "json user=uid")
    before = everything(other)
    with pytest.raises(Misconfigured, match="the old --format"):
        other.step([frame], 3, 0.0)
    assert everything(other) == before
    with pytest.raises(Misconfigured, match="the old --format") as caught:
        other.restore(log)
    assert "made-up" not in str(caught.value)
    again = Partition(WAIT, NewDraw(1), "aol")
    again.restore(log)
    assert again.pools.held == 1


@pytest.mark.parametrize("name", OLD)
def test_a_state_log_from_before_the_hold_clock_is_taken_over(name: str) -> None:
    """Written by the code of commit a4c9ecf: old decisions come out as they did, and new ones follow."""
    old = OLD[name]
    entries = [Entry(key.encode(), value.encode()) for key, value in old["log"]]
    rules = Rules.of(old["rules"])
    it = Partition(rules, NewDraw(1), "aol")
    it.restore(entries)
    assert (it.position, it.arrived, shown(it.pools)) == (old["position"], old["arrived"], old["pools"])
    kept = Partition(rules, NewDraw(1), "aol")
    kept.restore({entry.key: entry for entry in entries}.values())
    assert everything(kept) == everything(it)
    step = it.step([], it.position, old["now"] + 1.0)
    kept.restore([*entries, *step.entries])
    with pytest.raises(Misconfigured, match="the old --format"):
        Partition(rules, NewDraw(1), "json user=uid").restore(entries)
    held = it.pools.held
    ticks(it, old["now"] + 2, old["now"] + 200)
    expired = it.account.suppressed_by_hold + sum(pool.merged for _, pool in it.pools)
    assert rules.bound is None or expired >= held - len(dict(it.pools).get(OTHER, ()))


def test_no_query_and_no_user_shows_in_a_repr() -> None:
    it = partition(WAIT)
    frames = [encode_classified(1, [Query(f"somebody{n}", "something", "", 0.0, n, "", ()) for n in range(9)])]
    step = it.step(frames, 0, 0.0)
    assert step.releases
    assert "some" not in repr(step) + repr(step.entries) + repr(step.releases)
