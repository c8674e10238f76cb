"""The start of a worker, which waits while Kafka or a database is away, says why, and serves its pages meanwhile.

A worker that ended instead would be started again and again, and Prometheus would see it come and go.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import time
from typing import Final, TypeVar

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from querymix import telemetry
from querymix.core.errors import TransientError
from querymix.kafka.preflight import check_port
from querymix.kafka.retrying import jittered

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
_log: Final = logging.getLogger(__name__)
Made = TypeVar("Made")


class _Pages:
    """The pages of a worker that waits: alive, not ready, and why."""

    def __init__(self) -> None:
        self.why = "waiting to begin"

    async def live(self, request: web.Request) -> web.Response:
        return web.json_response({"status": "live"})

    async def ready(self, request: web.Request) -> web.Response:
        return web.json_response({"status": self.why}, status=503)

    async def metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=generate_latest(telemetry.REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    @asynccontextmanager
    async def served(self, host: str, port: int) -> AsyncIterator[None]:
        """Serve them until the body is over."""
        app = web.Application()
        app.router.add_get("/health/live", self.live)
        app.router.add_get("/health/ready", self.ready)
        app.router.add_get("/metrics", self.metrics)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, host or None, port).start()
            yield
        finally:
            await runner.cleanup()


async def once_there(make: Callable[[], Awaitable[Made]], host: str, port: int) -> Made:
    """Return what `make` makes, which is asked again after a growing pause while it raises TransientError.

    Raises ConfigError where somebody has to change something first.
    """
    check_port(host, port)
    telemetry.LAST_POLL.set(time())
    pages = _Pages()
    # From the first try on, since a broker that hangs is waited for as well.
    async with pages.served(host, port):
        for pause in jittered(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                return await make()
            except TransientError as error:
                pages.why = f"waiting to begin: {error}"
                _log.warning("%s. The worker waits and tries again.", str(error).rstrip("."))
            await asyncio.sleep(pause)
    raise AssertionError("pauses have no end")
