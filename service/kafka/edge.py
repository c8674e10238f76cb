"""Reading a topic by a consumer group of its own: one task for each partition that this worker has.

Rules:
- A partition's task begins when it is assigned and has ended, whatever it was at, before it is another worker's.
- What breaks in a task ends the worker; a restart resumes.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import aiokafka
from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.core.errors import Broken
from service.kafka.connection import client_options
from service.kafka.transactions import Fenced, until_told
from service.kafka.watchdog import Progress, Watchdog
from service.settings import WorkerSettings


class Edge(Service):
    """Base of the stages that read with aiokafka; they give `work`."""

    def __init__(
        self,
        settings: WorkerSettings,
        topic: str,
        group: str,
        watchdog: Watchdog,
        fail: Callable[[BaseException], Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.settings = settings
        self.topic = topic
        self.group = group
        self.assigned = asyncio.Event()
        """Set once partitions were assigned for the first time."""
        self.busy: dict[TopicPartition, int] = {}
        """Offset of the first record that was fetched and is not done with."""
        self._watchdog = watchdog
        self._fail = fail
        self._hops: dict[TopicPartition, asyncio.Task[None]] = {}

    async def work(self, source: TopicPartition) -> None:
        """Work on a partition until the task is cancelled."""
        raise NotImplementedError

    async def on_start(self) -> None:
        """Join the group."""
        self.consumer = aiokafka.AIOKafkaConsumer(
            **client_options(self.settings),
            group_id=self.group,
            group_instance_id=self.settings.instance,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=4 << 20,
            session_timeout_ms=int(self.settings.session_timeout * 1000),
            heartbeat_interval_ms=int(self.settings.session_timeout * 250),
        )
        await self.consumer.start()
        self.consumer.subscribe([self.topic], listener=_Listener(self))

    async def on_stop(self) -> None:
        """End all tasks, then leave the group."""
        await self.end(set(self._hops))
        await self.consumer.stop()

    async def begin(self, sources: set[TopicPartition]) -> None:
        """Start work on partitions, unless the worker is on its way out."""
        if self.should_stop:
            return
        for source in sources:
            name = f"{source.topic} {source.partition}"
            self._hops[source] = asyncio.create_task(self._guarded(source), name=name)
            self._watchdog.watch(source, self._looking(source))
        telemetry.ASSIGNED.labels(self.topic).set(len(sources))
        self.assigned.set()

    async def end(self, sources: set[TopicPartition]) -> None:
        """Stop work on partitions; what is under way is undone or done whole."""
        ended = [task for source in sources if (task := self._hops.pop(source, None))]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
        for source in sources:
            self.busy.pop(source, None)
            self._watchdog.forget(source)

    async def _guarded(self, source: TopicPartition) -> None:
        try:
            try:
                await self.work(source)
            except Fenced:
                self.log.warning("%s partition %d is another worker's by now", source.topic, source.partition)
                await until_told(self.settings, source)
        except Broken as error:
            self._fail(error)
        except Exception as error:
            self._fail(Broken(f"{source.topic} partition {source.partition}: {type(error).__name__}"))

    def _looking(self, source: TopicPartition) -> Callable[[], Any]:
        return lambda: self.look(source)

    async def look(self, source: TopicPartition) -> Progress | None:
        """Say how far a partition is."""
        end = self.consumer.highwater(source)
        if end is None:
            return None
        at = self.busy.get(source)
        return Progress(await self.consumer.position(source) if at is None else at, end)


class _Listener(aiokafka.ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka has no types
    def __init__(self, edge: Edge) -> None:
        self._edge = edge

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        await self._edge.end(set(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        await self._edge.begin(set(assigned))
