"""The watchdog: a partition that has lag and does not move makes the worker exit, so that another one takes over."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, Final, NamedTuple

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


Look = Callable[[], Awaitable[Progress | None]]
"""Says how far a partition is, None where that is not known yet."""


class Watchdog(Service):
    """Looks at each partition's progress every second.

    `fail` is called with a `Broken` once a partition with lag has not moved for `timeout` seconds.
    """

    def __init__(self, timeout: float, fail: Callable[[BaseException], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._timeout = timeout
        self._fail = fail
        self._looks: dict[TopicPartition, Look] = {}
        self._moved: dict[TopicPartition, tuple[int, float]] = {}
        """Where each partition was last, and since when it is there with lag."""
        self._lags: dict[TopicPartition, int] = {}

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
            for source, look in list(self._looks.items()):
                progress = await look()
                if progress is not None and source in self._looks:
                    self.judge(source, progress, monotonic())

    def judge(self, source: TopicPartition, progress: Progress, now: float) -> None:
        """Note how far a partition is at `now`, and fail where it has stalled."""
        lag = self._lags[source] = max(0, progress.end - progress.at)
        telemetry.LAG.labels(source.topic, source.partition).set(lag)
        at, since = self._moved.get(source, (-1, now))
        if not lag or progress.at != at:
            self._moved[source] = (progress.at, now)
        elif now - since > self._timeout:
            self._fail(
                Broken(
                    f"{source.topic} partition {source.partition} has lag and has not moved for {self._timeout:.0f} s: "
                    "the worker ends, so that another one takes the partition over."
                )
            )
