"""Requests to addresses that somebody else chose, such as a restaurant's webhook endpoint.

They must not reach what only we can reach (server-side request forgery,
https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html).
So only https is allowed. A name is resolved here, once; all its addresses must be public, and the
connection goes to an address that was checked, so a name that resolves differently a moment later
makes no difference. Redirects aren't followed, proxies of the environment aren't used, and time and
size are limited in total, not only for each read.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit

import certifi
from django.conf import settings

CONNECT_SECONDS = 5
# For the whole request, from the first byte of the handshake to the last byte read of the answer.
TOTAL_SECONDS = 15
MAX_ANSWER = 1000  # bytes of the answer that are read
MAX_URL_LENGTH = 500
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# IPv6 addresses that stand for IPv4 ones: 6to4 (https://www.rfc-editor.org/rfc/rfc3056).
_6TO4 = ipaddress.ip_network("2002::/16")


class InvalidAddress(ValueError):
    """The URL can't be called: not https, with a password, without a host, too long."""


class NotDelivered(Exception):
    """Nobody answered. `code` says why: `unresolved`, `not_public`, `connection`, `tls`,
    `timeout`, or `not_http`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: the status, and the beginning of the body."""

    status: int
    body: str
    retry_after: str = ""  # the header, as it was sent

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def checked_url(url: str) -> SplitResult:
    """The parts of a URL that `post` accepts. Raises InvalidAddress; looks nothing up."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidAddress(str(error)) from None
    schemes = ("https", "http") if settings.OUTBOUND_TO_PRIVATE_ADDRESSES else ("https",)
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in schemes or not parts.hostname or port == 0 or not is_plain:
        raise InvalidAddress("an https address is needed")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise InvalidAddress("user name, password and fragment aren't allowed")
    if len(url) > MAX_URL_LENGTH:
        raise InvalidAddress("too long")
    return parts


def is_public(address: str) -> bool:
    """Whether anybody on the internet can reach this IP address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if found.version == 6 and (found not in _GLOBAL_UNICAST or found in _6TO4):
        return False
    return found.is_global and not found.is_multicast


def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send one POST and read the beginning of its answer, whatever its status.

    Raises InvalidAddress, and NotDelivered if there is no answer.
    """
    parts = checked_url(url)
    host = str(parts.hostname)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    ends = monotonic() + TOTAL_SECONDS
    connected = _connect(_addresses(host, port))
    # A second handle of the same connection: the watch can end it whatever wraps the first.
    watched = connected.dup()
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        with suppress(OSError):
            watched.shutdown(socket.SHUT_RDWR)

    watch = threading.Timer(max(0.0, ends - monotonic()), end)
    watch.daemon = True
    watch.start()
    try:
        answer = _exchange(connected, parts, host, port, body, headers)
    except ssl.SSLError:
        raise NotDelivered("timeout" if is_over.is_set() else "tls") from None
    except TimeoutError:
        raise NotDelivered("timeout") from None
    except (OSError, http.client.HTTPException) as error:
        if is_over.is_set():
            raise NotDelivered("timeout") from None
        is_http = isinstance(error, http.client.HTTPException)
        raise NotDelivered("not_http" if is_http else "connection") from None
    else:
        if is_over.is_set():  # http.client takes the end of a connection for the headers' end
            raise NotDelivered("timeout")
        return answer
    finally:
        watch.cancel()
        watched.close()
        connected.close()


def _addresses(host: str, port: int) -> list[tuple[int, Any]]:
    """The families and addresses of the host, all of which are public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered("unresolved") from None
    if not settings.OUTBOUND_TO_PRIVATE_ADDRESSES and not all(
        is_public(str(address[0])) for *_, address in found
    ):
        raise NotDelivered("not_public")
    return [(family, address) for family, *_, address in found]


def _connect(addresses: list[tuple[int, Any]]) -> socket.socket:
    ends = monotonic() + CONNECT_SECONDS
    code = "connection"
    for family, address in addresses:
        left = ends - monotonic()
        if left <= 0:
            raise NotDelivered("timeout")
        connected = socket.socket(family, socket.SOCK_STREAM)
        connected.settimeout(left)
        try:
            connected.connect(address)
        except OSError as error:
            connected.close()
            code = "timeout" if isinstance(error, TimeoutError) else "connection"
            continue
        connected.settimeout(TOTAL_SECONDS)
        return connected
    raise NotDelivered(code)


def _exchange(
    connected: socket.socket,
    parts: SplitResult,
    host: str,
    port: int,
    body: bytes,
    headers: Mapping[str, str],
) -> Answer:
    if parts.scheme == "https":
        context = ssl.create_default_context(cafile=certifi.where())
        sock: socket.socket = context.wrap_socket(connected, server_hostname=host)
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(host, port)
    else:
        sock, connection = connected, http.client.HTTPConnection(host, port)
    connection.sock = sock
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, {"User-Agent": "FullyBooked/1", **headers})
        response = connection.getresponse()
        text = response.read(MAX_ANSWER).decode("utf-8", "replace").replace("\x00", "\ufffd")
        retry_after = response.getheader("Retry-After", "") or ""
        return Answer(response.status, text, retry_after[:40])
    finally:
        connection.close()
