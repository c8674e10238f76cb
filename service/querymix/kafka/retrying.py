"""Asking again: how this room waits for a broker or a store that will be well again.

No package for it: see docs/decisions.md.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

Answer = TypeVar("Answer")


async def retry(
    ask: Callable[[], Awaitable[Answer]], pauses: Iterable[float], passing: Callable[[Exception], bool]
) -> Answer:
    """Return the answer of `ask`, which is called again after each of the `pauses`, in seconds, while it fails.

    `passing` is told each error and says whether it may pass. One that may not, or comes after the last pause, is
    raised, and so is a cancellation.
    """
    for pause in pauses:
        end_if_cancelled()
        try:
            return await ask()
        except Exception as error:
            if not passing(error):
                raise
        await asyncio.sleep(pause)
    return await ask()


def doubling(first: float, most: float) -> Iterator[float]:
    """Yield pauses without end, each twice as long as the one before, up to `most`."""
    while True:
        yield first
        first = min(2 * first, most)


def jittered(first: float, most: float) -> Iterator[float]:
    """Yield doubling pauses, each cut by up to a half at random, so that workers do not all come back at once."""
    for pause in doubling(first, most):
        yield pause * random.uniform(0.5, 1.0)


def end_if_cancelled() -> None:
    """Raise CancelledError where the running task was cancelled and something that it awaited has swallowed that.

    `asyncio.wait_for` does so in Python 3.11 where what it waits for is done at that very moment; aiokafka and pymongo
    are full of it. A processor that went on would hold up the rebalance.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
