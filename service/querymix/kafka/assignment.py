"""A role's processors on this worker: begun when partitions are assigned, over before they are another worker's.

Rules:
- While Kafka is away, refuses this user or has forgotten a writer, a partition waits with a growing pause and begins
  anew: it fences its own predecessor, and what that left open is aborted or done before the state is read.
- It begins anew only after the group had time to say that the partition is another worker's: it would fence that one.
- Whatever hangs, a partition is given up after a while. What it left open is aborted by whoever begins next.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from time import monotonic
from typing import Final

from querymix import telemetry
from querymix.core.errors import QuerymixError, RefusedError, TransientError
from querymix.kafka.failures import AwayError, explained
from querymix.kafka.ports import End, Feed, FencedError, PartitionedLog, TopicPartition
from querymix.kafka.processor import PartitionProcessor, Progress, Role
from querymix.kafka.retrying import end_if_cancelled, jittered

Fail = Callable[[BaseException], object]
"""Called with what broke for good."""
_ENDS_WITHIN: Final = 3.0
_GIVEN_UP_AFTER: Final = 3
"""Cancellations after which a task that does not end is given up."""
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_OFTEN: Final = 10
"""Times `until_told` within which a partition that is taken over a second time is rightly another's."""
_log: Final = logging.getLogger(__name__)


MakeRole = Callable[[TopicPartition], Role]
"""Makes the role of one partition."""


async def at_once() -> None:
    """Take Kafka for well again."""


class Processors:
    """One topic's processors.

    `make` makes the role of a partition. `until_told` is how many seconds the group may take to say that a partition
    is another worker's, once that worker has begun. `back` returns once Kafka may be used again, and raises where it is
    still away or is not the one that it was.
    """

    def __init__(
        self, topic: str, log: PartitionedLog, make: MakeRole, until_told: float, fail: Fail,
        back: Callable[[], Awaitable[None]] = at_once,
    ) -> None:  # fmt: skip
        self.topic = topic
        self._log = log
        self._make = make
        self._until_told = until_told
        self._fail = fail
        self._back = back
        self._troubles: dict[TopicPartition, str] = {}
        """Why partitions wait to begin anew."""
        self._running: dict[TopicPartition, tuple[PartitionProcessor, asyncio.Task[None]]] = {}
        self._assigned = False
        self._worked = False
        """Whether a partition was ever worked on."""

    @property
    def roles(self) -> Mapping[TopicPartition, Role]:
        """The roles at work, by partition."""
        return {source: processor.role for source, (processor, _) in self._running.items()}

    @property
    def sources(self) -> Collection[TopicPartition]:
        """The partitions of this worker."""
        return self._running.keys()

    def trouble(self) -> str:
        """Say why a partition waits to begin anew, nothing where none does."""
        waiting = (source for source, (processor, _) in self._running.items() if not processor.ready.is_set())
        return next((self._troubles[source] for source in waiting if source in self._troubles), "")

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

    def _anew(self, before: PartitionProcessor) -> PartitionProcessor:
        """Put another processor in the place of one that failed; its task goes on with it."""
        source = before.source
        before.role.ended()
        processor = PartitionProcessor(source, self._log, self._make(source), before.feed)
        self._running[source] = processor, self._running[source][1]
        return processor

    def assigned(self) -> None:
        """Note that partitions were assigned, be it none."""
        self._assigned = True
        telemetry.ASSIGNED.labels(self.topic).set(len(self._running))

    async def end(self, sources: Collection[TopicPartition] | None = None) -> None:
        """Stop work on partitions, or on all; what is under way is undone or done whole."""
        for source in list(self._troubles if sources is None else sources):
            self._troubles.pop(source, None)
        ended = [self._running.pop(source) for source in list(self.sources if sources is None else sources)
                 if source in self._running]  # fmt: skip
        pending = {task for _, task in ended}
        for _ in range(_GIVEN_UP_AFTER):
            for task in pending:
                # Once more where a cancellation was swallowed; see `end_if_cancelled`.
                task.cancel()
            if pending:
                _, pending = await asyncio.wait(pending, timeout=_ENDS_WITHIN)
        for task in pending:
            _log.warning("%s does not end and is given up; what it left open is aborted", task.get_name())
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
        pauses = jittered(_FIRST_PAUSE, _LONGEST_PAUSE)
        taken = float("-inf")
        try:
            error: QuerymixError
            while True:
                begun = monotonic()
                try:
                    await processor.run()
                except FencedError:
                    _log.warning("%s is another worker's by now", place)
                    # The group takes it away in time, and this task is cancelled. If not, the broker has ended a
                    # transaction that was open for too long; or whoever fences it is no rightful owner.
                    await asyncio.sleep(self._until_told)
                    if monotonic() - taken < _OFTEN * self._until_told:
                        raise TransientError(f"{place} was taken over and the group has not said so") from None
                    taken, error = monotonic(), AwayError(f"{place} was taken over and the group has not said so")
                except Exception as failure:
                    told = explained(failure, place)
                    if not isinstance(told, AwayError | RefusedError) or not self._may_wait(told):
                        raise
                    error = told
                end_if_cancelled()
                if monotonic() - begun > _LONGEST_PAUSE:
                    pauses = jittered(_FIRST_PAUSE, _LONGEST_PAUSE)
                await self._wait(processor, error, pauses)
                end_if_cancelled()
                processor = self._anew(processor)
        except Exception as error:
            # What fails while the partition is taken away is no failure of this worker.
            end_if_cancelled()
            self._fail(explained(error, place))

    def _may_wait(self, error: QuerymixError) -> bool:
        """Say whether to wait: a right that was never there is a wrong setting, one that was there may come back."""
        self._worked = self._worked or any(processor.ready.is_set() for processor, _ in self._running.values())
        return self._worked or not isinstance(error, RefusedError)

    async def _wait(self, processor: PartitionProcessor, error: QuerymixError, pauses: Iterator[float]) -> None:
        """Return once the partition may be begun anew. Raises ConfigError where the topics are others by now."""
        _log.warning("%s; the partition waits and is begun anew", error)
        telemetry.BEGUN_ANEW.labels(self.topic).inc()
        processor.ready.clear()
        while True:
            self._troubles[processor.source] = str(error)
            await asyncio.sleep(next(pauses))
            try:
                await self._back()
            except (AwayError, RefusedError) as still:
                error = still
            else:
                return
