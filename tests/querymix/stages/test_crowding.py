"""What leaves is what enough users had when it leaves, by a plain count; and a restore goes on in the same way."""

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.draw import seeded_draw
from querymix.core.profiles import evidence
from querymix.core.records import Query, Release, each_row
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering
from querymix.stages.crowding import Crowding
from querymix.stages.partition import Partition, Step
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing, hash_of_rules

from tests.querymix.stages.crowds import LONG, PlainCount, crowding
from tests.querymix.stages.partitions import Log, NewDraw, decided, everything, partition

settings = how(deadline=None, max_examples=60)
WINDOW = 30.0
TEXTS = ["red shoes", "Red", "shoes red", "blue", "x" * (LONG + 1), "green  hat", ""]
RULES = [
    Rules(2, reserve=0, click_wait=0.0),
    Rules(2, reserve=0),
    Rules(2, reserve=0, max_hold=40.0, hold_policy="merge"),
    Rules(2, reserve=0, established=12.0, dedupe=5.0),
    Rules(2, reserve=0, unit="session", session_gap=9.0, session_most=3),
    Rules(2, mode="paper", delta="1.5"),
]
ORDERINGS = [Ordering(), Ordering(10.0)]
arrivals = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, len(TEXTS) - 1), st.integers(0, 1)), max_size=90
)
Arrivals = Sequence[tuple[int, int, int, int]]


def rows_of(stream: Arrivals) -> list[tuple[int, Query]]:
    """Return classified queries, each with a number for a rank."""
    rows, now = [], 1000
    for number, (wait, user, text, category) in enumerate(stream):
        now += wait
        rows.append((category, Query(f"user{user}", TEXTS[text], now, float(now), number, "a.example")))
    return rows


def check(it: Releasing, releases: Sequence[Release], plain: PlainCount, users: int, now: float) -> None:
    for row in each_row(releases):
        assert plain.users(row.query.text, now, WINDOW) >= users
        assert len(row.query.text) <= LONG
    account = it.account
    assert account.total == 0
    assert account.released >= 0


def stage(rules: Rules, ordering: Ordering, chosen: Crowding | None, *, in_order: bool = True) -> Releasing:
    return Releasing(Pooling(rules, seeded_draw(1), in_order=in_order), Cells(ordering, seeded_draw(2)), chosen)


@settings
@given(arrivals, st.sampled_from(RULES), st.sampled_from(ORDERINGS), st.integers(2, 4), st.booleans())
def test_each_line_of_a_log_had_enough_users_when_it_left(
    stream: Arrivals, rules: Rules, ordering: Ordering, users: int, in_order: bool
) -> None:
    it, plain, rows = stage(rules, ordering, crowding(users, WINDOW), in_order=in_order), PlainCount(), rows_of(stream)
    first: dict[str, float] = {}
    left: list[Release] = []
    for row in rows:
        query = row[1]
        now = query.at
        out = it([row]).releases
        counts = rules.established is None or now - first.get(query.user, now) >= rules.established
        if counts:
            plain.note(query.user, query.text, now)
        first.setdefault(query.user, now)
        check(it, out, plain, users, now)
        left += out
    left += (out := it.finish().releases)
    check(it, out, plain, users, it.pooling.clock.now or 0.0)
    account = it.account
    assert len(each_row(left)) == account.released
    gone = account.suppressed + account.released + account.held
    assert gone == len(rows)
    ranks = Counter(row.query.rank for row in each_row(left))
    assert max(ranks.values(), default=1) == 1


@settings
@given(arrivals, st.sampled_from(RULES), st.integers(2, 3), st.lists(st.integers(1, 30), min_size=1))
def test_it_does_not_matter_how_a_log_is_cut_into_batches(
    stream: Arrivals, rules: Rules, users: int, sizes: list[int]
) -> None:
    """Only what arrives within a thousandth of the window arrives together; here nothing does."""
    rows = rows_of([(wait + 1, *rest) for wait, *rest in stream])  # type: ignore[misc]
    one_by_one, batches = (stage(rules, Ordering(), crowding(users, WINDOW)) for _ in range(2))
    expected = [release for row in rows for release in one_by_one([row]).releases]
    found, start = [], 0
    while start < len(rows):
        size = sizes[start % len(sizes)]
        found += batches(rows[start : start + size]).releases
        start += size
    assert found == expected
    assert batches.account == one_by_one.account


@settings
@given(arrivals, st.sampled_from(RULES), st.sampled_from(ORDERINGS))
def test_the_crowd_decides_nothing_but_what_is_taken_out(stream: Arrivals, rules: Rules, ordering: Ordering) -> None:
    """Pools, draws and what is held are those of a stage without a crowd."""
    rows = rows_of(stream)
    plain, screened = stage(rules, ordering, None), stage(rules, ordering, crowding(2, WINDOW))
    for row in rows:
        plain([row])
        screened([row])
    names = ("pools", "gathering", "sessions", "clock", "repeats", "in_cells")
    before, after = plain.snapshot(), screened.snapshot()
    assert [after.get(name) for name in names] == [before.get(name) for name in names]
    suppressed = screened.account.suppressed_as_rare + screened.account.suppressed_as_long
    assert screened.account.released == plain.account.released - suppressed


def given_rows(rows: list[tuple[int, Query]], chosen: Crowding, rules: Rules) -> Releasing:
    it = stage(rules, Ordering(), chosen)
    for row in rows:
        it([row])
    return it


def test_a_row_is_taken_out_of_its_query_and_the_rest_leaves_with_its_categories() -> None:
    it = stage(RULES[0], Ordering(), crowding(2, WINDOW))
    for user in ("ann", "bob"):
        it.crowd.note([Query(user, "red shoes blue", 0, 0.0)], 0.0)
    rare, red, shoes, blue = (Query("eve", text, 0, 0.0, n) for n, text in enumerate(("odd", "RED", "shoes", "blue")))
    own = Release("ann", (1, 2, 3, 4), rare, 1, red, 5, (red, rare, shoes, blue), 0.0, (1, 2, 3, 4, 5))
    (left,) = it.crowd.screened([own])
    assert left == own._replace(query=red._replace(text="red"), further=(shoes, blue), categories=(2, 4, 5))
    (left,) = it.crowd.screened([own._replace(categories=())])
    assert (left.categories, left.user, left.origin, left.trigger) == ((), "ann", (1, 2, 3, 4), red)
    assert it.crowd.suppressed() == [4, 0]


def test_a_release_without_a_row_does_not_leave_and_gives_no_evidence() -> None:
    it = stage(RULES[0], Ordering(), crowding(2, WINDOW))
    rows = [(1, Query(f"user{number}", f"odd{number}", number, float(number))) for number in range(9)]
    released = it(rows)
    assert released.releases == []
    assert released.evidence() == evidence([]) == {}
    assert released.guesses == {}
    assert it.account.suppressed_as_rare == 9 - it.account.held > 0
    assert it.account.released == 0


def test_what_waits_for_its_cell_is_screened_when_it_leaves_and_not_when_it_was_drawn() -> None:
    """All users of the text are gone from the window by then."""
    now = 1000.0
    it, waits = (stage(RULES[0], ordering, crowding(2, WINDOW)) for ordering in (Ordering(), Ordering(3600.0)))
    rows = [(1, Query(f"user{number}", "red", now, now + number)) for number in range(6)]
    assert it(rows).releases
    assert not waits(rows).releases
    late = [(1, Query(f"user{number}", "blue", now, now + 7200 + number)) for number in range(40)]
    left = it(late).releases, waits(late).releases
    assert "red" not in {release.query.text for release in left[1]}
    assert waits.account.suppressed_as_rare > 0


def test_a_batch_of_nothing_lets_out_what_leaves_next() -> None:
    """What waited by another grid, as where a run ends and another is to follow."""
    it = stage(RULES[0], Ordering(3600.0), crowding(2, WINDOW))
    assert not it([(1, Query(f"user{number}", "red", 0, 1000.0 + number)) for number in range(6)]).releases
    it.follow(it.pools.rules, Ordering())
    assert it([]).releases


# On Kafka.


def frames_of(rows: list[tuple[int, Query]]) -> list[bytes]:
    return [encode_classified(category, [query]) for category, query in rows]


def batches_of(stream: Arrivals, size: int) -> list[tuple[float, list[tuple[int, Query]]]]:
    rows = rows_of(stream)
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [(part[-1][1].at, part) for part in parts]


def feed(it: Partition, batches: Sequence[tuple[float, list[tuple[int, Query]]]], log: Log) -> list[Step]:
    steps = []
    for now, rows in batches:
        steps.append(it.step(frames_of(rows), it.position + len(rows), now))
        log.entries += steps[-1].entries
    return steps


@settings
@given(arrivals, st.sampled_from(RULES), st.sampled_from(ORDERINGS), st.integers(2, 3), st.integers(1, 9))
def test_each_line_of_a_partition_had_enough_users_when_its_transaction_was_decided(
    stream: Arrivals, rules: Rules, ordering: Ordering, users: int, size: int
) -> None:
    it, plain, log = partition(rules, ordering=ordering, crowding=crowding(users, WINDOW)), PlainCount(), Log()
    first: dict[str, float] = {}
    arrived = released = 0
    for now, rows in batches_of(stream, size):
        (step,) = feed(it, [(now, rows)], log)
        clock = it.pooling.clock.now or 0.0
        for _, query in rows:
            if rules.established is None or clock - first.get(query.user, clock) >= rules.established:
                plain.note(query.user, query.text, clock)
        for _, query in rows:
            first.setdefault(query.user, clock)
        check(it.releasing, step.releases, plain, users, clock)
        arrived += len(rows)
        released += len(each_row(step.releases))
        assert released == it.account.released
        assert it.account.released + it.account.held + it.account.suppressed == arrived


@settings
@given(
    arrivals, arrivals, st.sampled_from(RULES), st.sampled_from(ORDERINGS), st.integers(1, 9),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_whatever_compaction_leaves_gives_the_same_state_and_the_same_future(
    past: Arrivals, future: Arrivals, rules: Rules, ordering: Ordering, size: int, keep: object
) -> None:
    whole, log, chosen = partition(rules, ordering=ordering, crowding=crowding(2, WINDOW)), Log(), crowding(2, WINDOW)
    feed(whole, batches_of(past, size), log)
    before = everything(whole)
    restored = []
    for entries in (log.entries, log.compacted(), log.compacted(keep)):  # type: ignore[arg-type]
        again = partition(rules, 77, ordering=ordering, crowding=chosen)
        again.restore(entries)
        assert everything(again) == before
        restored.append(again)
    whole._recorder._source = NewDraw(9)
    whole.cells._draw = NewDraw(8)
    later = [(now + 500, rows) for now, rows in batches_of(future, size)]
    expected = feed(whole, later, Log())
    for again in restored:
        again._recorder._source = NewDraw(9)
        again.cells._draw = NewDraw(8)
        assert list(map(shown, feed(again, later, Log()))) == list(map(shown, expected))
        assert everything(again)["crowd"] == everything(whole)["crowd"]


def shown(step: Step) -> object:
    """Return what a step decided; of what waited for its cell only the time of the trigger is kept."""
    releases = [one._replace(trigger=Query("", "", one.trigger.time, one.trigger.at)) for one in step.releases]
    return decided(step._replace(released=step.released._replace(releases=releases)))


CHOICES = [None, crowding(2, WINDOW), crowding(3, WINDOW), crowding(2, 5.0), crowding(2, WINDOW, "terms")]


@settings
@given(arrivals, st.lists(st.tuples(st.sampled_from(CHOICES), st.booleans()), min_size=1, max_size=5))
def test_a_restore_decides_as_then_and_the_rules_of_today_hold_from_the_next_step(
    stream: Arrivals, changes: list[tuple[Crowding | None, bool]]
) -> None:
    rules, log = RULES[1], Log()
    it = partition(rules, crowding=changes[0][0])
    for number, (now, rows) in enumerate(batches_of(stream, 5)):
        chosen, restart = changes[number % len(changes)]
        before, in_force = everything(it), it.rules
        if restart:
            it = partition(rules, 9 + number, crowding=chosen)
            it.restore(log.compacted())
            same = before.keys() - ({"crowd"} if chosen is None else set())  # who wants no window has it not repeated
            after = everything(it)
            assert {name: after[name] for name in same} == {name: before[name] for name in same}
            assert it.rules == in_force or not number
        else:
            it.follow(rules, Ordering(), chosen)
        assert it.due(now) or it.rules == hash_of_rules(rules, Ordering(), chosen and chosen.rules)
        (step,) = feed(it, [(now, rows)], log)
        assert it.rules == hash_of_rules(rules, Ordering(), chosen and chosen.rules)
        assert it.releasing.crowd.rules == (chosen and chosen.rules)
        assert step.account.total == 0
        if chosen is None:
            assert step.account.suppressed_as_rare == 0


def test_the_hash_tells_crowds_apart_and_is_what_it_was_where_there_is_none() -> None:
    hashes = [hash_of_rules(RULES[0], Ordering(), chosen and chosen.rules) for chosen in CHOICES]
    assert len(set(hashes)) == len(hashes)
    assert hashes[0] == hash_of_rules(RULES[0], Ordering())


def test_a_decision_without_a_crowd_is_as_it_was_before_there_were_any() -> None:
    it = partition(RULES[0])
    assert not {"crowd", "suppressed"} & it.releasing.decision(0.0).keys()


@pytest.mark.parametrize("size", [1, 4])
def test_a_worker_without_a_crowd_reads_the_state_of_one_with_it_and_forgets_the_window(size: int) -> None:
    log, stream = Log(), [(1, number % 6, number % 3, 0) for number in range(60)]
    it = partition(RULES[1], crowding=crowding(2, WINDOW))
    feed(it, batches_of(stream, size), log)
    counts = it.account.suppressed_as_rare, it.account.suppressed_as_long
    other = partition(RULES[1])
    other.restore(log.compacted())
    assert other.due(2000.0)
    step = other.step([], other.position, 2000.0)
    assert step.rules_before == it.rules
    assert other.pools.crowd is None
    assert (other.account.suppressed_as_rare, other.account.suppressed_as_long) == counts
    log.entries += step.entries
    third = partition(RULES[1])
    third.restore(log.compacted())
    assert third.account == other.account


def test_a_damaged_window_is_refused_by_the_name_of_the_state() -> None:
    log = Log()
    it = partition(RULES[1], crowding=crowding(2, WINDOW))
    feed(it, batches_of([(1, number % 6, number % 3, 0) for number in range(60)], 4), log)
    entries = log.compacted()
    broken = [
        entry._replace(value=json.dumps(state | {"crowd_head": {"suppressed": [0]}}).encode())
        for entry in entries
        if entry.key.startswith(b"part-") and (state := json.loads(entry.value))
    ]
    with pytest.raises(ValueError, match=r"argument|field"):
        partition(RULES[1]).restore(broken)


def test_a_state_as_plain_data_goes_on_in_the_library_and_in_a_run() -> None:
    rows = rows_of([(1, number % 6, number % 4, number % 2) for number in range(80)])
    whole, again = (stage(RULES[1], Ordering(), crowding(2, WINDOW)) for _ in range(2))
    expected = [whole([row]).releases for row in rows]
    first = stage(RULES[1], Ordering(), crowding(2, WINDOW))
    for row in rows[:40]:
        first([row])
    again.restore(json.loads(json.dumps(first.snapshot())))
    assert everything_of(again) == everything_of(first)
    del expected
    again.pools.draw, first.pools.draw = seeded_draw(4), seeded_draw(4)
    assert [again([row]).releases for row in rows[40:]] == [first([row]).releases for row in rows[40:]]
    assert again.account == first.account


def everything_of(it: Releasing) -> object:
    return json.loads(json.dumps(it.snapshot()))


@settings
@given(arrivals, arrivals, st.sampled_from(RULES), st.integers(1, 9))
def test_a_state_of_before_there_were_crowds_is_read_as_one_without(
    past: Arrivals, future: Arrivals, rules: Rules, size: int
) -> None:
    """0.6.0 wrote neither a head nor a list of pairs."""
    log = Log()
    it = partition(rules)
    feed(it, batches_of([(1, 0, 0, 0), *past], size), log)
    older = []
    for entry in log.compacted():
        first, mark, rest = entry.value.partition(b"\n")
        state = {name: value for name, value in json.loads(first).items() if name not in ("crowd", "crowd_head")}
        older.append(entry._replace(value=json.dumps(state).encode() + mark + rest))
    again = partition(rules, 77, crowding=crowding(2, WINDOW))
    again.restore(older)
    log.entries = older
    assert again.account == it.account
    assert again.rules == it.rules
    assert again.releasing.crowd.rules is None
    assert again.due(0.0)
    (step, *_) = feed(again, [(now + 500, rows) for now, rows in batches_of([(1, 0, 0, 0), *future], size)], log)
    assert step.rules_before == it.rules
    assert again.account.total == 0
    third = partition(rules, 78, crowding=crowding(2, WINDOW))
    third.restore(log.compacted())
    assert third.account == again.account


def test_a_checkpoint_of_before_there_were_crowds_goes_on() -> None:
    it = stage(RULES[1], Ordering(), None)
    for row in rows_of([(1, number % 6, number % 4, 0) for number in range(40)]):
        it([row])
    state = json.loads(json.dumps(it.snapshot()))
    del state["crowd"], state["crowd_head"]
    again = stage(RULES[1], Ordering(), crowding(2, WINDOW))
    again.restore(state)
    assert again.account == it.account
    assert again.crowd.on, "today's rules hold from here on"


@pytest.mark.parametrize("least_deltas", [1 << 20, 1], ids=["deltas", "a snapshot"])
def test_0_6_0_which_would_screen_nothing_refuses_what_a_crowd_has_decided(least_deltas: int) -> None:
    """It takes deltas of the versions 2 and 3, and looks for `cells` in each part of a snapshot."""

    def written(chosen: Crowding | None, before: Crowding | None) -> list[bool]:
        it = Partition(RULES[0], seeded_draw(1), crowding=before, least_deltas=least_deltas)
        for number in range(9):
            it.step([encode_classified(1, [Query(f"user{number}", f"odd{number}", 0, 0.0, number)])], number, 1000.0)
        it.follow(RULES[0], Ordering(), chosen)
        heads = [json.loads(one.value.partition(b"\n")[0]) for n in (9, 10) for one in it.step([], n, 1000.0).entries]
        return [head["version"] in (2, 3) if "version" in head else "cells" in head for head in heads]

    assert not any(written(crowding(2), None))
    assert not any(written(None, crowding(2))), "what was suppressed is in no account of 0.6.0"
    assert all(written(None, None))
