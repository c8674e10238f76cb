"""Asking again: until there is an answer, while what fails may pass, and never through a cancellation."""

import asyncio
from itertools import islice, repeat

import pytest
from querymix.kafka.retrying import doubling, retry


class Store:
    """Answers once it has failed so often."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.told: list[Exception] = []

    async def ask(self) -> str:
        if self.errors:
            raise self.errors.pop(0)
        return "answer"

    def passing(self, error: Exception) -> bool:
        self.told.append(error)
        return isinstance(error, OSError)


async def test_it_asks_until_there_is_an_answer_and_tells_each_error() -> None:
    store = Store(OSError(1), OSError(2))
    assert await retry(store.ask, repeat(0.0), store.passing) == "answer"
    assert [error.args for error in store.told] == [(1,), (2,)]


async def test_what_does_not_pass_is_raised_at_once_and_what_lasts_after_the_last_pause() -> None:
    store = Store(ValueError("wrong"), OSError())
    with pytest.raises(ValueError, match="wrong"):
        await retry(store.ask, repeat(0.0), store.passing)
    lasting = Store(*[OSError(number) for number in range(9)])
    with pytest.raises(OSError, match="3"):
        await retry(lasting.ask, [0.0] * 3, lasting.passing)
    assert len(lasting.told) == 3


async def test_a_cancellation_that_what_is_asked_has_swallowed_ends_it() -> None:
    asked = 0

    async def deaf() -> None:
        nonlocal asked
        asked += 1
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise OSError from None

    task = asyncio.create_task(retry(deaf, repeat(0.0), lambda error: True))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asked == 1


def test_pauses_double_up_to_the_longest() -> None:
    assert list(islice(doubling(0.1, 0.5), 5)) == [0.1, 0.2, 0.4, 0.5, 0.5]
