"""One worker at work: started, looked at, and stopped when it is told to or something breaks for good."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final

from service.core.errors import QuerymixError
from service.kafka.app import App
from service.kafka.failures import explained

_GRACE: Final = 30.0
_log: Final = logging.getLogger(__name__)

Wait = Callable[[], str]
"""Says what is waited for, nothing where nothing is."""


def first_of(waits: Iterable[Wait]) -> str:
    """Return the first thing that is waited for, nothing where there is none."""
    return next(filter(None, (wait() for wait in waits)), "")


class Failure:
    """The first thing that broke for good."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.happened = asyncio.Event()

    def __call__(self, error: BaseException) -> None:
        """Note what broke."""
        if self.error is None:
            self.error = error
        self.happened.set()

    def raised(self) -> QuerymixError:
        """Return what broke as an error for the operator."""
        return explained(self.error or RuntimeError("nothing broke"), "the worker")


@dataclass(frozen=True)
class Worker:
    """A worker that is put together."""

    app: App
    failure: Failure
    close: Callable[[], Awaitable[None]]
    """Closes the connections that the worker's parts share."""

    async def run(self) -> None:
        """Work until told to stop (SIGINT, SIGTERM). Raises Broken where something broke for good."""
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told.set)
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
                # Nothing is lost by an end without farewell: all that counts is in transactions.
                if self.failure.error is not None:
                    _log.error("%s", self.failure.raised())
                _log.error("the worker did not stop in time and ends now")
                os._exit(1)
        if self.failure.error is not None:
            raise self.failure.raised()

    async def _stop(self) -> None:
        await self.app.stop()
        await self.close()

    async def _crash(self) -> None:
        while not self.app.crashed:  # noqa: ASYNC110 - mode has no public event for it
            await asyncio.sleep(0.2)
        self.failure(self.app.crash_reason or RuntimeError("crashed"))
