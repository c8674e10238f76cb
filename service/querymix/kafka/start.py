"""The start of a worker, which waits while Kafka or a database is away, says why, and serves its pages meanwhile.

A worker that ended instead would be started again and again, and Prometheus would see it come and go.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from time import time
from typing import Any, Final, TypeVar

from querymix import telemetry
from querymix.core.errors import TransientError
from querymix.kafka.retrying import jittered

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
_log: Final = logging.getLogger(__name__)
Made = TypeVar("Made")


async def once_there(
    make: Callable[[], Awaitable[Made]], serve: Callable[[Callable[[], str]], AbstractAsyncContextManager[Any]]
) -> Made:
    """Return what `make` makes, which is asked again after a growing pause while it raises TransientError.

    `serve` serves the pages meanwhile, and is given what says why it waits.
    Raises ConfigError where somebody has to change something first.
    """
    telemetry.LAST_POLL.set(time())
    why = "waiting to begin"
    # From the first try on, since a broker that hangs is waited for as well.
    async with serve(lambda: why):
        for pause in jittered(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                return await make()
            except TransientError as error:
                why = f"waiting to begin: {error}"
                _log.warning("%s. The worker waits and tries again.", str(error).rstrip("."))
            await asyncio.sleep(pause)
    raise AssertionError("pauses have no end")
