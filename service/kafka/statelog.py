"""Reading a partition of the state topic, and finding where a partition's stream goes on."""

from collections.abc import Iterable
from typing import Final

import aiokafka
from aiokafka.structs import TopicPartition

from service.core.errors import Broken
from service.kafka.connection import client_options
from service.kafka.topics import MOST_BYTES, Topics
from service.settings import ConnectionSettings
from service.stages.partition import Entry

_POLL_MS: Final = 200
_PATIENCE: Final = 450
"""Polls without progress until a partition counts as unreadable: longer than the broker lets a dead worker's
transaction stay open."""


class Reader:
    """Reads committed records of the internal topics, outside of any consumer group.

    Several workers write to a partition of the state topic. An open transaction of one hides what others have
    committed after it, so a partition is read up to its very end, and open transactions are waited for.
    """

    def __init__(self, settings: ConnectionSettings, topics: Topics) -> None:
        self._topics = topics
        self._ends = aiokafka.AIOKafkaConsumer(
            **client_options(settings), isolation_level="read_uncommitted", enable_auto_commit=False
        )
        self._consumer = aiokafka.AIOKafkaConsumer(
            **client_options(settings),
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=MOST_BYTES,
            fetch_max_wait_ms=_POLL_MS,
        )

    async def start(self) -> None:
        """Connect."""
        await self._ends.start()
        await self._consumer.start()

    async def stop(self) -> None:
        """Let go."""
        await self._consumer.stop()
        await self._ends.stop()

    async def entries(self, partition: int) -> list[Entry]:
        """Return all records of a partition of the state topic, in order.

        Raises Broken where they cannot be read to the end.
        """
        source = TopicPartition(self._topics.state, partition)
        self._consumer.assign([source])
        await self._consumer.seek_to_beginning(source)
        return [Entry(key, value) for key, value, _ in await self._to_end(source) if key and value]

    async def first_after(self, partition: int, position: int) -> tuple[int, bool]:
        """Return the offset that a partition's stream goes on at after `position`.

        It comes with whether a record stands there already; if not, the next one will stand there or later.
        """
        source = TopicPartition(self._topics.classified, partition)
        self._consumer.assign([source])
        start = (await self._consumer.beginning_offsets([source]))[source]
        end = (await self._consumer.end_offsets([source]))[source]
        self._consumer.seek(source, max(position + 1, start))
        idle = 0
        while (at := await self._consumer.position(source)) < end:
            for records in (await self._consumer.getmany(source, timeout_ms=_POLL_MS, max_records=1)).values():
                for record in records:
                    return record.offset, True
            idle = idle + 1 if await self._consumer.position(source) == at else 0
            if idle > _PATIENCE:
                raise Broken(f"{source.topic} partition {partition} cannot be read up to its end")
        return at, False

    async def _to_end(self, source: TopicPartition) -> Iterable[tuple[bytes, bytes, int]]:
        end = (await self._ends.end_offsets([source]))[source]
        found: list[tuple[bytes, bytes, int]] = []
        idle = 0
        while (at := await self._consumer.position(source)) < end:
            for records in (await self._consumer.getmany(source, timeout_ms=_POLL_MS)).values():
                found += [(record.key, record.value, record.offset) for record in records]
            idle = idle + 1 if await self._consumer.position(source) == at else 0
            if idle > _PATIENCE:
                raise Broken(f"{source.topic} partition {source.partition} cannot be read up to its end")
        return found
