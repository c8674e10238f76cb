"""This version's roles on what older versions left, ended in order or killed: everything counts once."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from querymix.codecs.frames import encode_evidence
from querymix.core.errors import ConfigError
from querymix.kafka.evidence_source import known, name_of, old_name_of
from querymix.kafka.numbers import Number
from querymix.kafka.operations import account_over
from querymix.kafka.ports import TopicPartition
from querymix.kafka.status import status_over
from querymix.stores.mongo import MongoProfiles, connect

from deploy.local.testing import Database
from tests.contracts.test_profile_store import everything
from tests.querymix.kafka.upgrade.kept import GROUP, MOMENT, TOPICS, Kept, check, evidence_of
from tests.querymix.kafka.whole import Honest, Service

FIRST = "a4c9ecf"
"""The last one without a topic's id in the names."""
LANDED = "9a8e2ca"
"""0.3.0"""
EVIDENCE = [TopicPartition(TOPICS.evidence, number) for number in range(2)]
ENDED = ["clean", "applied"]


@pytest.fixture
async def left(mongo: Database, request: pytest.FixtureRequest) -> AsyncIterator[tuple[Kept, Service]]:
    """Return a state, and this version's roles on it with the store that it left in MongoDB."""
    kept = Kept(*request.param)
    store = await kept.in_mongo(connect(mongo.uri), uuid4().hex)
    yield kept, kept.service(store)
    await store.close()


async def profiled(service: Service) -> None:
    """Assert that profiles are what the released records say, once this version's profilers have gone to the end."""
    service.sources = EVIDENCE
    await service.run([service.processor(source) for source in EVIDENCE])
    found = await everything(service.store)
    assert {user: sum(counts.values()) for user, counts in found.items()} == await evidence_of(service)


def feed(service: Service, first: int, number: int) -> None:
    """Write further raw records of many users."""
    for rank in range(first, first + number):
        line = f"visitor-{rank % 23}\tcheap flights {rank}\t2006-06-01 00:00:00\t{rank}\t"
        service.memory.put(TOPICS.raw, rank % 2, None, line.encode())


@pytest.mark.parametrize("ended", ENDED)
async def test_this_version_goes_on_where_0_3_0_ended(ended: str) -> None:
    kept = Kept(LANDED, ended)
    service = kept.service(await kept.in_memory())
    feed(service, 1000, 60)
    outcome = await service.go()
    await check(service, outcome)
    assert len(outcome.released) > 60


async def test_account_and_status_read_what_0_3_0_left_of_a_service_that_was_at_rest() -> None:
    service = (kept := Kept(LANDED, "clean")).service(await kept.in_memory())
    found = await status_over(service.log, TOPICS, service.partitions, GROUP, {}, MOMENT)
    account = await account_over(service.log, TOPICS, service.partitions)
    assert found.account.figures() == {name: account[name] for name in found.account.figures()}
    assert {one.lag for one in found.inputs if one.topic != TOPICS.evidence} == {0}
    assert account["in"] == account["released"] + account["held"] > 0
    assert (account["waiting"], account["lost"]) == (0, 0)


@pytest.mark.short
@pytest.mark.parametrize("left", [(LANDED, "half")], indirect=True)
async def test_a_frame_that_0_3_0_was_killed_in_counts_once_for_each_user(left: tuple[Kept, Service]) -> None:
    service = left[1]
    await check(service, await service.go())


@pytest.mark.parametrize("ended", ENDED)
async def test_evidence_that_was_applied_under_the_first_name_counts_once(ended: str) -> None:
    kept = Kept(FIRST, ended)
    store = await kept.in_memory()
    service = kept.service(store)
    await profiled(service)
    for source in EVIDENCE:
        reached = await store.reached(name_of(source, kept.ids[TOPICS.evidence]))
        assert reached is not None
        assert reached >= kept.sources[old_name_of(source)]
    # A worker that is killed before its commit begins again.
    for group in list(service.memory.groups):
        del service.memory.groups[group]
    await profiled(service)


@pytest.mark.short
@pytest.mark.parametrize("left", [(FIRST, ended) for ended in ("clean", "applied", "half")], indirect=True)
async def test_evidence_that_was_applied_under_the_first_name_counts_once_in_mongodb(
    left: tuple[Kept, Service],
) -> None:
    await profiled(left[1])


@pytest.mark.short
@pytest.mark.parametrize("left", [(FIRST, "applied")], indirect=True)
async def test_a_worker_of_the_first_version_that_goes_on_beside_this_one_adds_nothing_twice(
    left: tuple[Kept, Service],
) -> None:
    service = left[1]
    await profiled(service)
    for source in EVIDENCE:
        offset = len(service.memory.slots[source])
        service.memory.put(*source, None, encode_evidence({("visitor-1", 0): 5}))
        await service.store.apply(old_name_of(source), {offset: {("visitor-1", 0): 5}})
    before = await everything(service.store)
    await service.run([service.processor(source) for source in EVIDENCE])
    assert await everything(service.store) == before


@pytest.mark.parametrize("ended", ENDED)
async def test_the_pools_of_the_first_version_are_refused_with_the_way_out(ended: str) -> None:
    kept = Kept(FIRST, ended)
    service = kept.service(await kept.in_memory())
    with pytest.raises(ConfigError, match=r"written by another version.*before 0\.1\.0.*see Upgrade") as refused:
        await service.run([service.processor(TopicPartition(TOPICS.classified, 0))])
    assert "visitor" not in str(refused.value)


async def test_offsets_of_a_topic_that_was_made_anew_since_are_left_out() -> None:
    kept = Kept(FIRST, "clean")
    store = await kept.in_memory()
    before = await everything(store)
    service = Service(Honest, store, topics=TOPICS, group="querymix", ids=kept.ids)
    service.sources = EVIDENCE
    for source in EVIDENCE:
        service.memory.put(*source, None, encode_evidence({("new", 1): 2}))
    await service.run([service.processor(source) for source in EVIDENCE])
    assert await everything(store) == before | {"new": {1: 4}}


async def test_offsets_do_not_count_where_a_frame_with_a_number_stands_at_the_last_one() -> None:
    """Those versions gave none: a topic that has grown past the offset since it was made anew is another one."""
    kept = Kept(FIRST, "clean")
    store = await kept.in_memory()
    before = await everything(store)
    service = Service(Honest, store, topics=TOPICS, group="querymix", ids=kept.ids)
    service.sources = EVIDENCE
    for source in EVIDENCE:
        for nth in range(kept.sources[old_name_of(source)] + 10):
            header = Number("pools-0", 7, nth + 1).header()
            service.memory.put(*source, None, encode_evidence({("new", 1): 1}), [header])
    await service.run([service.processor(source) for source in EVIDENCE])
    counted = sum(kept.sources[old_name_of(source)] + 10 for source in EVIDENCE)
    assert await everything(store) == before | {"new": {1: counted}}


@pytest.mark.short
@pytest.mark.parametrize("left", [(FIRST, "clean")], indirect=True)
async def test_offsets_do_not_count_where_other_users_stand_at_the_last_one(left: tuple[Kept, Service]) -> None:
    kept, service = left
    source = EVIDENCE[0]
    id_ = kept.ids[TOPICS.evidence]
    assert (await known(service.log, service.store, source, id_)).former == old_name_of(source)
    slots = service.memory.slots[source]
    offset = kept.sources[old_name_of(source)]
    record = slots[offset].record
    assert record is not None
    slots[offset] = slots[offset]._replace(record=record._replace(value=encode_evidence({("nobody", 0): 1})))
    found = await known(service.log, service.store, source, id_)
    assert (found.former, found.foreign) == ("", offset)


@pytest.mark.short
@pytest.mark.parametrize("left", [(FIRST, "half")], indirect=True)
async def test_a_frame_that_was_written_in_part_counts_once_where_retention_has_removed_the_one_before(
    left: tuple[Kept, Service],
) -> None:
    kept, service = left
    for source in EVIDENCE:
        service.memory.trim(source, kept.sources[old_name_of(source)] + 1)
    await profiled(service)


@pytest.mark.short
@pytest.mark.parametrize("numbered", [False, True])
async def test_the_first_frame_counts_once_where_a_worker_was_killed_in_it(mongo: Database, numbered: bool) -> None:
    """The store has an offset of some users by then, and none of the source."""
    client, database = connect(mongo.uri), uuid4().hex
    store = MongoProfiles(client, database)
    source = EVIDENCE[0]
    service = Service(Honest, store, topics=TOPICS, group="querymix", ids={TOPICS.evidence: "anid"})
    service.sources = [source]
    headers = [Number("pools-0", 7, 1).header()] if numbered else []
    service.memory.put(*source, None, encode_evidence({("a", 0): 1, ("b", 0): 1}), headers)
    try:
        await store.apply(old_name_of(source), {0: {("a", 0): 1}})
        await client[database]["sources"].delete_many({})
        await service.run([service.processor(source)])
        assert await everything(store) == {"a": {0: 2 if numbered else 1}, "b": {0: 1}}
    finally:
        await store.close()


async def test_a_store_that_never_had_the_first_name_begins_at_the_beginning() -> None:
    kept = Kept(LANDED, "clean")
    service = kept.service(await kept.in_memory())
    for source in EVIDENCE:
        found = await known(service.log, service.store, source, kept.ids[TOPICS.evidence])
        assert (found.former, found.foreign) == ("", None)
        assert found.applied == kept.sources[name_of(source, kept.ids[TOPICS.evidence])]
        other = await known(service.log, service.store, source, "another")
        assert other == (-1, "", None)
