"""The watchdog: a partition that has lag and does not move makes the worker exit, so that another one takes over."""

from collections.abc import Callable
from time import monotonic
from typing import Any, Final

from aiokafka.structs import TopicPartition
from mode import Service

from service import telemetry
from service.core.errors import Broken

_LOOK_EVERY: Final = 1.0


class Watchdog(Service):
    """Looks at each partition's progress.

    `fail` is called with a `Broken` once a partition with lag has not moved for `timeout` seconds.
    """

    def __init__(self, timeout: float, fail: Callable[[BaseException], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._timeout = timeout
        self._fail = fail
        self._seen: dict[TopicPartition, tuple[int, float]] = {}
        """The offset read next, and when it last moved or there was no lag."""
        self._ends: dict[TopicPartition, int] = {}

    @property
    def lag(self) -> int:
        """Records that are there and not yet taken in, over all partitions."""
        return sum(max(0, end - self._seen[source][0]) for source, end in self._ends.items() if source in self._seen)

    def see(self, source: TopicPartition, at: int | None, end: int | None) -> None:
        """Note the offset that a partition is read at next (None: as before) and its end (None: not known)."""
        old, since = self._seen.get(source, (0, monotonic()))
        if at is None and source not in self._seen:
            at = end or 0
        new = old if at is None else at
        if end is not None:
            self._ends[source] = end
        behind = self._ends.get(source, 0) > new
        self._seen[source] = (new, since if behind and new == old else monotonic())
        telemetry.LAG.labels(source.topic, source.partition).set(max(0, self._ends.get(source, 0) - new))

    def forget(self, source: TopicPartition) -> None:
        """Look no longer at a partition."""
        self._seen.pop(source, None)
        self._ends.pop(source, None)
        telemetry.LAG.labels(source.topic, source.partition).set(0)

    @Service.task
    async def _watch(self) -> None:
        while not self.should_stop:
            await self.sleep(_LOOK_EVERY)
            self.look(monotonic())

    def look(self, now: float) -> None:
        """Fail where a partition has stalled."""
        for source, (at, since) in self._seen.items():
            if self._ends.get(source, 0) > at and now - since > self._timeout:
                self._fail(
                    Broken(
                        f"{source.topic} partition {source.partition} has lag and has not moved for "
                        f"{self._timeout:.0f} s: the worker ends, so that another one takes the partition over."
                    )
                )
                return
