"""Partition processors over the log in memory: bad feeders, rebalances, fencing, open transactions, lost deltas."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.errors import ConfigError, TransientError
from querymix.core.records import Query
from querymix.kafka.memory_log import MARKER
from querymix.kafka.numbers import Number
from querymix.kafka.ports import FencedError, Limit, Record, RefusedBatch, TopicPartition
from querymix.kafka.processor import Progress
from querymix.kafka.replay import read_dead_letters, replay
from querymix.kafka.topics import Found
from querymix.ports import Frames
from querymix.stores.memory import MemoryProfiles
from querymix.telemetry import REGISTRY

from tests.querymix.kafka.whole import Honest, Service, Wild, check, write

settings = how(deadline=None, max_examples=60)
seeds = st.integers(0, 1 << 30)
FRAME = encode_classified(1, [Query("user9", "1", "", 0.0, 999, "")])
A = TopicPartition("classified", 0)


def wild(seed: int) -> Service:
    """Return a service behind feeders that do what they like."""
    random = Random(seed)
    return Service(lambda log, source: Wild(log, source, random))


@settings
@given(seeds)
def test_whatever_feeders_leave_out_repeat_and_reorder_the_account_and_the_profiles_are_the_same(seed: int) -> None:
    async def go() -> None:
        good, bad = Service(Honest), wild(seed)
        outcomes = []
        for service in (good, bad):
            sent = write(service.memory, Random(seed), 60)
            outcomes.append(await service.go())
            check(outcomes[-1], sent)
        one, other = outcomes
        assert (one.arrived, one.refused, one.dropped) == (other.arrived, other.refused, other.dropped)
        assert len(one.released) + len(one.held) == len(other.released) + len(other.held)

    asyncio.run(go())


@settings
@given(seeds, st.lists(st.integers(1, 60), max_size=6))
def test_rebalances_and_crashes_at_any_moment_lose_and_double_nothing(seed: int, turns: list[int]) -> None:
    async def go() -> None:
        service, random = wild(seed), Random(seed)
        sent = write(service.memory, random, 30)
        for turn in turns:
            sent |= write(service.memory, random, 10, len(sent))
            await service.run([service.processor(source) for source in service.sources], turn)
        check(await service.go(), sent)

    asyncio.run(go())


@settings
@given(seeds, st.sampled_from(["send", "commit"]), st.integers(1, 30))
def test_a_transaction_that_fails_at_any_step_is_undone_whole(seed: int, step: str, times: int) -> None:
    async def go() -> None:
        service = wild(seed)
        sent = write(service.memory, Random(seed), 50)
        left = times

        def fail(what: str) -> None:
            nonlocal left
            left -= what == step
            if left == 0:
                raise TransientError("the log is unavailable")

        service.memory.happened = fail
        try:
            await service.run([service.processor(source) for source in service.sources])
        except TransientError:
            assert left <= 0
        service.memory.happened = lambda what: None
        check(await service.go(), sent)

    asyncio.run(go())


class Lagging(Honest):
    """A feeder that is far behind: it hands over several batches of its topic together."""

    longest = 0

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return what eight batches hold."""
        records: list[Record] = []
        for _ in range(8):
            records += await super().next(limit)
        Lagging.longest = max(Lagging.longest, len(records))
        return records


@settings
@given(seeds, st.sampled_from(["send", "commit", "committed"]), st.integers(1, 30))
def test_a_transaction_over_several_batches_that_is_killed_at_any_step_takes_each_record_once(
    seed: int, step: str, times: int
) -> None:
    async def go() -> None:
        service = Service(Lagging)
        Lagging.longest = 0
        sent = write(service.memory, Random(seed), 100)
        left = times

        def kill(what: str) -> None:
            nonlocal left
            left -= what == step
            if left == 0:
                raise TransientError("killed")

        service.memory.happened = kill
        with suppress(TransientError):
            await service.run([service.processor(source) for source in service.sources])
        service.memory.happened = lambda what: None
        check(await service.go(), sent)
        assert Lagging.longest > 20, "batches of five went into one transaction"

    asyncio.run(go())


@settings
@given(seeds)
def test_a_zombie_beside_the_rightful_owner_is_fenced_and_changes_nothing(seed: int) -> None:
    async def go() -> None:
        service = wild(seed)
        sent = write(service.memory, Random(seed), 40)
        zombies = [service.processor(source) for source in service.sources]
        tasks = [asyncio.create_task(zombie.run()) for zombie in zombies]
        for _ in range(seed % 50):
            await asyncio.sleep(0)
        await service.go()
        sent |= write(service.memory, Random(seed + 1), 20, len(sent))
        for _ in range(500):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(error, FencedError) for error in ended)
        check(await service.go(), sent)

    asyncio.run(go())


async def test_a_quiet_partition_is_read_to_its_end_behind_the_markers_and_has_no_lag() -> None:
    service = Service(Honest)
    write(service.memory, Random(1), 50)
    await service.go()
    for source in service.sources:
        processor = service.processor(source)
        await service.run([processor])
        end = (await service.log.ends([source]))[source]
        assert processor.ends(end) == Progress(end.last, end.last, excused=True)
    assert service.memory.slots[A][-1].record is None, "a marker stands at the end"


async def test_behind_an_open_transaction_of_somebody_else_a_partition_waits_and_is_excused() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(1), 50)
    await service.go()
    async with service.log.writer("stranger", A, "g") as writer:
        with pytest.raises(ZeroDivisionError):  # noqa: PT012 - the transaction is what is tested
            async with writer.transaction() as transaction:
                await transaction.send(
                    "classified", encode_classified(1, [Query("x", "1", "", 0.0, 999, "")]), partition=0
                )
                processor = service.processor(A)
                await service.run([processor], 200)
                end = (await service.log.ends([A]))[A]
                assert end.stable < end.last
                assert processor.ends(end) == Progress(end.stable, end.last, excused=True)
                raise ZeroDivisionError
    check(await service.go(), sent)


class Away(MemoryProfiles):
    """A store that fails, then hangs, then works."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    async def apply(self, source: str, frames: Frames) -> None:
        self.tries += 1
        if self.tries == 1:
            raise TransientError("the store failed")
        if self.tries == 2:
            await asyncio.sleep(3600)
        await super().apply(source, frames)


def metric(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_a_store_that_fails_or_hangs_is_tried_again_and_the_other_roles_go_on() -> None:
    store = Away()
    service = Service(Honest, store)
    service.answers_within = 0.02
    sent = write(service.memory, Random(2), 60)
    before = metric("querymix_store_retries_total")
    profiler = service.processor(TopicPartition("evidence", 0))
    task = asyncio.create_task(profiler.run())
    await service.run([service.processor(source) for source in service.sources if source.topic != "evidence"])
    while store.tries < 3:
        end = (await service.log.ends([profiler.source]))[profiler.source]
        progress = profiler.ends(end)
        assert store.tries == 0 or progress is None or progress.excused or progress.at >= progress.end
        await asyncio.sleep(0.001)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    check(await service.go(), sent)
    assert metric("querymix_store_retries_total") >= before + 2


async def test_what_retention_removed_unread_is_counted_and_the_stream_goes_on() -> None:
    service = Service(Honest)
    raw = TopicPartition("raw", 0)
    for rank in range(8):
        service.memory.put("raw", 0, None, f"user{rank}\t1 query\t2006-03-01 00:00:00\t{rank}\t".encode())
    await service.go()
    for rank in range(8, 20):
        service.memory.put("raw", 0, None, f"user{rank}\t1 query\t2006-03-01 00:00:00\t{rank}\t".encode())
    service.memory.trim(raw, 13)
    before = metric("querymix_lost_to_retention_total", topic="raw")
    outcome = await service.go()
    assert outcome.arrived == 8 + 7
    assert metric("querymix_lost_to_retention_total", topic="raw") == before + 5


async def test_frames_that_retention_removed_unread_are_counted_by_their_numbers() -> None:
    service = Service(Honest)
    write(service.memory, Random(14), 60)
    await service.go()
    start = len(service.memory.slots[A])
    write(service.memory, Random(15), 60, 60)
    await service.run([service.processor(source) for source in service.sources if source.topic == "raw"])
    slots = service.memory.slots[A][start:]
    cut = next(n for n in range(len(slots) // 2, len(slots)) if slots[n].record is not None)
    service.memory.trim(A, start + cut)
    before = metric("querymix_lost_to_retention_total", topic="classified")
    missing = metric("querymix_frames_missing_total", topic="classified")
    await service.go()
    removed = sum(slot.record is not None for slot in slots[:cut])
    assert metric("querymix_lost_to_retention_total", topic="classified") == before + removed
    assert metric("querymix_frames_missing_total", topic="classified") == missing


async def test_a_quiet_partition_whose_last_marker_has_aged_out_has_lost_nothing() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(16), 60)
    await service.go()
    topics = ("classified", "evidence")
    for topic in topics:
        for number in range(2):
            source = TopicPartition(topic, number)
            assert service.memory.slots[source][-1].record is None
            service.memory.trim(source, len(service.memory.slots[source]))
    before = [metric("querymix_lost_to_retention_total", topic=topic) for topic in topics]
    await service.go()
    sent |= write(service.memory, Random(17), 40, len(sent))
    check(await service.go(), sent)
    assert [metric("querymix_lost_to_retention_total", topic=topic) for topic in topics] == before


async def test_a_group_that_begins_on_a_log_whose_beginning_is_gone_has_lost_nothing() -> None:
    service = Service(Honest)
    for rank in range(8):
        service.memory.put("raw", 0, None, f"user{rank}\t1 query\t2006-03-01 00:00:00\t{rank}\t".encode())
    service.memory.trim(TopicPartition("raw", 0), 3)
    before = metric("querymix_lost_to_retention_total", topic="raw")
    assert (await service.go()).arrived == 5
    assert metric("querymix_lost_to_retention_total", topic="raw") == before


async def test_a_lost_delta_ends_the_processor_and_says_so() -> None:
    service = Service(Honest)
    write(service.memory, Random(3), 60)
    await service.go()
    slots = service.memory.slots[TopicPartition("state", 0)]
    place = next(n for n, (record, _) in enumerate(slots) if record is not None and record.key == b"delta-1")
    slots[place] = MARKER
    with pytest.raises(ConfigError, match="state partition 0: the state log lacks a delta"):
        await service.run([service.processor(A)])


async def test_a_lost_state_does_not_release_anything_a_second_time() -> None:
    """The group's position is believed where it is ahead of the state: what was held is lost, nothing is doubled."""
    service = Service(Honest)
    sent = write(service.memory, Random(4), 60)
    before = await service.go()
    for topic in ("state", "positions"):
        for number in range(2):
            service.memory.slots[TopicPartition(topic, number)].clear()
    sent |= write(service.memory, Random(5), 40, len(sent))
    after = await service.go()
    ranks = [rank for _, rank in after.released] + [int(str(query.rank)) for query in after.held]
    assert len(ranks) == len(set(ranks))
    lost = {int(str(query.rank)) for query in before.held}
    assert set(ranks) == {rank for rank, log in sent.items() if log.category >= 0} - lost


async def test_a_frame_that_the_log_itself_holds_twice_is_taken_once_and_counted() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(10), 40)
    await service.go()
    frame = next(record for record in service.memory.records("classified") if record.partition == 0)
    service.memory.put("classified", 0, frame.key, frame.value, frame.headers)
    before = metric("querymix_frames_repeated_total", topic="classified")
    check(await service.go(), sent)
    assert metric("querymix_frames_repeated_total", topic="classified") == before + 1


async def test_a_number_that_the_log_itself_lacks_is_counted_and_the_stream_goes_on() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(11), 40)
    await service.go()
    number = max(
        int(dict(record.headers)["number"].split()[2])
        for record in service.memory.records("classified")
        if record.partition == 0 and dict(record.headers)["number"].startswith(b"raw-0 ")
    )
    epoch = int(dict(service.memory.records("classified")[0].headers)["number"].split()[1])
    header = Number("raw-0", epoch, number + 4).header()
    service.memory.put("classified", 0, None, FRAME, [header])
    before = metric("querymix_frames_missing_total", topic="classified")
    outcome = await service.go()
    assert sum(state.arrived for state in outcome.states) == 1 + sum(log.category >= 0 for log in sent.values())
    assert metric("querymix_frames_missing_total", topic="classified") == before + 3


@settings
@given(seeds, st.integers(1, 5_000))
def test_a_batch_that_no_client_unpacks_counts_with_all_of_its_records_once(seed: int, records: int) -> None:
    async def go() -> None:
        service, random = wild(seed), Random(seed)
        sent = write(service.memory, random, 30)
        place, many = TopicPartition("raw", seed % 2), RefusedBatch.of(b"packed", "the reason", records)
        for value in (many, RefusedBatch.of(b"packed", "the reason", 1)):
            service.memory.slots[place] += [MARKER] * (value.records - 1)
            service.memory.put(*place, None, value)
        sent |= write(service.memory, random, 30, len(sent))
        for turn in (3, 40):
            await service.run([service.processor(source) for source in service.sources], turn)
        outcome = await service.go()
        check(outcome._replace(refused=outcome.refused - (records - 1)), sent)
        found = Found("deadletter", "", 1, 1, frozenset())
        letters = [one.letter async for one in read_dead_letters(service.log, found, "raw", "g")]
        batches = [letter for letter in letters if letter.reason == "the reason"]
        assert [(letter.batch, letter.value, letter.whole) for letter in batches] == [
            (records, b"packed", False),
            (1, b"packed", False),
        ]
        assert batches[1].offset == batches[0].offset + 1
        assert (await replay(service.memory, found, "raw", "g")).left >= 2, "a batch is no record to put back"

    asyncio.run(go())
