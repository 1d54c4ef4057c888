"""Closing a connection without a response, to simulate a network failure."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol  # on httptools, which is faster

_open: dict[tuple[str, int], asyncio.Transport] = {}


class DroppableProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """An HTTP protocol that also keeps track of each client's connection."""

    _caller: tuple[str, int] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._caller = transport.get_extra_info("peername")[:2]
        _open[self._caller] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._caller is not None:
            _open.pop(self._caller, None)
        super().connection_lost(exc)


class _Nothing(Response):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        return None


async def drop(request: Request) -> Response:
    """Abort the client's connection without sending a byte of the response."""
    client: Any = request.scope.get("client")
    transport = _open.get(tuple(client)) if client else None
    if transport is not None:
        transport.abort()
        await asyncio.sleep(0.01)  # lets the protocol process the disconnect first
    return _Nothing()
