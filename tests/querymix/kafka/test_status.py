"""How the service stands, read from the log in memory while it works, is cut, and is at rest."""

from random import Random

from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment
from querymix.core.draw import Draw
from querymix.core.rules import Rules
from querymix.kafka.admin import _assigned
from querymix.kafka.anonymizer import read_state
from querymix.kafka.memory_log import MARKER
from querymix.kafka.operations import account_over
from querymix.kafka.ports import TopicPartition
from querymix.kafka.status import Status, status_over
from querymix.stages.partition import Partition

from tests.querymix.kafka.whole import RULES, Honest, Service, write


async def stands(service: Service, **workers: dict[TopicPartition, str]) -> Status:
    return await status_over(service.log, service.topics, service.partitions, "g", workers, 1e6)


async def state_of(service: Service, number: int) -> Partition:
    state = Partition(RULES, Draw(Random(1).randbytes))
    await read_state(service.log, service.topics, number, state)
    return state


def lags(found: Status) -> dict[tuple[str, int], int]:
    return {(one.topic, one.partition): one.lag for one in found.inputs}


async def test_at_rest_nothing_lags_and_the_account_and_the_pools_are_those_of_the_states() -> None:
    service = Service(Honest)
    write(service.memory, Random(1), 80)
    await service.go()
    found = await stands(service)
    assert set(lags(found).values()) == {0}
    account = await account_over(service.log, service.topics, service.partitions)
    assert found.account.figures() == {name: account[name] for name in found.account.figures()}
    for number in range(2):
        state = await state_of(service, number)
        sizes = {category: len(pool) for category, pool in state.pools if len(pool)}
        assert {one.category: one.held for place, one in found.pools if place == number} == sizes
        assert all(one.needed == RULES.k + 1 for _, one in found.pools), "by the rules that it was worked on under"
    held = sum(one.held for _, one in found.pools)
    assert found.reason.startswith(f"{held} records of ")


async def test_an_idle_partition_stands_behind_the_markers_at_its_end_for_all_who_ask_its_group() -> None:
    """Mixed transactions leave several markers, which are no records; after a restart nothing is done again."""
    service = Service(Honest)
    write(service.memory, Random(5), 80)
    raw, evidence = ([TopicPartition(topic, number) for number in range(2)] for topic in ("raw", "evidence"))
    await service.run([service.processor(source) for source in service.sources if source.topic != "evidence"])
    for source in raw + evidence:
        service.memory.slots[source] += [MARKER, MARKER]
    await service.go()
    for group, sources in (("g-classifier", raw), ("g", evidence)):
        for source in sources:
            assert service.memory.groups[group, source] == len(service.memory.slots[source])
    assert set(lags(await stands(service)).values()) == {0}
    written = {source: len(slots) for source, slots in service.memory.slots.items()}
    await service.go()
    assert {source: len(slots) for source, slots in service.memory.slots.items() if source.topic != "state"} == {
        source: size for source, size in written.items() if source.topic != "state"
    }


async def test_what_waits_is_counted_partition_by_partition_in_records_and_in_frames() -> None:
    service = Service(Honest)
    write(service.memory, Random(2), 80)
    ends = [len(service.memory.slots[TopicPartition("raw", number)]) for number in range(2)]
    before = await stands(service)
    assert [lags(before)["raw", number] for number in range(2)] == ends
    assert before.reason == ""
    await service.run([service.processor(source) for source in service.sources if source.topic == "raw"])
    after = await stands(service)
    assert [lags(after)["raw", number] for number in range(2)] == [0, 0]
    for number in range(2):
        frames = [record for record in service.memory.records("classified") if record.partition == number]
        assert lags(after)["classified", number] == len(frames) > 0
    assert after.account.waiting == after.account.total - after.account.unclassified - after.account.refused
    await service.run([service.processor(source) for source in service.sources if source.topic == "classified"])
    evidence = lags(await stands(service))
    assert [evidence["classified", number] for number in range(2)] == [0, 0]
    for number in range(2):
        frames = [record for record in service.memory.records("evidence") if record.partition == number]
        assert evidence["evidence", number] == len(frames) > 0


async def test_a_partition_that_waits_without_a_worker_is_unattended_unless_that_cannot_be_seen() -> None:
    service = Service(Honest)
    write(service.memory, Random(3), 20)
    unseen = await stands(service)
    assert unseen.unattended == []
    assert {one.worker for one in unseen.inputs} == {None}
    half = await stands(service, raw={TopicPartition("raw", 0): "worker-0"}, classified={})
    assert [(one.topic, one.partition) for one in half.unattended] == [("raw", 1)]
    whole = await stands(service, raw={TopicPartition("raw", number): "worker-0" for number in range(2)})
    assert whole.unattended == []


async def test_pools_are_judged_by_the_rules_of_the_workers_and_not_by_the_defaults() -> None:
    service = Service(Honest)
    rules = Rules(4, established=1000.0, reserve=0)
    service.with_rules(rules)
    write(service.memory, Random(4), 80)
    await service.go()
    found = await stands(service)
    assert {one.needed for _, one in found.pools} == {5}
    assert {one.counted for _, one in found.pools} == {0}
    assert "--established 1000s" in found.reason


def test_what_a_member_was_given_is_read_from_the_groups_answer() -> None:
    given = ConsumerProtocolMemberAssignment(0, [("raw", [0, 2]), ("evidence", [1])], b"")
    assert _assigned(given.encode()) == {
        TopicPartition("raw", 0), TopicPartition("raw", 2), TopicPartition("evidence", 1),
    }  # fmt: skip
    for broken in (b"", b"\x00", b"\xff" * 9):
        assert _assigned(broken) == frozenset()
