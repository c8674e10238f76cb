"""The watchdog: what does not move makes the worker exit, so that another one takes over.

That is a partition that has lag and stays where it is, and a worker that waits for its partitions for too long. Lag is
measured against the log itself: feeders and clients hide an absent broker.

While Kafka does not answer nothing can move, and an exit would not bring it back: the worker waits, says why, and looks
again after a growing pause. Where the answer may be late by its own fault, since it lacks CPU, it says that too.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from itertools import repeat
from time import monotonic, time
from typing import Final, Protocol, Self

from mode import Service

from querymix import telemetry
from querymix.core.errors import QuerymixError, TransientError
from querymix.kafka.assignment import Fail
from querymix.kafka.ports import End, Ends, TopicPartition
from querymix.kafka.processor import Progress
from querymix.kafka.retrying import jittered

_LOOK_EVERY: Final = 1.0
_LONGEST_PAUSE: Final = 15.0
_ANSWERS_WITHIN: Final = 5.0
_BEAT: Final = 0.1
_HELD_UP: Final = 0.5
"""Share of the time that the event loop stood still from which on an answer may be late by that."""
_EXCUSED: Final = 10
"""Times `timeout` that a worker may wait where the log fails a partition again and again."""
_log: Final = logging.getLogger(__name__)


class Watched(Protocol):
    """What has partitions that are to move."""

    @property
    def sources(self) -> Collection[TopicPartition]:
        """The partitions that are there now."""
        ...

    def ends(self, ends: Mapping[TopicPartition, End]) -> Mapping[TopicPartition, Progress | None]:
        """Take note of where partitions end, and return how far each is."""
        ...


async def no_answer() -> None:
    """Do not know why the log does not answer."""


class _Delays:
    """Notes, while it is entered, for how much of the time the event loop stood still."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._due = self._began + _BEAT
        self._still = 0.0

    @property
    def share(self) -> float:
        """Of the time since then; many short delays make an answer as late as one that is long."""
        now = monotonic()
        return (self._still + max(0.0, now - self._due)) / max(now - self._began, _BEAT)

    async def __aenter__(self) -> Self:
        self._noting = asyncio.create_task(self._note())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._noting.cancel()
        await asyncio.wait({self._noting})

    async def _note(self) -> None:
        while True:
            self._due = monotonic() + _BEAT
            await asyncio.sleep(_BEAT)
            self._still += max(0.0, monotonic() - self._due)


class Watchdog(Service):
    """Looks at each partition's progress every second.

    `fail` is called with a `TransientError` once a partition with lag has not moved for `timeout` seconds, or once
    `waits` has said for so long what the worker waits for (it says nothing where it can work). Where `trouble` says
    that the log fails a partition, that may take longer. `why` raises why the log does not answer, where it can tell.
    `always` is a partition that is asked for even where the worker has none.
    """

    def __init__(
        self, log: Ends, watched: Sequence[Watched], always: TopicPartition, timeout: float, fail: Fail,
        waits: Callable[[], str] = lambda: "", trouble: Callable[[], str] = lambda: "",
        why: Callable[[], Awaitable[None]] = no_answer,
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
        self._trouble = trouble
        self._ask_why = why
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
        pauses: Iterator[float] = repeat(_LOOK_EVERY)
        while not self.should_stop:
            await self.sleep(next(pauses))
            if await self.look():
                pauses = repeat(_LOOK_EVERY)
            elif isinstance(pauses, repeat):
                pauses = jittered(_LOOK_EVERY, _LONGEST_PAUSE)

    async def look(self) -> bool:
        """Look once, and say whether Kafka has answered."""
        sources = {self._always}.union(*(watched.sources for watched in self._watched))
        async with _Delays() as delays:
            try:
                async with asyncio.timeout(_ANSWERS_WITHIN):
                    ends = await self._log.ends(sources)
            except (TimeoutError, QuerymixError) as error:
                await self._silent(str(error) or "no answer in time", delays)
                return False
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
        return True

    async def _silent(self, why: str, delays: _Delays) -> None:
        """Note that Kafka does not answer, with the reason that a new connection tells, where it tells one."""
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                await self._ask_why()
        except TimeoutError:
            pass
        except QuerymixError as error:
            why = str(error)
        if (share := delays.share) > _HELD_UP:
            why += (
                f"; the worker itself stood still for {share:.0%} of that time, and it may be that: it lacks CPU, or "
                "queries are very long (--longest-query)"
            )
        self._why = f" ({why})"
        # What stood still meanwhile has all its time again.
        self._waits_since = None
        self._moved.clear()
        _log.warning("Kafka does not answer, and the worker waits: %s", why)

    def answered(self, now: float) -> None:
        """Note that Kafka has answered at `now`."""
        self._answered = now
        self._why = ""
        telemetry.LAST_POLL.set(time())

    def judge_waiting(self, waits: str, now: float) -> None:
        """Note what the worker waits for at `now`, and fail where it has waited too long."""
        if not waits or self._waits_since is None:
            self._waits_since = now if waits else None
            return
        trouble = self._trouble()
        most = self._timeout * (_EXCUSED if trouble else 1)
        if now - self._waits_since > most:
            self._fail(TransientError(f"the worker is {waits} for more than {most:.0f} s and ends. {trouble}".rstrip()))

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
