"""One worker at work: started, and stopped when it is told to or something breaks; and what its log shows."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

from aiokafka.errors import KafkaError

from querymix.core.errors import ConfigError, QuerymixError
from querymix.kafka.app import App
from querymix.kafka.failures import NameTakenError, explained
from querymix.signals import Terminal, ending

SHOWN_EVERY: Final = 30.0
"""Seconds in which one and the same message is shown once."""
_MAX_KINDS: Final = 1000
_OURS: Final = "querymix.kafka"
_FOLDED: Final = ("aiokafka", "faust", "mode", "kafka", "pymongo", "asyncio", _OURS)
_ANSWERS: Final = f"{_OURS}.reloading"
"""It answers whoever sent SIGHUP, each time, and leaves repetitions out by itself."""
_STOPS_WITHIN: Final = 10.0
_GRACE: Final = 22.0
"""Seconds from the request to stop until the process ends whatever hangs; who asks kills it after 30 (Kubernetes)."""
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

        Raises TransientError where something broke for good. Told a second time, or where the end takes longer than
        `_GRACE`, the process ends at once with exit code 1.
        """
        told = asyncio.Event()
        loop = asyncio.get_running_loop()

        def tell() -> None:
            if told.is_set():
                self.cut_off("was told to stop a second time")
            told.set()

        signals = ending()
        for number in signals:
            loop.add_signal_handler(number, partial(self._hung_up, tell) if number == signal.SIGHUP else tell)
        start = asyncio.create_task(self.app.start())
        ends = [
            asyncio.create_task(told.wait()),
            asyncio.create_task(self.failure.happened.wait()),
            asyncio.create_task(self._crash()),
        ]
        try:
            # Not `await`: a start waits for Kafka, and may be told to stop meanwhile.
            await asyncio.wait([start, *ends], return_when=asyncio.FIRST_COMPLETED)
            if start.done() and (broke := start.exception()) is not None:
                raise broke
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        except Exception as error:
            self.failure(error)
        finally:
            # A thread, since whatever hangs may hold the event loop; it watches over the interpreter's end too.
            last = threading.Timer(_GRACE, self.cut_off, [f"did not stop in {_GRACE:.0f} s"])
            last.daemon = True
            last.start()
            for end in (start, *ends):
                end.cancel()
            await self._stop()
            for number in signals:
                # The loop closes the pipe that a signal is written to before it gives the signal back.
                loop.remove_signal_handler(number)
                signal.signal(number, signal.SIG_IGN)
        if self.failure.error is not None:
            raise self.failure.raised()

    def _hung_up(self, tell: Callable[[], None]) -> None:
        if self.terminal.gone:
            tell()
        else:
            self.reload()

    def cut_off(self, why: str) -> None:
        """End the process at once. Nothing is lost by it: all that counts is in transactions."""
        error = None if self.failure.error is None else self.failure.raised()
        _log.error(
            "%sThe worker %s and is cut off. Nothing is lost or doubled: what it left open is aborted.",
            f"{error} " if error else "", why,
        )  # fmt: skip
        os._exit(2 if isinstance(error, ConfigError) else 1)

    async def _stop(self) -> None:
        """Stop each part, or go on to the next where one hangs: the group is left even if a transaction is not."""
        for what, stop in (("Faust and the processors", self.app.stop), ("the connections", self.close)):
            task: asyncio.Future[None] = asyncio.ensure_future(stop())
            _, pending = await asyncio.wait({task}, timeout=_STOPS_WITHIN)
            if pending:
                _log.warning("stopping %s takes longer than %.0f s and is left", what, _STOPS_WITHIN)
                task.cancel()
            elif (error := task.exception()) is not None:
                self.failure(error)

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
        if record.levelno < logging.WARNING or not record.name.startswith(_FOLDED) or record.name == _ANSWERS:
            return True
        _cut_traceback(record)
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


def _cut_traceback(record: logging.LogRecord) -> None:
    """Name a Kafka error that a client has met, in place of the way to it through the client's own code."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, KafkaError) and not record.name.startswith(_OURS):
        while error.__cause__ is not None:
            error = error.__cause__
        record.msg, record.args = f"{record.getMessage().partition(chr(10))[0]} ({type(error).__name__})", ()
        record.exc_info = record.exc_text = None
