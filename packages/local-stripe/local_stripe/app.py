"""The ASGI application: Stripe's API, the hosted pages, the browser script, and ``/_control``."""

import asyncio
import contextlib
import functools
import ipaddress
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from . import expiry
from .api import Api
from .control import Control, health
from .limits import DOCUMENTED
from .pages import routes as pages
from .server import Server


@functools.lru_cache(maxsize=1000)
def is_loopback(host: str) -> bool:
    """Whether a host name (without a port) always refers to this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class LoopbackOnly:
    """Refuses requests for any other host name, which prevents DNS rebinding from web pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
            host = given.rsplit(":", 1)[0] if not given.endswith("]") else given
            if not is_loopback(host):
                refusal = PlainTextResponse(
                    "This local test server accepts requests for localhost only.\n", 421
                )
                await refusal(scope, receive, send)
                return
        await self.app(scope, receive, send)


def build(directory: Path, base_url: str, *, limits: str = "off", latency: float = 0) -> Starlette:
    """Build the app. ``base_url`` is used for URLs created outside of a request.

    ``limits`` names the rate limits to begin with, ``latency`` the seconds each request takes.
    """
    server = Server(directory)
    server.limiter.limits = DOCUMENTED[limits]
    if latency:
        server.faults.latency["/v1/"] = latency
    api = Api(server)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await server.hub.start()
        watching = asyncio.create_task(expiry.watch(server, base_url))
        yield
        watching.cancel()
        await server.hub.stop()
        server.store.close()

    return Starlette(
        lifespan=lifespan,
        middleware=[Middleware(LoopbackOnly)],
        routes=[
            Route("/v1/{path:path}", api.handle, methods=["GET", "POST", "DELETE"]),
            Route("/_control/health", health),
            Route("/_control", Control(server).handle, methods=["GET", "POST"]),
            *pages(server),
        ],
    )
