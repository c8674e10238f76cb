"""A role's processors on this worker: begun when partitions are assigned, over before they are another worker's."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Final

from querymix import telemetry
from querymix.core.errors import TransientError
from querymix.kafka.failures import explained
from querymix.kafka.ports import End, Feed, FencedError, PartitionedLog, TopicPartition
from querymix.kafka.processor import PartitionProcessor, Progress, Role

Fail = Callable[[BaseException], object]
"""Called with what broke for good."""
_ENDS_WITHIN: Final = 3.0
_log: Final = logging.getLogger(__name__)


MakeRole = Callable[[TopicPartition], Role]
"""Makes the role of one partition."""


class Processors:
    """One topic's processors.

    `make` makes the role of a partition. `until_told` is how many seconds the group may take to say that a partition
    is another worker's, once that worker has begun.
    """

    def __init__(self, topic: str, log: PartitionedLog, make: MakeRole, until_told: float, fail: Fail) -> None:
        self.topic = topic
        self._log = log
        self._make = make
        self._until_told = until_told
        self._fail = fail
        self._running: dict[TopicPartition, tuple[PartitionProcessor, asyncio.Task[None]]] = {}
        self._assigned = False

    @property
    def roles(self) -> Mapping[TopicPartition, Role]:
        """The roles at work, by partition."""
        return {source: processor.role for source, (processor, _) in self._running.items()}

    @property
    def sources(self) -> Collection[TopicPartition]:
        """The partitions of this worker."""
        return self._running.keys()

    def waits(self) -> str:
        """Say what is still waited for before all partitions are worked on, nothing where they are."""
        if not self._assigned:
            return f"waiting for partitions of {self.topic}"
        ready = all(processor.ready.is_set() for processor, _ in self._running.values())
        return "" if ready else f"restoring {self.topic}"

    def begin(self, source: TopicPartition, feed: Feed) -> None:
        """Start on a partition."""
        processor = PartitionProcessor(source, self._log, self._make(source), feed)
        task = asyncio.create_task(self._guarded(processor), name=f"{source.topic} {source.partition}")
        self._running[source] = processor, task

    def assigned(self) -> None:
        """Note that partitions were assigned, be it none."""
        self._assigned = True
        telemetry.ASSIGNED.labels(self.topic).set(len(self._running))

    async def end(self, sources: Collection[TopicPartition] | None = None) -> None:
        """Stop work on partitions, or on all; what is under way is undone or done whole."""
        ended = [self._running.pop(source) for source in list(self.sources if sources is None else sources)
                 if source in self._running]  # fmt: skip
        pending = {task for _, task in ended}
        while pending:
            for task in pending:
                # Once more where a cancellation was swallowed; see `end_if_cancelled`.
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=_ENDS_WITHIN)
        for processor, _ in ended:
            processor.role.ended()
        telemetry.ASSIGNED.labels(self.topic).set(len(self._running))

    def ends(self, ends: Mapping[TopicPartition, End]) -> dict[TopicPartition, Progress | None]:
        """Tell the processors where their partitions end, and return how far each is."""
        return {
            source: processor.ends(ends[source]) for source, (processor, _) in self._running.items() if source in ends
        }

    async def _guarded(self, processor: PartitionProcessor) -> None:
        source = processor.source
        place = f"{source.topic} partition {source.partition}"
        try:
            try:
                await processor.run()
            except FencedError:
                _log.warning("%s is another worker's by now", place)
                # The group takes it away in time, and this task is cancelled. If not, whoever has fenced it is no
                # rightful owner, or this worker is out of touch.
                await asyncio.sleep(self._until_told)
                raise TransientError(f"{place} was taken over and the group has not said so") from None
        except Exception as error:
            self._fail(explained(error, place))
