"""Drives a replay: the clock, the arrival process and the sink.

Rules:
- Records are sent when they are due, looked at every `_TICK` seconds, or as soon after as the sink takes them.
- What is due and not taken stays where it is, in a file or a pipe, so a slow sink costs no memory; it is counted.
"""

import asyncio
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from querymix.core.errors import QuerymixError

from loadtest.replay.ahead import batches_of
from loadtest.replay.arrivals import Arrivals
from loadtest.replay.ledger import Ledger, Progress, Report
from loadtest.replay.logs import Log, Source
from loadtest.replay.sinks import Sink

_TICK: Final = 0.02
_LOOK: Final = 0.2
_AT_ONCE: Final = 4_096
"""Records that a sink is given at once."""
_PATIENCE: Final = 10.0
"""Seconds for which a replay that was stopped waits for what the sink has taken."""
_STALL: Final = 60.0
"""Seconds without an arrival after which the end is not waited for any longer."""
_POINTS: Final = 2_000


async def run(
    source: Source,
    arrivals: Arrivals,
    sink: Sink,
    *,
    watch: Callable[[Progress], None] = lambda _: None,
    stop: asyncio.Event | None = None,
    seconds: float | None = None,
) -> Report:
    """Send the records of `source` to `sink`, each when it is due or as soon after as the sink lets it.

    `watch` is called about five times a second. The replay ends with the source, after `seconds`, or once `stop` is
    set; what the sink took is then waited for. A sink that fails ends the replay too: the report's `ended` says why.
    Errors of the source come through.
    """
    replay = _Replay(source, arrivals, sink, seconds)
    stopping = asyncio.create_task((stop or asyncio.Event()).wait())
    sending = asyncio.create_task(replay.send())
    try:
        while not sending.done() and not stopping.done() and replay.left() > 0:
            await asyncio.wait(
                {sending, stopping}, timeout=min(_LOOK, replay.left()), return_when=asyncio.FIRST_COMPLETED
            )
            watch(replay.look())
        replay.over = replay.clock()
        complete = sending.done()
        if complete:
            await sending
        else:
            sending.cancel()
            await asyncio.wait({sending})
        await _settle(replay, sink, stopping, complete, watch)
    except _Failed as failed:
        return replay.report(f"failed: {failed}")
    finally:
        sending.cancel()
        stopping.cancel()
    return replay.report("done" if complete and not stopping.done() else "stopped")


async def _settle(
    replay: "_Replay", sink: Sink, stopping: asyncio.Task[bool], complete: bool, watch: Callable[[Progress], None]
) -> None:
    """Wait for what the sink has taken: as long as some of it arrives, or a while where the replay was stopped."""
    flushing = asyncio.create_task(sink.flush())
    patience = time.monotonic() + (_STALL if complete else _PATIENCE)
    sent = 0
    try:
        while not flushing.done() and time.monotonic() < patience:
            await asyncio.wait({flushing}, timeout=_LOOK)
            look = replay.look()
            watch(look)
            if complete and look.sent > sent:
                sent, patience = look.sent, time.monotonic() + _STALL
            if stopping.done():
                patience = min(patience, time.monotonic() + _PATIENCE)
        if flushing.done():
            try:
                await flushing
            except QuerymixError as error:
                raise _Failed(error) from None
        elif complete and not stopping.done():
            raise _Failed(f"nothing has arrived for {_STALL:.0f} s: see whether the target runs")
    finally:
        flushing.cancel()


class _Failed(Exception):  # noqa: N818 - caught above
    """The sink failed."""


class _Replay:
    """One replay under way."""

    def __init__(self, source: Source, arrivals: Arrivals, sink: Sink, seconds: float | None) -> None:
        self._source = source
        self._arrivals = arrivals
        self._sink = sink
        self._seconds = inf if seconds is None else seconds
        self._began = time.time()
        self._start = time.monotonic()
        self._cpu = time.process_time()
        self._ledger = Ledger(self.clock)
        self._read = 0
        """Records in the batches before the one at hand."""
        self._due: Sequence[float] = ()
        """When those of the batch at hand are due."""
        self._place = 0
        """How many of them are with the sink."""
        self._looks: deque[tuple[float, int]] = deque(maxlen=7)
        self._curve: list[tuple[float, int, int]] = []
        self._step = 1.0
        self._most_behind = 0
        self.over: float | None = None
        """When the replay ended, in seconds after the start."""

    def clock(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._start

    def left(self) -> float:
        """Return the seconds until the time is up."""
        return self._seconds - self.clock()

    async def send(self) -> None:
        """Send all records."""
        async for logs in batches_of(self._source):
            self._due = self._arrivals.due(self._read, [log[0] for log in logs])
            self._place = 0
            await self._send(logs, self._due)
            self._read += len(logs)
            self._due, self._place = (), 0

    async def _send(self, logs: Sequence[Log], due: Sequence[float]) -> None:
        while (place := self._place) < len(due):
            now = self.clock()
            upto = bisect_right(due, now, place, min(len(due), place + _AT_ONCE))
            if upto == place:
                await asyncio.sleep(max(due[place] - now, _TICK))
                continue
            ready = due[place:upto]
            try:
                await self._sink.send(
                    self._source.fill(logs[place:upto], ready, self._began), ready, self._ledger, self._began
                )
            except QuerymixError as error:
                raise _Failed(error) from None
            self._place = upto
            await asyncio.sleep(0)  # a file takes everything at once

    def _due_by(self, now: float) -> int:
        """Return how many records are due: as the arrival process says, as far as there are any."""
        known = self._read + bisect_right(self._due, now)
        by = self._arrivals.by(now)
        if by is None:
            return known
        most = self._source.total
        return max(known, int(by) if most is None else min(int(by), most))

    def look(self) -> Progress:
        """Return how the replay stands, and remember it."""
        now = self.clock()
        sent, total = self._ledger.sent, self._source.total
        due = self._due_by(now if self.over is None else self.over)
        self._looks.append((now, sent))
        before, then = self._looks[0]
        rate = (sent - then) / (now - before) if now > before else 0.0
        self._most_behind = max(self._most_behind, due - sent)
        if not self._curve or now >= self._curve[-1][0] + self._step:
            self._curve.append((round(now, 3), due, sent))
            if len(self._curve) > _POINTS:
                self._curve, self._step = self._curve[::2], 2 * self._step
        waiting = [
            when for when in (self._ledger.oldest, *self._due[self._place : self._place + 1]) if when is not None
        ]
        left = min((total - sent) / rate if total is not None and rate > 0 else inf, self._seconds - now)
        return Progress(
            now,
            sent,
            due,
            total,
            rate,
            max(0.0, now - min(waiting, default=now)),
            None if left == inf else max(0.0, left),
        )

    def report(self, ended: str) -> Report:
        """Return what was done."""
        ledger = self._ledger
        due = self._due_by(self.clock() if self.over is None else self.over)
        return Report(
            sent=ledger.sent,
            unsure=ledger.unsure,
            owed=max(0, due - ledger.sent),
            bytes=ledger.bytes,
            seconds=ledger.last,
            rate=ledger.sent / ledger.last if ledger.last else 0.0,
            most_behind=max(self._most_behind, 0),
            late_p50=ledger.late(50),
            late_p95=ledger.late(95),
            late_p99=ledger.late(99),
            late_max=ledger.late(100),
            cpu=time.process_time() - self._cpu + self._sink.cpu,
            ended=ended,
            began=self._began,
            curve=tuple(self._curve),
        )
