"""The worker's pages on Faust's web server: health, metrics and, only with a token set, profiles."""

import hmac
from collections.abc import Callable
from typing import Any, Final

from faust import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from querymix.core.errors import TransientError
from querymix.core.knowledge import CATEGORIES
from querymix.core.profiles import weights
from querymix.kafka.app import App
from querymix.ports import ProfileStore
from querymix.telemetry import REGISTRY

_BEARER: Final = "Bearer "


def add_pages(app: App, ready: Callable[[], str], profiles: ProfileStore | None, token: str | None) -> None:
    """Serve /health/live, /health/ready and /metrics, and with a token /profiles/{user}.

    `ready` says what the worker still waits for, and nothing once it is ready.
    """

    @app.page("/health/live")
    async def live(self: web.View, request: web.Request) -> web.Response:
        return self.json({"status": "live"})

    @app.page("/health/ready")
    async def is_ready(self: web.View, request: web.Request) -> web.Response:
        waits = ready()
        return self.json({"status": waits or "ready"}, status=503 if waits else 200)

    @app.page("/metrics")
    async def metrics(self: web.View, request: web.Request) -> web.Response:
        return self.bytes(generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    if token is not None and profiles is not None:
        _add_profiles(app, profiles, token)


def _add_profiles(app: App, profiles: ProfileStore, token: str) -> None:
    @app.page("/profiles/{user}")
    async def profile(self: web.View, request: Any, user: str) -> web.Response:
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), (_BEARER + token).encode()):
            return self.json({"error": "give the token as 'Authorization: Bearer TOKEN'"}, status=401)
        try:
            counts = await profiles.get(user)
        except TransientError as error:
            return self.json({"error": str(error)}, status=503)
        if counts is None:
            return self.json({"error": "no profile of that user"}, status=404)
        shares = weights(counts)
        return self.json({CATEGORIES[n]: {"count": counts[n], "weight": shares[n]} for n in counts})
