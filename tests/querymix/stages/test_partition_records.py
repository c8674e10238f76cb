"""What a partition writes down and takes over: snapshots, deltas, holds, formats, damage, states of 0.1.0."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.account import Account
from querymix.core.errors import ConfigError
from querymix.core.hold_clock import QUORUM
from querymix.core.records import OTHER, Query, rows_of
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix.stages.partition import PART_BYTES, Entry, Partition

from tests.querymix.stages.old_states import OLD, shown
from tests.querymix.stages.partitions import (
    RULES,
    WAIT,
    Batch,
    Log,
    NewDraw,
    everything,
    partition,
    released,
    run,
    streams,
    ticks,
)

settings = how(deadline=None, max_examples=40)


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


SUPPRESS = Rules(2, max_hold=10.0, hold_policy="suppress", click_wait=0.0, reserve=1)


def test_without_frames_a_step_only_looks_at_what_is_held_too_long() -> None:
    it = partition(SUPPRESS)
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
    again = partition(SUPPRESS)
    again.restore(log.entries)
    assert (again.position, again.pools.held, again.account.suppressed_by_hold) == (4, 0, 1)


@pytest.mark.parametrize("off", [7200.0, -7200.0, 86_400.0, -86_400.0])
def test_a_worker_whose_clock_differs_takes_over_and_holds_no_longer(off: float) -> None:
    """The service goes on on a machine whose clock is ahead or behind, with no log coming in."""
    it = partition(Rules(2, max_hold=60.0, hold_policy="suppress", reserve=1))
    log = Log()
    log.entries += it.step([encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])], 4, 1e6).entries
    again = partition(Rules(2, max_hold=60.0, hold_policy="suppress", reserve=1))
    again.restore(log.entries)
    steps = ticks(again, 1e6 + off + 1, 1e6 + off + 120)
    assert again.account.suppressed_by_hold == 1
    gone = next(number for number, step in enumerate(steps) if step.account.suppressed_by_hold)
    assert gone >= QUORUM - 1, "one moment of a wrong clock does nothing"


def test_what_was_held_too_long_comes_out_of_the_shared_pool_and_is_remembered() -> None:
    rules = Rules(2, max_hold=10.0, hold_policy="merge", reserve=1)
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


def test_a_bound_below_the_moments_at_which_a_worker_looks_is_kept_as_well_as_can_be() -> None:
    it = partition(Rules(2, max_hold=0.5, hold_policy="suppress", reserve=1))
    it.step([encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])], 4, 100.0)
    ticks(it, 101, 103)
    assert it.pools.held == 0


@settings
@given(streams(), st.sampled_from(RULES))
def test_a_step_tells_what_it_changed(batches: list[Batch], rules: Rules) -> None:
    it = partition(rules)
    steps = run(it, batches, Log())
    total = sum((step.account for step in steps), Account())
    assert total == it.account
    assert total.total == 0, "what was taken in waits no longer"
    assert -total.waiting == it.arrived
    assert total.released == rows_of(released(steps))


def test_a_restore_keeps_no_more_than_the_last_epoch_while_it_reads() -> None:
    """The state topic before compaction: a thousand times what the pools hold."""
    it = partition(SUPPRESS)
    again = partition(SUPPRESS)
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
        partition(WAIT).restore([Entry(key, bad)])


def test_a_record_that_is_none_does_no_harm_once_a_good_one_stands_under_its_key_or_a_new_snapshot_follows() -> None:
    it = partition(WAIT)
    frame = encode_classified(1, [Query("user", "text", "", 0.0, 1, "", ())])
    entries = [entry for number in range(40) for entry in it.step([frame], number, 0.0).entries]
    last = entries[-1]
    for log in ([*entries, Entry(last.key, b"none"), last], [Entry(b"part-9", b"none"), *entries]):
        again = partition(WAIT)
        again.restore(log)
        assert everything(again) == everything(it)


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
    with pytest.raises(ConfigError, match="the old --format"):
        other.step([frame], 3, 0.0)
    assert everything(other) == before
    with pytest.raises(ConfigError, match="the old --format") as caught:
        other.restore(log)
    assert "made-up" not in str(caught.value)
    again = Partition(WAIT, NewDraw(1), "aol")
    again.restore(log)
    assert again.pools.held == 1


@pytest.mark.parametrize("name", OLD)
def test_a_state_log_of_version_0_1_0_is_taken_over(name: str) -> None:
    """Its decisions come out as they did, and new ones follow."""
    old = OLD[name]
    entries = [Entry(key.encode(), value.encode()) for key, value in old["log"]]
    rules, ordering = Rules.of(old["rules"]), Ordering(old["precision"])
    it = Partition(rules, NewDraw(1), "aol", ordering)
    it.restore(entries)
    assert (it.position, it.arrived, shown(it.pools)) == (old["position"], old["arrived"], old["pools"])
    assert it.cells.waiting == old["waiting"]
    kept = Partition(rules, NewDraw(1), "aol", ordering)
    kept.restore({entry.key: entry for entry in entries}.values())
    assert everything(kept) == everything(it)
    step = it.step([], it.position, old["now"] + 1.0)
    Partition(rules, NewDraw(1), "aol", ordering).restore([*entries, *step.entries])
    with pytest.raises(ConfigError, match="the old --format"):
        Partition(rules, NewDraw(1), "json user=uid").restore(entries)
    held = it.pools.held
    ticks(it, old["now"] + 2, old["now"] + 200)
    expired = it.account.suppressed_by_hold + sum(pool.merged for _, pool in it.pools)
    assert rules.bound is None or rules.bound > 200 or expired >= held - len(dict(it.pools).get(OTHER, ()))


def test_a_delta_of_another_version_is_refused_and_not_decided_by_todays_rules() -> None:
    (entry,) = partition(WAIT).step([encode_classified(1, [Query("user", "text", "", 0.0, 0, "", ())])], 0, 0.0).entries
    assert b'"version":3' in entry.value
    with pytest.raises(ValueError, match="another version"):
        partition(WAIT).restore([Entry(entry.key, entry.value.replace(b'"version":3', b'"version":1'))])
    with pytest.raises(ValueError, match="lacks a field"):
        partition(WAIT).restore([Entry(entry.key, entry.value.replace(b'"version":3,', b""))])


def test_no_query_and_no_user_shows_in_a_repr() -> None:
    it = partition(WAIT)
    frames = [encode_classified(1, [Query(f"somebody{n}", "something", "", 0.0, n, "", ()) for n in range(9)])]
    step = it.step(frames, 0, 0.0)
    assert step.releases
    assert "some" not in repr(step) + repr(step.entries) + repr(step.releases)
