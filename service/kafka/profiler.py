"""Evidence to the profile store: an aiokafka service with a consumer group of its own.

Rules:
- A partition's frames are applied in order and without a gap, each before its offset is committed: the store takes an
  older one for applied. One that comes again changes nothing.
- While the store is away or slow the profiler goes on trying, and evidence waits in its topic; nothing else waits for
  it. That is no stall: an exit would not bring the store back.
- A frame that is none goes to the dead letter.

A Faust agent held neither of the first two: see the note on the issue.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final

from aiokafka.errors import KafkaError
from aiokafka.structs import TopicPartition

from service import telemetry
from service.codecs.frames import decode_evidence
from service.core.errors import Broken
from service.kafka.deadletter import Letter
from service.kafka.edge import Edge
from service.kafka.topics import Topics
from service.kafka.watchdog import Progress, Watchdog
from service.ports import ProfileStore
from service.settings import WorkerSettings

MOST_FRAMES: Final = 64
"""Frames between two commits, at most."""
_WAIT_MS: Final = 200
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0


class Profiler(Edge):
    """The third stage."""

    def __init__(
        self,
        settings: WorkerSettings,
        topics: Topics,
        store: ProfileStore,
        refuse: Callable[[Letter], Awaitable[None]],
        watchdog: Watchdog,
        fail: Callable[[BaseException], Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(settings, topics.evidence, f"{settings.group}-profiler", watchdog, fail, **kwargs)
        self._store = store
        self._refuse = refuse
        self._away: set[TopicPartition] = set()
        """Partitions that wait for the store."""

    async def work(self, source: TopicPartition) -> None:
        """Apply a partition's frames."""
        try:
            while True:
                found = await self.consumer.getmany(source, timeout_ms=_WAIT_MS, max_records=MOST_FRAMES)
                for record in found.get(source, []):
                    self.busy[source] = record.offset
                    await self._apply(source, record.offset, record.value or b"")
                if source in self.busy:
                    await self._commit(source, self.busy.pop(source) + 1)
        finally:
            self._away.discard(source)

    async def look(self, source: TopicPartition) -> Progress | None:
        """Say how far a partition is."""
        progress = await super().look(source)
        return progress and progress._replace(excused=source in self._away)

    async def _apply(self, source: TopicPartition, offset: int, frame: bytes) -> None:
        """Take one frame in, however long the store takes."""
        start = perf_counter()
        try:
            counts = decode_evidence(frame)
        except ValueError as error:
            await self._refuse(Letter(None, frame, str(error), source.topic, source.partition, offset))
            telemetry.REFUSED.labels(source.topic).inc()
            return
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._store.apply(f"{source.topic}-{source.partition}", offset, counts)
                break
            except Broken as error:
                self._away.add(source)
                telemetry.STORE_RETRIES.inc()
                self.log.warning("%s", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        self._away.discard(source)
        telemetry.EVIDENCE.inc(sum(counts.values()))
        telemetry.STORE.observe(perf_counter() - start)

    async def _commit(self, source: TopicPartition, offset: int) -> None:
        """Move the group; what fails is made good by the next commit, or by evidence that comes again."""
        try:
            await self.consumer.commit({source: offset})
        except KafkaError as error:
            self.log.warning("%s partition %d: no commit, %s", source.topic, source.partition, type(error).__name__)
