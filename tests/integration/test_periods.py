"""The keys of periods on a real Kafka: one for all workers that need it at once, and gone when the period is over."""

import asyncio

import aiokafka
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.ports import TopicPartition

from tests.integration.kit import Deployment

DAY = 86_400.0
NOON = 20_000.5 * DAY


class Clock:
    """A clock that is set."""

    now = NOON

    def __call__(self) -> float:
        return self.now


async def everything(deployment: Deployment, source: TopicPartition) -> tuple[int, bytes]:
    """Return where a partition begins, and all that a broker still gives of it, as reading it raw would show."""
    consumer = aiokafka.AIOKafkaConsumer(
        source.topic, bootstrap_servers=deployment.settings.broker, auto_offset_reset="earliest"
    )
    async with consumer:
        first = (await consumer.beginning_offsets([source]))[source]
        end = (await consumer.end_offsets([source]))[source]
        values = []
        while await consumer.position(source) < end:
            found = await consumer.getmany(timeout_ms=500)
            values += [record.value for some in found.values() for record in some]
    return first, b"".join(values)


async def test_workers_that_race_for_a_period_share_its_key_and_it_is_gone_from_kafka_afterwards(
    deployment: Deployment,
) -> None:
    await deployment.make_topics()
    topic, clock = deployment.topics.periods, Clock()
    source = TopicPartition(topic, 0)
    async with deployment.log() as log, deployment.log() as other:
        workers = [PeriodKeys(one, topic, deployment.settings.group, DAY, clock) for one in (log, other, log, other)]
        ids = [await one.ids(NOON) for one in await _raced(workers)]
        assert len({one["479"] for one in ids}) == 1
        record, *_ = await deployment.records(topic)  # of those that were written at once
        assert (record.key, len(record.value)) == (b"20000", 32)
        assert (await everything(deployment, source))[1].startswith(record.value)

        clock.now += DAY
        await asyncio.gather(*(one.follow() for one in workers))
        assert len({(await one.ids(clock.now))["479"] for one in workers} - {ids[0]["479"]}) == 1
        after, *_ = await deployment.records(topic)
        assert after.key == b"20001"
        first, left = await everything(deployment, source)
        assert (first, record.value in left) == (after.offset, False)
        restarted = PeriodKeys(log, topic, deployment.settings.group, DAY, clock)
        assert (await restarted.ids(clock.now))["479"] == (await workers[0].ids(clock.now))["479"]


async def _raced(workers: list[PeriodKeys]) -> list[PeriodKeys]:
    await asyncio.gather(*(one.ids(NOON) for one in workers))
    return workers
