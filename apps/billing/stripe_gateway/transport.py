"""The HTTP transport for stripe-python, on plain urllib3.

stripe-python uses `requests` by default, which doubles the CPU time of a call for environment
look-ups, cookies, redirects and hooks that calls to Stripe don't need. Settling a thousand orders
takes two thousand calls (decision 35).
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import stripe
from urllib3 import PoolManager, ProxyManager, Timeout
from urllib3.exceptions import HTTPError, SSLError

_POOL_SIZE = 16  # connections kept open; a web process has eight threads
_NO_ANSWER = "Unexpected error communicating with Stripe"


class Transport(stripe.HTTPClient):
    """A connection pool shared by a process's threads.

    `timeout` is in seconds, for connecting and for each read.
    """

    name = "urllib3"

    def __init__(self, *, timeout: float) -> None:
        super().__init__()
        self._timeout = Timeout(connect=timeout, read=timeout)
        self._managers: dict[tuple[str, str], PoolManager] = {}

    def request(  # type: ignore[override]
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """Raises APIConnectionError if no answer came, so the outcome is unknown."""
        try:
            answer = self._manager(url).request(
                method.upper(),
                url,
                body=post_data,
                headers={**(headers or {}), "Accept-Encoding": "gzip, deflate"},
                timeout=self._timeout,
                retries=False,
                redirect=False,
            )
        except HTTPError as error:
            message = f"{_NO_ANSWER} ({type(error).__name__}: {error})"
            can_retry = not isinstance(error, SSLError)
            failed = stripe.APIConnectionError(message, should_retry=can_retry)  # type: ignore[no-untyped-call]
            raise failed from error
        return answer.data, answer.status, answer.headers

    def close(self) -> None:
        for manager in self._managers.values():
            manager.clear()

    def _manager(self, url: str) -> PoolManager:
        """The pool for this origin, created on first use; respects HTTPS_PROXY and NO_PROXY."""
        parts = urlsplit(url)
        origin = parts.scheme, parts.netloc
        if origin not in self._managers:
            proxy = None if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme)
            options: Any = {
                "maxsize": _POOL_SIZE,
                "cert_reqs": "CERT_REQUIRED",
                "ca_certs": stripe.ca_bundle_path,
            }
            self._managers[origin] = (
                ProxyManager(proxy, **options) if proxy else PoolManager(**options)
            )
        return self._managers[origin]
