"""A minimal HTTP client for webhooks, written by hand because benchmarks send thousands."""

import asyncio
import ssl
from urllib.parse import urlsplit

_LARGEST_HEAD = 65_536


class PostFailed(Exception):
    """No response arrived; the message names the cause in one word."""


async def post(url: str, headers: dict[str, str], text: str, timeout: float) -> int:
    """Return the response's status code. Like Stripe, this doesn't follow redirects."""
    try:
        async with asyncio.timeout(timeout):
            return await _post(url, headers, text)
    except TimeoutError:
        raise PostFailed("Timeout") from None
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise PostFailed(type(error).__name__) from error
    except ValueError as error:
        raise PostFailed("BadAnswer") from error


async def _post(url: str, headers: dict[str, str], text: str) -> int:
    parts = urlsplit(url)
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    # Names under .localhost refer to this machine even where the resolver doesn't know them.
    address = "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host
    reader, writer = await asyncio.open_connection(
        address,
        parts.port or (443 if secure else 80),
        ssl=ssl.create_default_context() if secure else None,
        server_hostname=host if secure else None,
        limit=_LARGEST_HEAD,
    )
    try:
        body = text.encode()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = [
            f"POST {path} HTTP/1.1",
            f"Host: {parts.netloc.rpartition('@')[2]}",
            f"Content-Length: {len(body)}",
            "Connection: close",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        version, _, rest = head.decode("latin-1").partition(" ")
        if not version.startswith("HTTP/"):
            raise ValueError(version)
        return int(rest[:3])
    finally:
        writer.close()
