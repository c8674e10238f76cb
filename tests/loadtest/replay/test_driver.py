"""The driver sends each record when it is due, never waits for a slow sink with its clock, and says what it owes."""

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from querymix.core.errors import ConfigError, TransientError

from loadtest.replay.arrivals import Recorded, Steady
from loadtest.replay.driver import run
from loadtest.replay.ledger import Parcels, Progress
from loadtest.replay.logs import Given, Log
from loadtest.replay.sinks import FileSink

HANGS = 60
"""Seconds after which what never comes is no longer waited for."""


def batches(number: int, size: int = 100) -> list[list[Log]]:
    """Return numbered records, a hundredth of a second apart."""
    logs = [(place / 100, b"u", b"%d" % place) for place in range(number)]
    return [logs[start : start + size] for start in range(0, number, size)]


class Kept:
    """A sink that keeps what it gets, and may stall or fail at a log."""

    cpu = 0.0

    def __init__(self, stall_at: int = -1, stall: float = 0.0, fail_at: int = -1) -> None:
        self.lines: list[bytes] = []
        self.early = 0
        self._stall_at, self._stall, self._fail_at = stall_at, stall, fail_at

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        pass

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
        parcel = ledger.take(len(logs), due[0])
        numbers = range(len(self.lines), len(self.lines) + len(logs))
        if self._fail_at in numbers:
            raise TransientError("the sink is broken")
        if self._stall_at in numbers:
            await asyncio.sleep(self._stall)
        self.lines += [log[2] for log in logs]
        ledger.arrived(parcel, 7)

    async def flush(self) -> None:
        pass


async def test_every_log_is_sent_once_and_in_order() -> None:
    sink = Kept()
    report = await run(Given(batches(1_234), 1_234), Steady(10_000), sink)
    assert sink.lines == [b"%d" % place for place in range(1_234)]
    assert (report.sent, report.owed, report.unsure, report.ended) == (1_234, 0, 0, "done")
    assert report.seconds >= 1_233 / 10_000


async def test_no_log_is_sent_before_it_is_due() -> None:
    seen: list[float] = []
    loop = asyncio.get_running_loop()
    start = loop.time()

    class Timed(Kept):
        async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
            assert due[-1] <= loop.time() - start
            seen.extend(due)
            await super().send(logs, due, ledger, began)

    await run(Given(batches(50)), Recorded(2.0), Timed())
    assert seen == pytest.approx([place / 200 for place in range(50)])


async def test_a_stalled_sink_does_not_stop_the_clock_and_its_logs_are_counted_as_late() -> None:
    looks: list[Progress] = []
    report = await run(Given(batches(2_000), 2_000), Steady(4_000), Kept(stall_at=400, stall=0.9), watch=looks.append)
    assert report.ended == "done"
    assert report.owed == 0
    assert report.most_behind >= 1_000, "what came due meanwhile is owed"
    assert report.late_max >= 0.85
    assert report.late_p95 >= 0.3, "all that became late is counted, not only the log that met the stall"
    assert max(look.backlog for look in looks) == report.most_behind
    assert max(look.lateness for look in looks) >= 0.4


async def test_what_is_owed_when_the_time_is_up_is_reported() -> None:
    report = await run(Given(batches(10_000), 10_000), Steady(5_000), Kept(stall_at=0, stall=30), seconds=0.5)
    assert report.ended == "stopped"
    assert report.sent == 0
    assert 2_400 <= report.owed <= 10_000


async def test_a_replay_that_is_stopped_says_what_it_sent() -> None:
    stop = asyncio.Event()
    sink = Kept()

    def watch(look: Progress) -> None:
        if look.sent:
            stop.set()

    report = await run(Given(batches(100_000), 100_000), Steady(1_000), sink, stop=stop, watch=watch)
    assert report.ended == "stopped"
    assert 0 < report.sent == len(sink.lines) < 100_000


async def test_a_sink_that_fails_ends_the_replay_with_the_reason_and_the_logs_that_may_be_there() -> None:
    report = await run(Given(batches(1_000), 1_000), Steady(100_000), Kept(fail_at=500))
    assert report.ended == "failed: the sink is broken"
    assert report.sent <= 500
    assert report.unsure > 0


async def test_an_error_of_the_source_comes_through() -> None:
    def broken() -> Iterator[list[Log]]:
        yield from batches(10)
        raise ConfigError("no more")

    with pytest.raises(ConfigError, match="no more"):
        await run(Given(broken()), Steady(1_000), Kept())


class Waiting(Given):
    """A source whose reading waits for somebody."""

    waits = True


async def test_a_source_that_waits_stops_neither_the_clock_nor_the_end() -> None:
    go = threading.Event()

    def slow() -> Iterator[list[Log]]:
        yield from batches(10)
        go.wait(60)
        yield from batches(10)

    stop = asyncio.Event()

    def watch(look: Progress) -> None:
        if look.sent == 10:
            stop.set()

    report = await run(Waiting(slow()), Steady(1_000), Kept(), seconds=HANGS, stop=stop, watch=watch)
    go.set()
    assert (report.sent, report.ended) == (10, "stopped")


async def test_a_source_that_waits_is_read_to_its_end_and_its_errors_come_through() -> None:
    report = await run(Waiting(batches(300)), Steady(10_000), Kept())
    assert (report.sent, report.ended) == (300, "done")

    def broken() -> Iterator[list[Log]]:
        yield from batches(10)
        raise ConfigError("no more")

    with pytest.raises(ConfigError, match="no more"):
        await run(Waiting(broken()), Steady(1_000), Kept())


async def test_a_pipe_that_nobody_reads_is_waited_for_and_owed(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        async with FileSink(str(fifo)) as sink:
            stop, before = asyncio.Event(), [0]

            def watch(look: Progress) -> None:
                if 0 < look.sent == before[0]:
                    stop.set()  # the pipe is full
                before[0] = look.sent

            report = await run(
                Given(batches(100_000), 100_000), Steady(1_000_000), sink, seconds=HANGS, stop=stop, watch=watch
            )
            assert report.ended == "stopped"
            assert report.owed > 0
            assert report.sent + report.owed == 100_000
            assert report.unsure > 0
            os.set_blocking(reader, False)
            assert len(os.read(reader, 1 << 20)) > 4_096
    finally:
        os.close(reader)


async def test_a_pipe_whose_reader_has_ended_fails_with_the_reason(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    async with FileSink(str(fifo)) as sink:
        os.close(reader)
        report = await run(Given(batches(100), 100), Steady(1_000_000), sink)
    assert report.ended.startswith("failed")
    assert "its reader has ended" in report.ended


async def test_a_full_disk_fails_with_the_reason() -> None:
    async with FileSink("/dev/full") as sink:
        report = await run(Given(batches(100), 100), Steady(1_000_000), sink)
    assert report.ended == "failed: cannot write /dev/full: No space left on device"
