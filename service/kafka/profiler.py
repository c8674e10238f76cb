"""Evidence frames to the profile store.

Rules:
- A frame is applied before its offset is committed; one that comes again changes nothing.
- While the store is away the profiler tries again, and evidence waits in its topic; nothing else waits for it.
- A frame that is none goes to the dead letter.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final

from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.codecs.frames import decode_evidence
from service.core.errors import Broken
from service.kafka.deadletter import Letter
from service.ports import ProfileStore

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0


class Profiler(Service):
    """The third stage."""

    def __init__(
        self,
        topic: str,
        store: ProfileStore,
        refuse: Callable[[Letter], Awaitable[None]],
        commit: Callable[[TopicPartition, int], Awaitable[None]],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._topic = topic
        self._store = store
        self._refuse = refuse
        self._commit = commit
        self.positions: dict[int, int] = {}
        """Offset of the last frame done with, by partition."""

    async def apply(self, number: int, offset: int, frame: bytes) -> None:
        """Take one frame in, however long the store takes."""
        source = TopicPartition(self._topic, number)
        start = perf_counter()
        try:
            counts = decode_evidence(frame)
        except ValueError as error:
            await self._refuse(Letter(None, frame, str(error), self._topic, number, offset))
            telemetry.REFUSED.labels(self._topic).inc()
        else:
            pause = _FIRST_PAUSE
            while not self.should_stop:
                try:
                    await self._store.apply(f"{self._topic}-{number}", offset, counts)
                    break
                except Broken as error:
                    telemetry.STORE_RETRIES.inc()
                    self.log.warning("%s", error)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return
            telemetry.EVIDENCE.inc(sum(counts.values()))
        telemetry.STORE.observe(perf_counter() - start)
        self.positions[number] = offset
        await self._commit(source, offset + 1)
