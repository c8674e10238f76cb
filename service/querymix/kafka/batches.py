"""The feeder where a record is a log: aiokafka in a consumer group of its own, batches of each partition's records."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import aiokafka
from aiokafka.structs import TopicPartition
from mode import Service

from querymix.kafka.linger import BatchingDelay
from querymix.kafka.member import Member
from querymix.kafka.ports import Limit, Record
from querymix.kafka.processors import Processors

_WAIT_MS: Final = 100
"""Milliseconds that an empty partition is waited for."""
_MORE_MS: Final = 10
"""Milliseconds that more records are waited for."""


class _BatchFeed:
    """Batches of one partition."""

    def __init__(self, consumer: aiokafka.AIOKafkaConsumer, source: TopicPartition) -> None:
        self._consumer = consumer
        self._source = source
        self._linger = BatchingDelay()

    async def next(self, limit: Limit) -> Sequence[Record]:
        """Return records that are there, or none after a moment."""
        await self._linger.wait()
        records = await self._some(_WAIT_MS, limit.records)
        if 0 < len(records) < limit.records // 2:
            # aiokafka fetches no more of a partition before what it has is taken, and that may be old by now.
            records += await self._some(_MORE_MS, limit.records - len(records))
        self._linger.note(records, limit)
        return records

    async def _some(self, wait: int, most: int) -> list[Record]:
        fetched = await self._consumer.getmany(self._source, timeout_ms=wait, max_records=most)
        return list(fetched.get(self._source, ()))


class BatchFeeder(Service):
    """Feeds a topic's processors with batches. `options` are those of every client."""

    def __init__(self, processors: Processors, member: Member, options: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._processors = processors
        self._member = member
        self._options = options

    async def on_start(self) -> None:
        """Join the group."""
        self._consumer = aiokafka.AIOKafkaConsumer(
            **self._options,
            **self._member.options(),
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=4 << 20,
        )
        await self._consumer.start()
        self._consumer.subscribe([self._processors.topic], listener=_Listener(self))

    async def on_stop(self) -> None:
        """End all processors, then leave the group."""
        await self._processors.end()
        await self._consumer.stop()

    async def begin(self, sources: set[TopicPartition]) -> None:
        """Start work on partitions, unless the worker is on its way out."""
        if self.should_stop:
            return
        for source in sources:
            self._processors.begin(source, _BatchFeed(self._consumer, source))
        self._processors.assigned()

    async def end(self, sources: set[TopicPartition]) -> None:
        """Stop work on partitions."""
        await self._processors.end(sources)


class _Listener(aiokafka.ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, feeder: BatchFeeder) -> None:
        self._feeder = feeder

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        await self._feeder.end(set(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        await self._feeder.begin(set(assigned))
