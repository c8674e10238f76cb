"""The watchdog: what does not move makes the worker exit, so that another one takes over.

That is a partition that has lag and stays where it is, a worker that waits for its partitions for too long, and a
Kafka that does not answer. Lag is measured against the log itself: feeders and clients hide an absent broker.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic, time
from typing import Final, Protocol

from mode import Service

from querymix import telemetry
from querymix.core.errors import QuerymixError, TransientError
from querymix.kafka.assignment import Fail
from querymix.kafka.ports import End, Ends, TopicPartition
from querymix.kafka.processor import Progress

_LOOK_EVERY: Final = 1.0
_ANSWERS_WITHIN: Final = 5.0


class Watched(Protocol):
    """What has partitions that are to move."""

    @property
    def sources(self) -> Collection[TopicPartition]:
        """The partitions that are there now."""
        ...

    def ends(self, ends: Mapping[TopicPartition, End]) -> Mapping[TopicPartition, Progress | None]:
        """Take note of where partitions end, and return how far each is."""
        ...


class Watchdog(Service):
    """Looks at each partition's progress every second.

    `fail` is called with a `TransientError` once a partition with lag has not moved for `timeout` seconds, or once
    `waits` has said for so long what the worker waits for (it says nothing where it can work), or once Kafka has not
    answered for so long. `always` is a partition that is asked for even where the worker has none.
    """

    def __init__(
        self, log: Ends, watched: Sequence[Watched], always: TopicPartition, timeout: float, fail: Fail,
        waits: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        super().__init__()
        self._log = log
        self._watched = watched
        self._always = always
        self._timeout = timeout
        self._fail = fail
        self._moved: dict[TopicPartition, tuple[int, float]] = {}
        """Where each partition was last, and since when it is there with lag."""
        self._lags: dict[TopicPartition, int] = {}
        self._waits = waits
        self._waits_since: float | None = None
        self._answered = monotonic()
        self._why = ""
        """What the last question that got no answer came to, in parentheses; nothing while none has failed."""

    @property
    def lag(self) -> int:
        """Records that are there and not done with, over all partitions, as of the last look."""
        return sum(self._lags.values())

    def behind(self, bearable: int) -> str:
        """Say how large the lag is, where it is more than `bearable` records."""
        return "" if self.lag <= bearable else f"lag of {self.lag} records"

    def silence(self, bearable: float) -> str:
        """Say that Kafka has not answered, where that is so for more than `bearable` seconds."""
        seconds = monotonic() - self._answered
        return "" if seconds <= bearable else f"Kafka has not answered for {seconds:.0f} s{self._why}"

    @Service.task
    async def _watch(self) -> None:
        self.answered(monotonic())
        while not self.should_stop:
            await self.sleep(_LOOK_EVERY)
            await self.look()

    async def look(self) -> None:
        """Look once."""
        sources = {self._always}.union(*(watched.sources for watched in self._watched))
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                ends = await self._log.ends(sources)
        except (TimeoutError, QuerymixError) as error:
            self._why = f" ({str(error) or 'no answer in time'})"
            self.judge_silence(monotonic())
            return
        now = monotonic()
        self.answered(now)
        self.judge_waiting(self._waits(), now)
        self._forget(sources)
        for watched in self._watched:
            for source, progress in watched.ends(ends).items():
                if progress is None:
                    self._moved.pop(source, None)
                else:
                    self.judge(source, progress, now)

    def answered(self, now: float) -> None:
        """Note that Kafka has answered at `now`."""
        self._answered = now
        self._why = ""
        telemetry.LAST_POLL.set(time())

    def judge_silence(self, now: float) -> None:
        """Fail where Kafka has not answered for too long."""
        if now - self._answered > self._timeout:
            self._fail(
                TransientError(
                    f"Kafka has not answered for {self._timeout:.0f} s{self._why}, and the worker ends: see whether "
                    "the brokers run and this machine reaches them, then start again"
                )
            )

    def judge_waiting(self, waits: str, now: float) -> None:
        """Note what the worker waits for at `now`, and fail where it has waited too long."""
        if not waits or self._waits_since is None:
            self._waits_since = now if waits else None
        elif now - self._waits_since > self._timeout:
            self._fail(TransientError(f"the worker is {waits} for more than {self._timeout:.0f} s and ends."))

    def judge(self, source: TopicPartition, progress: Progress, now: float) -> None:
        """Note how far a partition is at `now`, and fail where it has stalled."""
        lag = self._lags[source] = max(0, progress.end - progress.at)
        telemetry.LAG.labels(source.topic, source.partition).set(lag)
        at, since = self._moved.get(source, (-1, now))
        if not lag or progress.at != at or progress.excused:
            self._moved[source] = (progress.at, now)
        elif now - since > self._timeout:
            self._fail(
                TransientError(
                    f"{source.topic} partition {source.partition} has lag and has not moved for {self._timeout:.0f} s: "
                    "the worker ends, so that another one takes the partition over."
                )
            )

    def _forget(self, sources: Collection[TopicPartition]) -> None:
        """Forget partitions that are no longer this worker's."""
        for source in self._lags.keys() - sources:
            del self._lags[source]
            self._moved.pop(source, None)
            telemetry.LAG.labels(source.topic, source.partition).set(0)
