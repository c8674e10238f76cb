"""What retention or an accident takes from a topic before it is read ends in the account, counted in records."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import decode_classified, decode_evidence, dumps, loads
from querymix.core.errors import ConfigError
from querymix.kafka.anonymizer import TAKEN
from querymix.kafka.memory_log import MemoryLog, _Slot
from querymix.kafka.numbers import RECORDS, Written
from querymix.kafka.operations import account_over
from querymix.kafka.ports import Limit, PartitionedLog, Record, TopicPartition
from querymix.kafka.processor import PartitionProcessor
from querymix.telemetry import REGISTRY

from tests.querymix.kafka.whole import Honest, Service, Wild, write

settings = how(deadline=None, max_examples=60)
seeds = st.integers(0, 1 << 30)
CLASSIFIED = [TopicPartition("classified", number) for number in range(2)]
EVIDENCE = [TopicPartition("evidence", number) for number in range(2)]


def metric(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def only(service: Service, *topics: str) -> None:
    """Run the roles that read these topics, until they are at the end."""
    await service.run([service.processor(source) for source in service.sources if source.topic in topics])


async def account(service: Service) -> dict[str, int]:
    found = await account_over(service.log, service.topics, service.partitions)
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused", "lost", "waiting")
    assert found["in"] == sum(found[part] for part in parts)
    return found


def end_of(log: MemoryLog, source: TopicPartition) -> int:
    return len(log.slots[source])


def records_in(log: MemoryLog, source: TopicPartition, start: int, end: int) -> int:
    """Records in the committed frames between two offsets: an independent count."""
    count = 0
    for record, transaction in log.slots[source][start:end]:
        if record is not None and (transaction is None or transaction.committed):
            value = record.value or b""
            classified = source.topic == "classified"
            count += len(decode_classified(value)[1]) if classified else sum(decode_evidence(value).values())
    return count


def older(log: MemoryLog, topics: tuple[str, ...] = ("classified", "evidence")) -> None:
    """Make frames those of 0.4.0, which do not say how many records are in them."""
    for source, slots in log.slots.items():
        if source.topic in topics:
            for place, (record, transaction) in enumerate(slots):
                if record is not None:
                    headers = tuple(header for header in record.headers if header[0] != RECORDS)
                    slots[place] = _Slot(record._replace(headers=headers), transaction)


def rewrite(log: MemoryLog, topic: str, key: bytes, change: Callable[[dict[str, Any]], None]) -> None:
    """Change what is kept under a key."""
    for source, slots in log.slots.items():
        for place, (record, transaction) in enumerate(slots):
            if source.topic == topic and record is not None and (record.key or b"").startswith(key) and record.value:
                kept = loads(record.value)
                change(kept)
                slots[place] = _Slot(record._replace(value=dumps(kept)), transaction)


def state_of_0_4_0(log: MemoryLog) -> None:
    """Let all that is kept be what 0.4.0 wrote, which counted frames and not their records."""

    def intake(kept: dict[str, Any]) -> None:
        kept["intake"] = {name: kept["intake"][name] for name in ("checked", "position", "taken")}
        del kept["numbers"]["records"]

    def numbers(kept: dict[str, Any]) -> None:
        del kept["numbers"]["records"], kept["removed"]

    older(log)
    rewrite(log, "state", TAKEN, intake)
    rewrite(log, "positions", b"raw-", numbers)


@settings
@given(seeds, st.booleans(), st.floats(0, 1))
def test_what_is_cut_from_classified_unread_is_lost_record_by_record_whether_frames_follow_or_not(
    seed: int, follow: bool, share: float
) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        if seed % 3:
            write(service.memory, random, 30)
            await service.go()
        starts = {source: end_of(service.memory, source) for source in CLASSIFIED}
        write(service.memory, random, 40, 30)
        await only(service, "raw")
        before, lost = (await account(service))["waiting"], 0
        for source, start in starts.items():
            cut = start + round(share * (end_of(service.memory, source) - start))
            service.memory.trim(source, cut)
            lost += records_in(service.memory, source, start, cut)
        if follow:
            write(service.memory, random, 20, 70)
        await service.go()
        found = await account(service)
        assert (found["lost"], found["waiting"]) == (lost, 0)
        assert before >= lost
        await service.go()
        again = await account(service)
        assert [again[name] for name in ("in", "lost", "waiting")] == [found["in"], lost, 0], "it is counted once"

    asyncio.run(go())


@settings
@given(seeds, st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_crashes_at_any_moment_do_not_change_what_is_counted_as_lost(seed: int, turns: list[int]) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        write(service.memory, random, 30)
        await service.go()
        lost = 0
        for turn in turns:
            starts = {source: end_of(service.memory, source) for source in CLASSIFIED}
            write(service.memory, random, 20, 100 * turn)
            await only(service, "raw")
            for source, start in starts.items():
                cut = random.randint(start, end_of(service.memory, source))
                lost += records_in(service.memory, source, start, cut)
                service.memory.trim(source, max(cut, service.memory.first[source]))
            anonymizers = [service.processor(source) for source in CLASSIFIED]
            await service.run(anonymizers, turn)
            await service.run([service.processor(source) for source in CLASSIFIED])
        found = await account(service)
        assert (found["lost"], found["waiting"]) == (lost, 0)

    asyncio.run(go())


async def test_a_quiet_service_says_what_was_cut_from_classified(caplog: pytest.LogCaptureFixture) -> None:
    service = Service(Honest)
    write(service.memory, Random(1), 400)
    await only(service, "raw")
    lost = sum(records_in(service.memory, source, 0, end_of(service.memory, source)) for source in CLASSIFIED)
    for source in CLASSIFIED:
        service.memory.trim(source, end_of(service.memory, source))
    before = metric("querymix_logs_lost_total", topic="classified")
    with caplog.at_level(logging.WARNING, "querymix"):
        await only(service, "classified")
    assert metric("querymix_logs_lost_total", topic="classified") == before + lost
    assert "retention removed" in caplog.text
    assert "classified partition 0" in caplog.text
    found = await account(service)
    assert (found["lost"], found["waiting"], found["released"] + found["held"]) == (lost, 0, 0)


async def test_a_silent_source_is_settled_though_others_go_on() -> None:
    """The frames that come are all of raw partition 0; those of partition 1 are gone, and none follows them."""
    service = Service(Honest)
    for number in range(2):
        service.memory.put("raw", number, None, b"user1\t2 query\t2006-03-01 00:00:00\t1\t")
    await service.go()
    for rank in range(7):
        service.memory.put("raw", 1, None, f"user{rank}\t2 query\t2006-03-01 00:00:00\t1{rank}\t".encode())
    await only(service, "raw")
    service.memory.trim(CLASSIFIED[0], end_of(service.memory, CLASSIFIED[0]))
    service.memory.put("raw", 0, None, b"user9\t2 query\t2006-03-01 00:00:00\t99\t")
    await service.go()
    found = await account(service)
    assert (found["lost"], found["waiting"], found["held"] + found["released"]) == (7, 0, 3)


async def test_what_is_cut_from_raw_unread_never_came_in_and_stands_beside_the_account() -> None:
    service = Service(Honest)
    write(service.memory, Random(3), 30)
    await service.go()
    before, shown = await account(service), metric("querymix_lost_to_retention_total", topic="raw")
    raw = TopicPartition("raw", 0)
    for rank in range(12):
        service.memory.put("raw", 0, None, f"user{rank}\t1 query\t2006-03-01 00:00:00\t5{rank}\t".encode())
    service.memory.trim(raw, end_of(service.memory, raw))
    for _ in range(3):  # restarts on a quiet partition
        await service.go()
        found = await account(service)
        assert found == before | {"never_read": before["never_read"] + 12}
        assert metric("querymix_lost_to_retention_total", topic="raw") == shown + 12


class Held:
    """A feeder that hands over what an honest one does while it is open."""

    def __init__(self, honest: Honest) -> None:
        self._honest = honest
        self.open = asyncio.Event()
        self.open.set()

    async def next(self, limit: Limit) -> Sequence[Record]:
        await self.open.wait()
        return await self._honest.next(limit)


async def until_read(service: Service, processors: list[PartitionProcessor]) -> None:
    """Wait until each has taken the last record of its partition, behind which a marker stands."""
    for _ in range(100_000):
        if all(one.role.sequence.position >= end_of(service.memory, one.source) - 2 for one in processors):
            return
        await asyncio.sleep(0)
    raise AssertionError("they do not come to the end")


async def test_what_is_cut_from_evidence_unread_is_in_no_profile_and_is_counted() -> None:
    feeds: list[Held] = []

    def feed(log: PartitionedLog, source: TopicPartition) -> Held:
        feeds.append(Held(Honest(log, source)))
        return feeds[-1]

    service = Service(feed)
    write(service.memory, Random(6), 200)  # so that each pool partition writes to each evidence partition
    await only(service, "raw", "classified")
    feeds.clear()
    profilers = [service.processor(source) for source in EVIDENCE]
    tasks = [asyncio.create_task(profiler.run()) for profiler in profilers]
    await until_read(service, profilers)
    held = feeds[:]
    for one in held:
        one.open.clear()  # as behind a store that hangs
    starts = {profiler.source: profiler.role.sequence.checked + 1 for profiler in profilers}
    write(service.memory, Random(7), 200, 200)
    await only(service, "raw", "classified")
    lost, before = 0, metric("querymix_logs_lost_total", topic="evidence")
    for source, start in starts.items():
        cut = (start + end_of(service.memory, source)) // 2
        lost += records_in(service.memory, source, start, cut)
        service.memory.trim(source, cut)
    for one in held:
        one.open.set()
    await until_read(service, profilers)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert lost
    assert metric("querymix_logs_lost_total", topic="evidence") == before + lost


async def test_evidence_that_was_cut_while_no_profiler_ran_is_seen_by_its_offsets_though_none_follows() -> None:
    service = Service(Honest)
    write(service.memory, Random(8), 60)
    await service.go()
    write(service.memory, Random(9), 60, 60)
    starts = {source: end_of(service.memory, source) for source in EVIDENCE}
    await only(service, "raw", "classified")
    frames = sum(
        record is not None for source, start in starts.items() for record, _ in service.memory.slots[source][start:]
    )
    for source in EVIDENCE:
        service.memory.trim(source, end_of(service.memory, source))
    before = metric("querymix_lost_to_retention_total", topic="evidence")
    for _ in range(2):
        await only(service, "evidence")
        assert metric("querymix_lost_to_retention_total", topic="evidence") == before + frames
    assert frames


async def test_lost_frames_of_an_older_version_are_said_to_be_uncounted_and_newer_ones_are_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = Service(Honest)
    write(service.memory, Random(10), 40)
    await service.go()
    write(service.memory, Random(11), 40, 40)
    starts = {source: end_of(service.memory, source) for source in CLASSIFIED}
    await only(service, "raw")
    state_of_0_4_0(service.memory)
    unread = await account(service)
    old = {source: end_of(service.memory, source) for source in CLASSIFIED}
    write(service.memory, Random(12), 40, 80)
    await only(service, "raw")
    for source in CLASSIFIED:
        service.memory.trim(source, end_of(service.memory, source))
    with caplog.at_level(logging.WARNING, "querymix"):
        await service.go()
    found = await account(service)
    assert found["lost"] == sum(records_in(service.memory, one, old[one], end_of(service.memory, one)) for one in old)
    assert found["waiting"] == unread["waiting"] > 0
    frames = [
        slot
        for one in CLASSIFIED
        for slot in service.memory.slots[one][starts[one] : old[one]]
        if slot.record is not None
    ]
    assert found["frames_uncounted"] == len(frames)
    assert "those stay 'waiting'" in caplog.text


async def test_an_upgrade_from_0_4_0_without_losses_counts_none() -> None:
    service = Service(Honest)
    write(service.memory, Random(13), 40)
    await service.go()
    write(service.memory, Random(14), 40, 40)
    await only(service, "raw")
    state_of_0_4_0(service.memory)
    write(service.memory, Random(15), 40, 80)
    await service.go()
    found = await account(service)
    assert (found["lost"], found["waiting"], found["frames_uncounted"]) == (0, 0, 0)


async def test_after_the_positions_are_lost_the_raw_side_begins_anew_and_nothing_is_taken_for_lost() -> None:
    """What was pooled before is then missing on the raw side, as the guide says."""
    service = Service(Honest)
    write(service.memory, Random(23), 60)
    await service.go()
    before = await account(service)
    for number in range(2):
        service.memory.slots[TopicPartition("positions", number)].clear()
    write(service.memory, Random(24), 60, 60)
    await service.go()
    found = await account(service)
    pooled = before["released"] + before["held"]
    assert (found["lost"], found["waiting"], found["never_read"]) == (0, -pooled, 0)


async def test_a_state_topic_that_was_cut_ends_the_worker_and_is_never_read_as_a_smaller_one() -> None:
    service = Service(Honest)
    write(service.memory, Random(25), 60)
    await service.go()
    state = TopicPartition("state", 0)
    place = next(
        n for n, slot in enumerate(service.memory.slots[state]) if slot.record and slot.record.key == b"delta-1"
    )
    service.memory.trim(state, place)
    with pytest.raises(ConfigError, match="the state log lacks a delta"):
        await only(service, "classified")
    with pytest.raises(ConfigError, match="the state log lacks a delta"):
        await account(service)


@pytest.mark.parametrize("more", [0, 60])
async def test_after_the_state_topic_is_lost_what_it_knew_of_is_lost_and_the_account_balances(
    caplog: pytest.LogCaptureFixture, more: int
) -> None:
    """Also where no further record comes."""
    service = Service(Honest)
    write(service.memory, Random(16), 60)
    await service.go()
    before = await account(service)
    for number in range(2):
        service.memory.slots[TopicPartition("state", number)].clear()
    write(service.memory, Random(17), more, 60)
    with caplog.at_level(logging.WARNING, "querymix"):
        for _ in range(20):  # it settles once the partition is quiet, which may be after the service has come to rest
            await service.go()
            found = await account(service)
            if found["waiting"] == 0:
                break
    assert found["waiting"] == 0
    assert found["lost"] == before["released"] + before["held"]
    assert "under a state that is lost" in caplog.text


async def test_a_topic_that_is_gone_with_frames_in_it_is_settled_once_the_operator_has_accepted_that() -> None:
    """`accept_topics` sets the position back and leaves the numbers; here by hand, as it writes them."""
    service = Service(Honest)
    write(service.memory, Random(18), 40)
    await service.go()
    write(service.memory, Random(19), 40, 40)
    await only(service, "raw")
    unread = (await account(service))["waiting"]
    assert unread
    for source in CLASSIFIED:
        service.memory.slots[source].clear()
        service.memory.groups.pop(("g", source), None)
    service.memory._stable_at.clear()
    accepted = {"checked": -1, "position": -1, "doubt": True}
    rewrite(service.memory, "state", TAKEN, lambda kept: kept.update(intake=kept["intake"] | accepted))
    before = metric("querymix_frames_missing_total", topic="classified")
    await only(service, "classified")
    found = await account(service)
    assert (found["lost"], found["waiting"]) == (unread, 0)
    assert metric("querymix_frames_missing_total", topic="classified") > before


async def test_the_records_of_a_frame_that_cannot_be_read_are_refused_and_wait_no_longer() -> None:
    service = Service(Honest)
    write(service.memory, Random(20), 40)
    await only(service, "raw")
    slots = service.memory.slots[CLASSIFIED[0]]
    place, record = next((place, slot.record) for place, slot in enumerate(slots) if slot.record is not None)
    damaged = len(decode_classified(record.value)[1])
    slots[place] = slots[place]._replace(record=record._replace(value=b"damaged"))
    before = (await account(service))["refused"]
    await service.go()
    found = await account(service)
    assert (found["refused"], found["waiting"], found["lost"]) == (before + damaged, 0, 0)


async def test_an_anonymizer_that_may_not_read_the_positions_goes_on_and_counts_with_the_next_frames(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(Honest)
    write(service.memory, Random(21), 40)
    await service.go()
    starts = {source: end_of(service.memory, source) for source in CLASSIFIED}
    write(service.memory, Random(22), 40, 40)
    await only(service, "raw")
    lost = 0
    for source, start in starts.items():
        service.memory.trim(source, end_of(service.memory, source))
        lost += records_in(service.memory, source, start, end_of(service.memory, source))

    async def denied(*_: object) -> dict[str, Written]:
        raise ConfigError("the broker denies this user a right")

    monkeypatch.setattr("querymix.kafka.anonymizer.written_to", denied)
    with caplog.at_level(logging.WARNING, "querymix"):
        await only(service, "classified")
    assert "the broker denies this user a right" in caplog.text
    assert (await account(service))["lost"] == 0
    for number in range(2):
        for category in range(4):
            line = f"user{category}\t{category} query\t2006-03-01 00:00:00\t{900 + 10 * number + category}\t"
            service.memory.put("raw", number, None, line.encode())
    await service.go()
    assert (await account(service))["lost"] == lost
