"""How far the raw topic was written and read, asked of Kafka, whatever becomes of the workers."""

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

import aiokafka
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import GroupCoordinatorNotAvailableError
from aiokafka.structs import TopicPartition
from querymix.kafka.classifier import group_of
from querymix.kafka.connection import client_options
from querymix.kafka.topics import names
from querymix.settings import GroupSettings


class Offsets:
    """Asks; an async context manager."""

    def __init__(self, settings: GroupSettings, partitions: int) -> None:
        options = client_options(settings)
        self._group = group_of(settings.group)
        self._sources = [TopicPartition(names(settings).raw, number) for number in range(partitions)]
        self._consumer = aiokafka.AIOKafkaConsumer(**options)
        self._admin = AIOKafkaAdminClient(**options)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Connect."""
        await self._stack.enter_async_context(self._consumer)
        self._stack.push_async_callback(self._admin.close)
        await self._admin.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close."""
        await self._stack.aclose()

    async def ask(self, *, new: bool = False) -> tuple[int, int]:
        """Return how many records the raw topic was ever given, and how many the classifiers have taken in.

        `new`: a broker that no group has joined yet knows of no coordinator, and then nothing was taken in.
        The raw topic has no markers of transactions, as its producer has no transactions: offsets count records.
        """
        ends = await self._consumer.end_offsets(self._sources)
        try:
            kept = await self._admin.list_consumer_group_offsets(self._group, partitions=self._sources)
        except GroupCoordinatorNotAvailableError:
            if not new:
                raise
            kept = {}
        return sum(ends.values()), sum(max(0, kept[source].offset) for source in self._sources if source in kept)
