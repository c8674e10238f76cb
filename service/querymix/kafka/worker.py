"""One worker at work: started, and stopped when it is told to or something breaks; and what its log shows."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

from querymix.core.errors import QuerymixError
from querymix.kafka.app import App
from querymix.kafka.failures import NameTakenError, explained
from querymix.signals import ending
from querymix.terminal import Terminal

SHOWN_EVERY: Final = 30.0
"""Seconds in which one and the same message is shown once."""
_MAX_KINDS: Final = 1000
_OURS: Final = "querymix.kafka"
_FOLDED: Final = ("aiokafka", "faust", "mode", "kafka", "pymongo", "asyncio", _OURS)
_GRACE: Final = 15.0
_log: Final = logging.getLogger(__name__)

Wait = Callable[[], str]
"""Says what is waited for, nothing where nothing is."""


def first_of(waits: Iterable[Wait]) -> str:
    """Return the first thing that is waited for, nothing where there is none."""
    return next(filter(None, (wait() for wait in waits)), "")


class Failure:
    """The first thing that broke for good. `instance` is the worker's static name, if it has one."""

    def __init__(self, instance: str | None = None) -> None:
        self._instance = instance
        self.error: BaseException | None = None
        self.happened = asyncio.Event()

    def __call__(self, error: BaseException) -> None:
        """Note what broke."""
        if self.error is None:
            self.error = error
        self.happened.set()

    def raised(self) -> QuerymixError:
        """Return what broke as an error for the operator."""
        error = explained(self.error or RuntimeError("nothing broke"), "the worker")
        return NameTakenError.by(self._instance) if isinstance(error, NameTakenError) else error


@dataclass(frozen=True)
class Worker:
    """A worker that is put together."""

    app: App
    failure: Failure
    close: Callable[[], Awaitable[None]]
    """Closes the connections that the worker's parts share."""
    reload: Callable[[], object]
    """Asks for the settings to be read again."""
    terminal: Terminal

    async def run(self) -> None:
        """Work until told to stop (SIGINT, SIGTERM, SIGHUP once the terminal has gone).

        Raises TransientError where something broke for good.
        """
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        signals = ending()
        for number in signals:
            loop.add_signal_handler(number, partial(self._hung_up, told) if number == signal.SIGHUP else told.set)
        ends = [
            asyncio.create_task(told.wait()),
            asyncio.create_task(self.failure.happened.wait()),
            asyncio.create_task(self._crash()),
        ]
        try:
            await self.app.start()
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        except Exception as error:
            self.failure(error)
        finally:
            for end in ends:
                end.cancel()
            try:
                await asyncio.wait_for(self._stop(), _GRACE)
            except TimeoutError:
                # Nothing is lost by an abrupt end: all that counts is in transactions.
                why = f"{self.failure.raised()} " if self.failure.error is not None else ""
                _log.error("%sThe worker did not stop in %.0f s and is cut off.", why, _GRACE)
                os._exit(1)
            for number in signals:
                # The loop closes the pipe that a signal is written to before it gives the signal back.
                loop.remove_signal_handler(number)
                signal.signal(number, signal.SIG_IGN)
        if self.failure.error is not None:
            raise self.failure.raised()

    def _hung_up(self, told: asyncio.Event) -> None:
        if self.terminal.gone:
            told.set()
        else:
            self.reload()

    async def _stop(self) -> None:
        await self.app.stop()
        await self.close()

    async def _crash(self) -> None:
        while not self.app.crashed:  # noqa: ASYNC110 - mode has no public event for it
            await asyncio.sleep(0.2)
        self.failure(self.app.crash_reason or RuntimeError("crashed"))


class RepeatFilter(logging.Filter):
    """Lets a client's warning or error through once in a while, with how many of its kind were left out.

    A client whose broker is away says the same many times a second.
    """

    def __init__(self, every: float = SHOWN_EVERY, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._every = every
        self._clock = clock
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}
        """When each message was last shown, and how often it was left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is shown; one that stands for others says for how many."""
        if record.levelno < logging.WARNING or not record.name.startswith(_FOLDED):
            return True
        # A client's text differs in addresses and seconds, where ours differs in what it is about.
        text = record.getMessage() if record.name.startswith(_OURS) else str(record.msg)
        kind = (record.name, record.levelno, text)
        now = self._clock()
        shown, left_out = self._seen.get(kind, (float("-inf"), 0))
        if now - shown < self._every:
            self._seen[kind] = (shown, left_out + 1)
            return False
        if len(self._seen) >= _MAX_KINDS:
            self._seen.clear()
        self._seen[kind] = (now, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more of these in {now - shown:.0f} s)"
            record.args = ()
        return True
