"""The watchdog: what does not move makes the worker exit, so that another one takes over.

That is a partition that has lag and stays where it is, and a worker that waits for its partitions for too long.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NamedTuple

from aiokafka.errors import KafkaError
from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.core.errors import Broken

_LOOK_EVERY: Final = 1.0


class Progress(NamedTuple):
    """How far a partition is."""

    at: int
    """Offset of the first record that is not done with; the end where all is done."""
    end: int
    """Offset that the next record will have."""
    excused: bool = False
    """Whether it waits for something that an exit would not bring back."""


Look = Callable[[], Awaitable[Progress | None]]
"""Says how far a partition is, None where that is not known yet."""


class Watchdog(Service):
    """Looks at each partition's progress every second.

    `fail` is called with a `Broken` once a partition with lag has not moved for `timeout` seconds, or once `waits`
    has said for so long what the worker waits for.
    """

    def __init__(self, timeout: float, fail: Callable[[BaseException], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._timeout = timeout
        self._fail = fail
        self._looks: dict[TopicPartition, Look] = {}
        self._moved: dict[TopicPartition, tuple[int, float]] = {}
        """Where each partition was last, and since when it is there with lag."""
        self._lags: dict[TopicPartition, int] = {}
        self.waits: Callable[[], str] = lambda: ""
        """Says what the worker still waits for before it can work, nothing where it can."""
        self._waits_since: float | None = None

    @property
    def lag(self) -> int:
        """Records that are there and not done with, over all partitions, as of the last look."""
        return sum(self._lags.values())

    def watch(self, source: TopicPartition, look: Look) -> None:
        """Look at a partition from now on."""
        self._looks[source] = look
        self._moved.pop(source, None)

    def forget(self, source: TopicPartition) -> None:
        """Look no longer at a partition."""
        self._looks.pop(source, None)
        self._moved.pop(source, None)
        self._lags.pop(source, None)
        telemetry.LAG.labels(source.topic, source.partition).set(0)

    @Service.task
    async def _watch(self) -> None:
        while not self.should_stop:
            await self.sleep(_LOOK_EVERY)
            self.judge_waiting(self.waits(), monotonic())
            for source, look in list(self._looks.items()):
                progress = None
                with suppress(TimeoutError, KafkaError):
                    # A broker that is away, or a partition that has just been taken away, must not hold this up.
                    progress = await asyncio.wait_for(look(), _LOOK_EVERY)
                if progress is not None and source in self._looks:
                    self.judge(source, progress, monotonic())

    def judge_waiting(self, waits: str, now: float) -> None:
        """Note what the worker waits for at `now`, and fail where it has waited too long."""
        if not waits or self._waits_since is None:
            self._waits_since = now if waits else None
        elif now - self._waits_since > self._timeout:
            self._fail(Broken(f"the worker is {waits} for more than {self._timeout:.0f} s and ends."))

    def judge(self, source: TopicPartition, progress: Progress, now: float) -> None:
        """Note how far a partition is at `now`, and fail where it has stalled."""
        lag = self._lags[source] = max(0, progress.end - progress.at)
        telemetry.LAG.labels(source.topic, source.partition).set(lag)
        at, since = self._moved.get(source, (-1, now))
        if not lag or progress.at != at or progress.excused:
            self._moved[source] = (progress.at, now)
        elif now - since > self._timeout:
            self._fail(
                Broken(
                    f"{source.topic} partition {source.partition} has lag and has not moved for {self._timeout:.0f} s: "
                    "the worker ends, so that another one takes the partition over."
                )
            )
