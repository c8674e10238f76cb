"""The worker's web pages: /health/live, /health/ready, /metrics and, with a token, /profiles/{user}.

Rules:
- Nothing of a request is logged: there is no access log, aiohttp's own log is off, and a page that fails is told by the
  kind of its error alone. So no user id and no token gets into a log or a traceback.
- A connection carries one request and lives for `LONGEST` at most, and the oldest one ends where there are `MOST`: slow
  and silent clients keep nobody out. aiohttp takes 128 headers of 8 kB; no page reads a body.
- A token is compared as bytes, in a time that tells nothing of it.
"""

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from aiohttp import web
from mode import Service
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import SecretStr

from querymix.core.errors import QuerymixError
from querymix.core.knowledge import CATEGORIES
from querymix.core.profiles import weights
from querymix.core.user_ids import normal_user
from querymix.ports import ProfileStore
from querymix.telemetry import REGISTRY

LONGEST: Final = 10.0
"""Seconds that a connection may take, from its opening to the last byte that the client takes."""
MOST: Final = 100
"""Connections at one time and address; those that come in one moment may be more."""
_STOPS_WITHIN: Final = 1.0
_PROFILES: Final = "/profiles/"
_log: Final = logging.getLogger(__name__)
_silent: Final = logging.getLogger(f"{__name__}.requests")
_silent.disabled = True  # aiohttp logs what it cannot read of a request, which may hold a user id

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Address = tuple[str, int]
"""Host, empty for all of this machine's addresses, and port."""
Token = Callable[[], SecretStr]
"""Gives the token of now."""
Sites = Mapping[Address, Iterable[web.RouteDef]]


def health(ready: Callable[[], str]) -> list[web.RouteDef]:
    """Return the pages that tell how the worker is; `ready` says what it waits for, and nothing once it is ready."""

    async def live(_: web.Request) -> web.Response:
        return web.json_response({"status": "live"})

    async def is_ready(_: web.Request) -> web.Response:
        waits = ready()
        return web.json_response({"status": waits or "ready"}, status=503 if waits else 200)

    return [web.get("/health/live", live), web.get("/health/ready", is_ready)]


def metrics(token: Token | None) -> list[web.RouteDef]:
    """Return the page of the metrics, which asks for the token where there is one."""

    async def show(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    return [web.get("/metrics", show if token is None else _guarded(show, token))]


def profile(store: ProfileStore, token: Token) -> list[web.RouteDef]:
    """Return the page of one user's profile, which asks for the token."""

    async def show(request: web.Request) -> web.Response:
        # Not the path that aiohttp has decoded: a user id may be bytes that are no UTF-8.
        path = request.rel_url.raw_path.removeprefix(_PROFILES).encode("utf-8", "surrogateescape")
        user = normal_user(unquote_to_bytes(path).decode("utf-8", "surrogateescape"))
        try:
            counts = await store.get(user)
        except QuerymixError as error:
            return _refusal(503, str(error))
        if counts is None:
            return _refusal(404, "no profile of that user")
        shares = weights(counts)
        return web.json_response({CATEGORIES[n]: {"count": counts[n], "weight": shares[n]} for n in counts})

    return [web.get(_PROFILES + "{user}", _guarded(show, token))]


def _guarded(handler: Handler, token: Token) -> Handler:
    async def ask(request: web.Request) -> web.StreamResponse:
        right = f"Bearer {token().get_secret_value()}".encode()
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, right):
            return _refusal(401, "give the token as 'Authorization: Bearer TOKEN'", {"WWW-Authenticate": "Bearer"})
        return await handler(request)

    return ask


def _refusal(status: int, why: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.json_response({"error": why}, status=status, headers=headers)


@web.middleware
async def _finish(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer whatever happens, without a traceback, and let the connection end."""
    try:
        answer = await handler(request)
    except web.HTTPException as error:
        answer = _refusal(error.status, error.reason, {"Allow": "GET, HEAD"} if error.status == 405 else None)
    except Exception as error:
        _log.error("a page failed (%s)", type(error).__name__)
        answer = _refusal(500, "the page failed")
    answer.headers["Cache-Control"] = "no-store"
    answer.force_close()
    return answer


class Pages(Service):
    """Serves the pages of each address while it runs."""

    def __init__(self, sites: Sites, *, longest: float = LONGEST, most: int = MOST) -> None:
        super().__init__()
        self._sites = sites
        self._longest = longest
        self._most = most
        self._runners: list[web.AppRunner] = []
        self._servers: list[asyncio.Server] = []

    async def on_start(self) -> None:
        """Listen. Raises OSError where an address is taken."""
        for (host, port), routes in self._sites.items():
            pages = web.Application(middlewares=[_finish])
            pages.add_routes(routes)
            runner = web.AppRunner(
                pages, access_log=None, logger=_silent, lingering_time=0, shutdown_timeout=_STOPS_WITHIN
            )
            await runner.setup()
            self._runners.append(runner)
            self._servers.append(await self.loop.create_server(self._connections(runner), host or None, port))

    def _connections(self, runner: web.AppRunner) -> Callable[[], asyncio.Protocol]:
        """Return what makes a connection's protocol."""
        server = runner.server
        assert server is not None  # noqa: S101 - it is set up

        def make() -> asyncio.Protocol:
            connection = server()
            oldest_first = server.connections  # those that have been made, which this one has not
            for old in oldest_first[: max(0, len(oldest_first) + 1 - self._most)]:
                _abort(old)
            self.loop.call_later(self._longest, _abort, connection)
            return connection

        return make

    async def on_stop(self) -> None:
        """Listen no more, and end what is open."""
        for server in self._servers:
            server.close()
        for runner in self._runners:
            await runner.cleanup()


def _abort(connection: Any) -> None:
    if connection.transport is not None:
        connection.transport.abort()
