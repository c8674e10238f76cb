"""A partition's state: whatever the state log still holds of it leads to the same pools and the same future."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.records import Query, each_row
from querymix.core.rules import Rules
from querymix.stages.partition import Partition

from tests.querymix.stages.partitions import (
    RULES,
    Batch,
    Log,
    NewDraw,
    decided,
    everything,
    partition,
    released,
    run,
    streams,
)

settings = how(deadline=None, max_examples=40)


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
        assert list(map(decided, steps)) == list(map(decided, expected))
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
        assert decided(again.step(batch.frames, again.position + len(batch.frames), now)) == decided(step)
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
    held = list(again.pools.queries())
    users = [entry[0] for _, pool in again.pools for entry in pool.users]
    suppressed = again.account.suppressed
    seen = Counter(query.rank for query in [*held, *(row.query for row in each_row(out))])
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
    assert decided(it.step([good], it.position + 1, now)) == decided(
        untouched.step([good], untouched.position + 1, now)
    )
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
    held = Counter(query.rank for query in first.pools.queries())
    second = partition(new, 6)
    second.restore(log.compacted())
    now = sum(batch.wait for batch in past)
    assert second.due(now) or not past or new == old
    assert Counter(query.rank for query in second.pools.queries()) == held
    before += run(second, [Batch([], 0.0, [])], log, begin=now)
    assert second.pools.rules == new
    assert all(pool.k == new.k for _, pool in second.pools) or new.mode == "paper"
    shift = sum(len(batch.logs) for batch in past)
    later = []
    for batch in future:
        logs = [(category, query._replace(rank=shift + int(query.rank or 0))) for category, query in batch.logs]
        later.append(Batch([encode_classified(category, [query]) for category, query in logs], batch.wait, logs))
    after = run(second, later, log, begin=now)
    third = partition(new, 7)
    third.restore(log.compacted())
    assert everything(third) == everything(second)
    ranks = [row.query.rank for row in each_row([*released(before), *released(after)])]
    assert len(set(ranks)) == len(ranks)
