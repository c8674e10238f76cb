"""Running what waits for nothing without an event loop."""

import asyncio

import pytest
from querymix.local.at_once import at_once


async def half(number: int) -> int:
    if number % 2:
        raise ValueError("odd")
    return number // 2


async def twice(number: int) -> int:
    return await half(await half(number))


def test_what_waits_for_nothing_is_done_at_once_and_what_it_raises_is_raised() -> None:
    assert at_once(twice(12)) == 3
    with pytest.raises(ValueError, match="odd"):
        at_once(twice(6))


def test_what_waits_is_refused() -> None:
    with pytest.raises(RuntimeError, match="event loop"):
        at_once(asyncio.sleep(0))
