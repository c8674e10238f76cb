"""Putting refused records back, over the log in memory: each once, whatever kills a replay."""

import pytest
from querymix.core.errors import TransientError
from querymix.kafka.deadletter import DeadLetter, Replayed, read_dead_letters, replay
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.topics import Found

FOUND = Found("letters", "", 2, 1, frozenset())


def log_with(*topics: str) -> MemoryLog:
    """Return a log with a letter for a record of each of the topics, spread over the partitions."""
    log = MemoryLog({"letters": 2, "raw": 1})
    for number, topic in enumerate(topics):
        letter = DeadLetter(b"key", b"value %d" % number, "the reason", topic, 0, number)
        log.put("letters", number % 2, letter.key, letter.kept, letter.headers())
    return log


def raw(log: MemoryLog) -> list[bytes | None]:
    return sorted((record.value for record in log.records("raw")), key=str)


async def test_letters_are_read_with_their_places_in_order() -> None:
    log = log_with("raw", "classified", "raw")
    log.put("letters", 1, None, b"a stranger's")
    found = [(number, offset, letter.topic) async for number, offset, letter in read_dead_letters(log, FOUND)]
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
