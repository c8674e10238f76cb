"""The start of a worker: it waits for what is away, alive and not ready, and ends at once for what is wrong."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiohttp
import pytest
from querymix.bootstrap import roles
from querymix.bootstrap.pages import first_pages
from querymix.core.errors import ConfigError, RefusedError, TransientError
from querymix.kafka import start
from querymix.kafka.start import once_there
from querymix.settings import WorkerSettings

from deploy.local.process import free_ports


def pages(port: int) -> Callable[[Callable[[], str]], Any]:
    """Return what serves a waiting worker's pages there."""
    return partial(first_pages, WorkerSettings(http_host="127.0.0.1", http_port=port))


async def page(port: int, path: str) -> tuple[int, str]:
    """Return a page's status and text, 0 where nobody listens."""
    async with aiohttp.ClientSession() as session:
        try:
            async with session.get(f"http://127.0.0.1:{port}{path}") as answer:
                return answer.status, await answer.text()
        except aiohttp.ClientConnectionError:
            return 0, ""


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(120):
        while not await condition():  # noqa: ASYNC110 - a page is asked
            await asyncio.sleep(0.01)


async def test_while_kafka_is_away_it_is_alive_not_ready_says_why_and_begins_once_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(start, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(start, "LONGEST_PAUSE", 0.02)
    (port,) = free_ports(1)
    away = True
    tries = 0

    async def make() -> str:
        nonlocal tries
        tries += 1
        if away:
            raise TransientError("cannot reach Kafka at nowhere: nothing listens there")
        return "a worker"

    starting = asyncio.create_task(once_there(make, pages(port)))

    async def says_why() -> bool:
        return "nothing listens there" in (await page(port, "/health/ready"))[1]

    await until(says_why)
    assert (await page(port, "/health/ready"))[0] == 503
    assert (await page(port, "/health/live"))[0] == 200
    assert "querymix_last_poll_timestamp_seconds" in (await page(port, "/metrics"))[1]
    away = False
    assert await starting == "a worker"
    assert tries > 1
    assert await page(port, "/health/live") == (0, ""), "the port is the worker's own by then"


async def test_the_pages_are_there_while_the_first_try_hangs() -> None:
    (port,) = free_ports(1)

    async def make() -> None:
        await asyncio.Event().wait()

    starting = asyncio.create_task(once_there(make, pages(port)))

    async def alive() -> bool:
        return (await page(port, "/health/live"))[0] == 200

    await until(alive)
    starting.cancel()
    await asyncio.wait([starting])
    assert (await page(port, "/health/live"))[0] == 0


async def test_what_is_wrong_ends_it_at_the_first_try() -> None:
    tries = 0

    async def make() -> None:
        nonlocal tries
        tries += 1
        raise ConfigError("the broker refuses the password")

    with pytest.raises(ConfigError, match="password"):
        await once_there(make, pages(free_ports(1)[0]))
    assert tries == 1


class Database:
    """Answers, fails or hangs."""

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    async def get(self, user: str) -> None:
        if self._error is None:
            await asyncio.Event().wait()
        else:
            raise self._error


async def test_a_database_that_refuses_the_user_ends_a_start_and_one_that_is_away_or_hangs_holds_up_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roles, "_DATABASE_ANSWERS_WITHIN", 0.01)
    refusing: Any = Database(RefusedError("MongoDB refused the request (AuthenticationFailed)"))
    with pytest.raises(ConfigError, match="AuthenticationFailed"):
        await roles._refuse_wrong_password(refusing)
    for error in (TransientError("no server answers"), None):
        away: Any = Database(error)
        await roles._refuse_wrong_password(away)
