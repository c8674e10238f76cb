"""The sink for a Kafka topic whose producers are processes of their own, each with its share of the partitions.

A partition belongs to one process, so the logs of a user stay in order. A parcel is what one process gets at once.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from querymix.core.errors import TransientError
from querymix.settings import ConnectionSettings

from loadtest.replay.frames import frame, next_frame
from loadtest.replay.kafka import Partitions, partitions_of
from loadtest.replay.ledger import Parcels
from loadtest.replay.logs import Log

_PATIENCE: Final = 8.0
"""Seconds for which the processes may go on once their work is over."""


class ProcessesSink:
    """Writes each line as a record of `topic`, as KafkaSink does, from `number` processes."""

    def __init__(
        self, settings: ConnectionSettings, topic: str, number: int, *, compression: str | None = None
    ) -> None:
        self._settings = settings
        self._topic = topic
        self._number = number
        self._compression = compression
        self._running: list[Process] = []
        self._listening: list[asyncio.Task[None]] = []
        self._open: dict[int, tuple[Parcels, int]] = {}
        self._parcels = 0
        self._cpu: dict[int, float] = {}
        self._failed: str | None = None
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._partitions = Partitions(await partitions_of(self._settings, self._topic))
        settings = self._settings.model_dump(mode="json")
        try:
            for _ in range(self._number):
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "loadtest.replay.sender", stdin=PIPE, stdout=PIPE, start_new_session=True
                )
                self._running.append(process)
                _input(process).write(frame((settings, self._topic, self._compression)))
            for number, process in enumerate(self._running):
                await self._heard(number, process)
            self._check()
        except BaseException:
            await self._end()
            raise
        self._listening = [
            asyncio.create_task(self._listen(number, process)) for number, process in enumerate(self._running)
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._end()

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
        """Give each process the records of its partitions."""
        shares: list[tuple[list[Log], list[float]]] = [([], []) for _ in self._running]
        partitions, number = self._partitions, self._number
        for log, when in zip(logs, due, strict=True):
            own, times = shares[partitions[log[1]] % number]
            own.append(log)
            times.append(when)
        for process, (own, times) in zip(self._running, shares, strict=True):
            if not own:
                continue
            self._check()
            self._parcels += 1
            self._open[self._parcels] = (ledger, ledger.take(len(own), times[0]))
            try:
                _input(process).write(frame((self._parcels, began, own, times)))
                await _input(process).drain()
            except OSError:
                self._check()
                raise TransientError("a process that sends to Kafka has ended") from None

    async def flush(self) -> None:
        """Wait until all that was given to the processes has arrived."""
        while self._open:
            self._check()
            self._changed.clear()
            await self._changed.wait()

    @property
    def cpu(self) -> float:
        """Processor seconds of the processes."""
        return sum(self._cpu.values())

    async def _listen(self, number: int, process: Process) -> None:
        while await self._heard(number, process):
            self._changed.set()
        self._changed.set()

    async def _heard(self, number: int, process: Process) -> bool:
        """Hear one thing from a process; False at its end."""
        assert process.stdout is not None  # noqa: S101 - a pipe
        match await next_frame(process.stdout):
            case ("arrived", parcel, size, cpu):
                ledger, own = self._open.pop(parcel)
                ledger.arrived(own, size)
                self._cpu[number] = cpu
            case ("failed", reason):
                self._failed = self._failed or reason
                return False
            case None:
                self._failed = self._failed or "a process that sends to Kafka has ended"
                return False
        return True

    def _check(self) -> None:
        if self._failed is not None:
            raise TransientError(self._failed)

    async def _end(self) -> None:
        for process in self._running:
            _input(process).close()
        try:
            async with asyncio.timeout(_PATIENCE):
                for process in self._running:
                    await process.wait()
        except TimeoutError:
            for process in self._running:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        for task in self._listening:
            await task


def _input(process: Process) -> Any:
    return process.stdin
