"""Where records go: what every sink does, and files and pipes. Kafka is in kafka.py.

Rules:
- A sink tells the ledger what it has taken and what has arrived.
- A write never waits in the event loop: a pipe without room is waited for, so that the clock and Ctrl-C go on.
"""

import asyncio
import os
import select
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Protocol, Self

from querymix.codecs.aol import HEADER
from querymix.core.errors import TransientError
from querymix.local.file_identity import descriptor_of

from loadtest.replay.ledger import Parcels
from loadtest.replay.logs import Log

STANDARD_OUTPUT: Final = "-"
_AT_ONCE: Final = select.PIPE_BUF
"""Bytes that a pipe which says to have room takes without waiting."""


class Sink(Protocol):
    """Takes records. An async context manager: entering connects, leaving closes."""

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
        """Take records that are due, with when each was, and return once there is room for more.

        Calls `ledger.take`, and `ledger.arrived` for records that are safely there, now or later. `began` is the Unix
        time of the start. Raises TransientError where it fails, also for records that were taken before.
        """
        ...

    async def flush(self) -> None:
        """Wait until all records that were taken are safely there. Raises TransientError where it fails."""
        ...

    @property
    def cpu(self) -> float:
        """Processor seconds of processes that the sink has of its own."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class FileSink:
    """Writes lines to a file, which begins anew, or to a pipe, a device or standard output ("-").

    A log of the AOL form begins with its header. Raises TransientError where the file cannot be opened or written.
    """

    def __init__(self, name: str) -> None:
        self._name = "standard output" if name == STANDARD_OUTPUT else name
        self._path = name
        self._descriptor = -1
        self._pipe = False
        self._begun = False

    async def __aenter__(self) -> Self:
        try:
            same = 1 if self._path == STANDARD_OUTPUT else descriptor_of(self._path)
            if same is not None:
                self._descriptor = os.dup(same)
            else:
                self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
            mode = os.fstat(self._descriptor).st_mode
        except OSError as error:
            raise TransientError(f"cannot write {self._name}: {error.strerror}") from None
        self._pipe = not (stat.S_ISREG(mode) or stat.S_ISBLK(mode))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Parcels, began: float) -> None:
        """Write the lines."""
        data = b"\n".join([log[2] for log in logs]) + b"\n"
        parcel = ledger.take(len(logs), due[0])
        if not self._begun:
            self._begun = True
            if not data.startswith(b"{"):
                await self._write(HEADER.encode() + b"\n")
        await self._write(data)
        ledger.arrived(parcel, len(data))

    async def flush(self) -> None:
        """Nothing waits."""

    cpu = 0.0

    async def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                if self._pipe:
                    await self._room()
                rest = rest[os.write(self._descriptor, rest[:_AT_ONCE] if self._pipe else rest) :]
        except BrokenPipeError:
            raise TransientError(f"{self._name}: its reader has ended") from None
        except OSError as error:
            raise TransientError(f"cannot write {self._name}: {error.strerror}") from None

    async def _room(self) -> None:
        """Wait until a pipe has room."""
        if select.select((), (self._descriptor,), (), 0)[1]:
            return
        loop = asyncio.get_running_loop()
        room = asyncio.Event()
        loop.add_writer(self._descriptor, room.set)
        try:
            await room.wait()
        finally:
            loop.remove_writer(self._descriptor)
