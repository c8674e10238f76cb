"""The ids that lines leave under, over the whole service in memory: of a period, of a release or of a row."""

import asyncio
import gc
import weakref
from collections import Counter, defaultdict
from collections.abc import Mapping
from random import Random

import pytest
from aiokafka.partitioner import DefaultPartitioner
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.core.errors import TransientError
from querymix.core.periods import Period
from querymix.core.records import Query, Release
from querymix.kafka.numbers import Numbers
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.ports import TopicPartition
from querymix.kafka.releases import ReleaseWriter
from querymix.stages.releasing import Released

from tests.querymix.kafka.whole import TOPICS, Honest, Outcome, Service, Wild, check, write

settings = how(deadline=None, max_examples=30)
DAY = 86_400.0


def restart(service: Service, period: Period) -> PeriodKeys | None:
    """Give the service the writer of a worker that has just started, and return its keys."""
    keys = (
        PeriodKeys(service.log, service.topics.periods, "g", period, lambda: service.now)
        if isinstance(period, float)
        else None
    )
    service.anonymizer.release_writer = ReleaseWriter(
        service.topics, service.partitions, AolCodec(), category_header=True, period=period, keys=keys
    )
    return keys


def under_users(outcome: Outcome, users: Mapping[str, str]) -> Outcome:
    """Return an outcome with the users that released ids stand for."""
    return outcome._replace(released=[(users[shown], rank) for shown, rank in outcome.released])


@settings
@given(st.integers(0, 1 << 30), st.lists(st.integers(1, 60), max_size=4))
def test_a_user_has_one_id_in_a_period_over_all_partitions_and_restarts_and_profiles_stay_the_users(
    seed: int, turns: list[int]
) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        service.now = 100.25 * DAY
        sent = write(service.memory, random, 60)
        for some in turns:
            restart(service, DAY)
            await service.run([service.processor(source) for source in service.sources], some)
        keys = restart(service, DAY)
        outcome = await service.go()
        assert keys is not None
        ids = await keys.ids(service.now)
        users = {ids[log.user]: log.user for log in sent.values()}
        check(under_users(outcome, users), sent)
        assert len({record.key for record in service.memory.records(TOPICS.periods)}) <= 1
        _check_keys(service)

    asyncio.run(go())


def _check_keys(service: Service) -> None:
    place, numbers = DefaultPartitioner(), [0, 1]
    for record in service.memory.records(TOPICS.anonymized):
        assert record.value is not None
        assert record.key == record.value.split(b"\t")[0]
        assert record.partition == place(record.key, numbers, numbers)


@settings
@given(st.integers(0, 1 << 30), st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=6))
def test_periods_that_change_beside_crashes_give_each_user_one_id_in_each(
    seed: int, changes: list[tuple[int, bool]]
) -> None:
    """A step that failed may be written under the next period's id: nothing of it had shown."""

    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        service.now = 100.25 * DAY
        keys = restart(service, DAY)
        sent = write(service.memory, random, 40)
        owners: dict[str, set[str]] = defaultdict(set)
        periods: dict[str, set[int]] = defaultdict(set)

        async def note() -> None:
            assert keys is not None
            ids = await keys.ids(service.now)
            for user in {log.user for log in sent.values()}:
                owners[ids[user]].add(user)
                periods[ids[user]].add(int(service.now // DAY))

        for turns, restarted in changes:
            await service.run([service.processor(source) for source in service.sources], turns)
            await note()
            sent |= write(service.memory, random, 30, len(sent))
            service.now += 0.6 * DAY
            keys = restart(service, DAY) if restarted else keys
        outcome = await service.go()
        await note()
        assert all(len(users) == 1 for users in owners.values()), "an id stands for two users"
        assert all(len(numbers) == 1 for numbers in periods.values()), "an id comes back"
        check(under_users(outcome, {shown: user for shown, (user,) in owners.items()}), sent)

    asyncio.run(go())


@pytest.mark.parametrize("period", ["session", "record"])
async def test_ids_of_a_release_or_a_row_come_once_and_need_no_topic(period: Period) -> None:
    service = Service(Honest)
    restart(service, period)
    sent = write(service.memory, Random(3), 120)
    outcome = await service.go()
    assert outcome.released
    assert max(Counter(shown for shown, _ in outcome.released).values()) == 1, "each query has one row here"
    assert {shown for shown, _ in outcome.released}.isdisjoint(log.user for log in sent.values())
    totals = Counter({user: sum(counts.values()) for user, counts in outcome.profiles.items()})
    assert totals.total() == len(outcome.released)
    assert totals.keys() <= {log.user for log in sent.values()}
    assert service.memory.records(TOPICS.periods) == []
    _check_keys(service)


@pytest.mark.parametrize(
    ("period", "ids"), [(None, {"479": 4}), ("session", {"a": 2, "b": 2}), ("record", dict.fromkeys("abcd", 1))]
)
async def test_rows_of_one_query_leave_under_one_id_but_where_each_row_has_its_own(
    period: Period, ids: dict[str, int]
) -> None:
    service = Service(Honest)
    restart(service, period)
    rows = [Query("owner", f"a query {rank}", "", 1e9, rank, "") for rank in range(4)]
    releases = [
        Release("479", 0, first, 0, first, 5, (second,)) for first, second in zip(rows[::2], rows[1::2], strict=True)
    ]
    async with (
        service.memory.writer("w", TopicPartition(TOPICS.classified, 0), "g") as writer,
        writer.transaction() as transaction,
    ):
        await service.anonymizer.release_writer.send(transaction, Released(releases, {}), Numbers("n", 1), 0.0)
    counts = Counter(record.key for record in service.memory.records(TOPICS.anonymized))
    assert sorted(counts.values()) == sorted(ids.values())
    assert (b"479" in counts) == (period is None)


async def test_a_worker_that_has_released_something_keeps_no_key_of_a_period_that_is_over() -> None:
    service = Service(Honest)
    keys = restart(service, DAY)
    assert keys is not None
    write(service.memory, Random(5), 120)
    assert (await service.go()).released
    old = weakref.ref(await keys.ids(service.now))
    service.now += DAY
    await keys.follow()
    gc.collect()
    assert old() is None


async def test_nothing_is_released_while_the_topic_of_keys_cannot_be_read() -> None:
    service = Service(Honest)
    keys = restart(service, DAY)
    assert keys is not None
    sent = write(service.memory, Random(5), 120)

    async def away(now: float) -> None:
        raise TransientError("the brokers do not answer")

    keys.ids = away  # type: ignore[method-assign, assignment]
    with pytest.raises(TransientError):
        await service.go()
    assert service.memory.records(TOPICS.anonymized) == []
    keys = restart(service, DAY)
    outcome = await service.go()
    assert keys is not None
    ids = await keys.ids(service.now)
    check(under_users(outcome, {ids[log.user]: log.user for log in sent.values()}), sent)
