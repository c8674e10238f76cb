"""Putting refused records back, over the log in memory: each once, whatever kills a replay."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import TransientError
from querymix.kafka.deadletter import DeadLetter
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.replay import EVERY, Choice, Replayed, Shown, read_dead_letters, replay
from querymix.kafka.topics import Found

FOUND = Found("letters", "", 2, 1, frozenset())


def log_with(*topics: str) -> MemoryLog:
    """Return a log with a letter for a record of each of the topics, spread over the partitions."""
    log = MemoryLog({"letters": 2, "raw": 1})
    for number, topic in enumerate(topics):
        letter = DeadLetter(b"key", b"value %d" % number, "the reason", topic, 0, number)
        log.put("letters", number % 2, letter.key, letter.kept, letter.headers())
    return log


def letters_of(*reasons: str) -> MemoryLog:
    """Return a log with a letter a reason, a second apart, from raw partitions 0 to 2 in turn, over two partitions."""
    log = MemoryLog({"letters": 2, "raw": 1})
    for number, reason in enumerate(reasons):
        letter = DeadLetter(None, b"value %d" % number, reason, "raw", number % 3, number)
        log.put("letters", number // 2 % 2, None, letter.kept, letter.headers(), timestamp=1000.0 * number)
    return log


async def shown(log: MemoryLog, choice: Choice = EVERY) -> list[Shown]:
    return [one async for one in read_dead_letters(log, FOUND, "raw", "g", choice)]


def raw(log: MemoryLog) -> list[bytes | None]:
    return sorted((record.value for record in log.records("raw")), key=str)


async def test_letters_are_read_with_their_places_in_order() -> None:
    log = log_with("raw", "classified", "raw")
    log.put("letters", 1, None, b"a stranger's")
    found = [(one.partition, one.offset, one.letter.topic) for one in await shown(log)]
    assert found == [(0, 0, "raw"), (0, 1, "raw"), (1, 0, "classified"), (1, 1, "")]


async def test_raw_records_of_all_partitions_are_put_back_once_and_others_left() -> None:
    log = log_with("raw", "raw", "classified", "raw")
    assert await replay(log, FOUND, "raw", "g") == Replayed(3, 1)
    assert await replay(log, FOUND, "raw", "g") == Replayed(0, 0)
    assert raw(log) == [b"value 0", b"value 1", b"value 3"]
    log.put("letters", 0, b"key", b"value 4", DeadLetter(b"key", b"value 4", "the reason", "raw", 0, 4).headers())
    assert await replay(log, FOUND, "raw", "g") == Replayed(1, 0)


async def test_a_replay_that_fails_in_the_middle_is_done_again_whole() -> None:
    log = log_with(*["raw"] * 4)

    def fail(what: str) -> None:
        if what == "commit" and len(log.records("raw")) == 2:
            raise TransientError("away")

    log.happened = fail
    with pytest.raises(TransientError, match="away"):
        await replay(log, FOUND, "raw", "g")
    log.happened = lambda what: None
    assert await replay(log, FOUND, "raw", "g") == Replayed(2, 0)
    assert raw(log) == [b"value %d" % number for number in range(4)]


async def test_of_two_replays_the_earlier_one_ends_and_says_so() -> None:
    log = log_with("raw")

    def overtake(what: str) -> None:
        for writer in log._writers.values():
            writer.over = True

    log.happened = overtake
    with pytest.raises(TransientError, match="another replay began; this one ends after 0 records"):
        await replay(log, FOUND, "raw", "g")
    assert raw(log) == []


async def test_letters_of_a_topic_that_was_made_anew_are_put_back_from_its_beginning() -> None:
    log = log_with("raw")
    log.groups["g-replay", TopicPartition("letters", 0)] = 99
    assert await replay(log, FOUND, "raw", "g") == Replayed(1, 0)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (Choice(reasons=["LONG"]), [1, 4]),
        (Choice(reasons=["long", "time"]), [1, 4, 5, 2]),
        (Choice(partitions=[0]), [0, 3]),
        (Choice(partitions=[1, 2], reasons=["time"]), [5, 2]),
        (Choice(since=2.0, until=4.0), [2, 3]),
        (Choice(limit=1), [0]),
        (Choice(limit=5), [0, 1, 4, 5, 2]),
        (Choice(reasons=["nothing like it"]), []),
    ],
)
async def test_the_letters_that_are_chosen_are_shown_and_put_back(choice: Choice, expected: list[int]) -> None:
    reasons = ["empty", "too long", "not a time"] * 2
    log = letters_of(*reasons)
    values = [b"value %d" % number for number in expected]
    assert [one.letter.value for one in await shown(log, choice)] == values
    tried = await replay(log, FOUND, "raw", "g", choice, dry_run=True)
    assert raw(log) == []
    assert tried == await replay(log, FOUND, "raw", "g", choice) == Replayed(len(expected), 0, 6 - len(expected))
    assert raw(log) == sorted(values)
    assert [one.letter.value for one in await shown(log) if one.put_back] == sorted(values, key=values.index)
    assert len(await shown(log)) == 6, "a note is no letter"
    assert await replay(log, FOUND, "raw", "g") == Replayed(6 - len(expected), 0)
    assert len(raw(log)) == 6


@pytest.mark.parametrize("choice", [EVERY, Choice(reasons=["large"]), Choice(limit=1)])
async def test_a_batch_that_was_not_unpacked_is_shown_and_stays_a_letter_and_holds_up_none_behind_it(
    choice: Choice,
) -> None:
    log = MemoryLog({"letters": 2, "raw": 1})
    batch = DeadLetter(None, b"packed", "too large", "raw", 0, 9, 5)
    for letter in (batch, batch._replace(reason="the reason", batch=0, value=b"a record")):
        log.put("letters", 0, None, letter.kept, letter.headers())
    done = await replay(log, FOUND, "raw", "g", choice)
    assert (done.left, raw(log)) == (1, [b"a record"] * done.replayed)
    await replay(log, FOUND, "raw", "g")
    assert raw(log) == [b"a record"]
    first, second = await shown(log)
    assert (first.letter, first.put_back, second.put_back) == (batch, False, True)
    assert await replay(log, FOUND, "raw", "g") == Replayed(0, 0)


CHOICES = st.builds(
    Choice,
    reasons=st.lists(st.sampled_from(["a", "b", "c"]), max_size=2),
    partitions=st.lists(st.integers(0, 2), max_size=2),
    since=st.sampled_from([0.0, 3.0]),
    limit=st.sampled_from([1.0, 3.0, float("inf")]),
)


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=20),
    st.lists(st.tuples(CHOICES, st.integers(0, 12)), max_size=6),
)
def test_whatever_is_chosen_in_turn_and_wherever_it_is_killed_no_letter_is_put_back_twice_and_none_is_lost(
    reasons: list[str], turns: list[tuple[Choice, int]]
) -> None:
    log = letters_of(*reasons)

    async def go() -> None:
        for choice, steps in turns:
            left = [steps]

            def kill(_: str, left: list[int] = left) -> None:
                left[0] -= 1
                if left[0] == 0:
                    raise TransientError("killed")

            before = Counter(raw(log))
            log.happened = kill
            try:
                await replay(log, FOUND, "raw", "g", choice)
            except TransientError:
                continue
            finally:
                log.happened = lambda what: None
            more = Counter(raw(log)) - before
            assert sum(more.values()) <= choice.limit
            chosen = {one.letter.value for one in await shown(log, choice._replace(limit=float("inf")))}
            assert set(more) <= chosen
            if choice.limit == float("inf"):
                assert chosen <= set(raw(log))
        await replay(log, FOUND, "raw", "g")

    asyncio.run(go())
    assert raw(log) == sorted((b"value %d" % number for number in range(len(reasons))), key=str)
    assert all(one.put_back for one in asyncio.run(shown(log)))
