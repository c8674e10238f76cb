"""Work in slices and within a room: how long the event loop is held, and how much is worked on at a time."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.core.records import UNCLASSIFIED, Classification
from querymix.kafka.classifier import Classifier, ClassifierSetup
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import Limit, PlainRecord, Record, TopicPartition, Transaction, size_of
from querymix.kafka.processor import PartitionProcessor, RoleInRoom
from querymix.kafka.slices import MOVES_WITHIN, SLICE, Room, slices
from querymix.kafka.topics import Placement
from querymix.stages.classifying import Classifying

from tests.querymix.kafka.whole import TOPICS, Honest

settings = how(deadline=None, max_examples=40)
sizes = st.lists(st.integers(0, 12), max_size=30)


def records(sizes: Sequence[int]) -> list[Record]:
    return [PlainRecord("raw", 0, offset, None, b"x" * size) for offset, size in enumerate(sizes)]


@settings
@given(sizes, st.integers(1, 5), st.integers(1, 20))
def test_slices_are_all_records_in_order_and_only_one_record_alone_is_larger(
    sizes: list[int], most: int, size: int
) -> None:
    given = records(sizes)
    found = list(slices(given, Limit(most, size)))
    assert [record for some in found for record in some] == given
    for some in found:
        assert len(some) == 1 or (len(some) <= most and sum(map(size_of, some)) <= size)


def test_the_key_and_the_headers_of_a_record_count() -> None:
    """Who writes a record chooses them too."""
    assert size_of(PlainRecord("raw", 0, 0, b"key", b"value", [("name", b"12"), ("of", b"")])) == 3 + 5 + 6 + 2
    assert size_of(PlainRecord("raw", 0, 0, None, None)) == 0


@settings
@given(st.lists(st.integers(0, 15), min_size=1, max_size=12))
def test_in_a_room_there_are_only_so_many_bytes_and_all_get_in_in_their_order(sizes: list[int]) -> None:
    async def go() -> None:
        room, inside, entered = Room(10), list[int](), list[int]()

        async def work(number: int, size: int) -> None:
            async with room.of(records([size])):
                entered.append(number)
                inside.append(size)
                assert sum(inside) <= 10 or len(inside) == 1 + inside.count(0)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                inside.remove(size)

        await asyncio.gather(*(work(number, size) for number, size in enumerate(sizes)))
        assert entered == list(range(len(sizes)))

    asyncio.run(go())


async def test_who_fails_or_is_cancelled_leaves_the_room_free() -> None:
    room = Room(10)
    with pytest.raises(LookupError):
        async with room.of(records([10])):
            raise LookupError

    async def stay() -> None:
        async with room.of(records([10])):
            await asyncio.Event().wait()

    inside, waiting = asyncio.create_task(stay()), asyncio.create_task(stay())
    for _ in range(3):
        await asyncio.sleep(0)
    waiting.cancel()
    inside.cancel()
    await asyncio.wait([inside, waiting])
    async with room.of(records([10])):
        pass


async def test_who_waits_for_a_room_is_excused_while_it_moves_and_stalls_with_whoever_never_leaves_it() -> None:
    now = 0.0
    room = Room(10, lambda: now)

    class Idle(RoleInRoom):
        async def _work(self, transaction: Transaction, records: Sequence[Record]) -> None:
            await asyncio.Event().wait()

    roles = [Idle(room) for _ in range(3)]
    transaction: Any = None
    tasks = [asyncio.create_task(role.work(transaction, records([8]))) for role in roles]
    await asyncio.sleep(0)
    assert [role.waits for role in roles] == [False, True, True]
    now = MOVES_WITHIN + 1
    assert not any(role.waits for role in roles)
    tasks[0].cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert [role.waits for role in roles] == [False, False, True]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_between_two_turns_of_the_loop_no_more_than_a_slice_is_classified() -> None:
    """Long queries by the hundred, as a search engine may log them, held the loop for longer than the session lasts."""
    read = turns = 0
    most: list[int] = []

    def classify(text: str, url: str | None = None, /) -> Classification:
        nonlocal read
        read += len(text)
        return Classification(UNCLASSIFIED, "", "", text)

    async def others() -> None:
        nonlocal read, turns
        while True:
            most.append(read)
            read = 0
            turns += 1
            await asyncio.sleep(0)

    partitions = dict.fromkeys(TOPICS, 1)
    log = MemoryLog(partitions)
    for user in range(300):
        text = "x" * (2000 if user % 3 else 60_000)  # a third is refused
        log.put(TOPICS.raw, 0, None, f"{user}\t{text}\t2006-03-01 07:17:12".encode())
    source = TopicPartition(TOPICS.raw, 0)
    setup = ClassifierSetup("g", TOPICS, partitions, AolCodec(), lambda: Classifying(classify), Placement(1, {}), 4000)
    processor = PartitionProcessor(source, log, Classifier(setup, source), Honest(log, source))
    task, beside = asyncio.create_task(processor.run()), asyncio.create_task(others())
    while len(log.records(TOPICS.deadletter)) < 100:  # noqa: ASYNC110 - each turn is what is counted
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    for one in (task, beside):
        one.cancel()
    await asyncio.wait([task, beside])
    assert sum(most) == 200 * 2000
    assert max(most) <= SLICE.bytes
    assert len(log.records(TOPICS.deadletter)) == 100


async def test_however_many_take_turns_the_loop_comes_round_between_any_two() -> None:
    """A `sleep(0)` after each slice would let all of them have one first."""
    room, since, most = Room(), 0, 0

    async def work() -> None:
        nonlocal since, most
        for _ in range(20):
            async with room.turn():
                since += 1
                most = max(most, since)

    async def beat() -> None:
        nonlocal since
        while True:
            since = 0
            await asyncio.sleep(0)

    beside = asyncio.create_task(beat())
    await asyncio.gather(*(work() for _ in range(16)))
    beside.cancel()
    assert most == 1


async def test_what_an_iterator_makes_comes_in_turns_and_its_failure_comes_through() -> None:
    room = Room()
    assert [piece async for piece in room.turns(iter([3, None, 5]))] == [3, None, 5]
    with pytest.raises(ZeroDivisionError):
        [piece async for piece in room.turns(1 // zero for zero in (1, 0))]
    assert [piece async for piece in room.turns(iter("a"))] == ["a"], "its turn is over"
