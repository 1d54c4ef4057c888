"""The HTTP transport for stripe-python, on plain urllib3, within Stripe's rate limits.

stripe-python uses `requests` by default, which doubles the CPU time of a call for environment
look-ups, cookies, redirects, and hooks that calls to Stripe don't need. Settling a thousand orders
takes two thousand calls (decision 35).

The library's own retries are off (`client.configure`). They would repeat a call whose outcome is
unknown, they pay no attention to Retry-After, and they give up at a 429 unless Stripe-Should-Retry
says otherwise (stripe-python 15.6, `_http_client.py`, `_should_retry`).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import uniform
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import stripe
from django.db import transaction
from urllib3 import PoolManager, ProxyManager, Timeout
from urllib3.exceptions import HTTPError, SSLError

from apps.billing.stripe_gateway.rate_limiter import (
    BACKGROUND_HORIZON_SECONDS,
    BACKGROUND_PATIENCE_SECONDS,
    PERSONS_PATIENCE_SECONDS,
    LimitReached,
    RateLimiter,
    background_pause,
    endpoint_of,
    is_background,
)
from apps.common import measurements, traces

_POOL_SIZE = 64  # connections kept open; a settlement worker has that many threads at most
_NO_ANSWER = "Unexpected error communicating with Stripe"
TOO_MANY_REQUESTS = 429
FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 0.5, 4.0

Answer = tuple[bytes, int, Mapping[str, str]]


@dataclass(slots=True)
class Patience:
    """How many seconds a call can still wait."""

    left: float
    sleep: Callable[[float], None]

    def wait(self, seconds: float) -> None:
        """Sleep, but never with a transaction open: others would wait for its locks."""
        self.left -= seconds
        if seconds > 0:
            measurements.stripe_call_waited(in_background=is_background(), seconds=seconds)
        if seconds > 0 and not transaction.get_connection().in_atomic_block:
            self.sleep(seconds)


class Transport(stripe.HTTPClient):
    """A connection pool shared by a process's threads.

    `timeout` is in seconds, for connecting and for each read. Without a `limiter`, calls are sent
    at once.
    """

    name = "urllib3"

    def __init__(
        self,
        *,
        timeout: float,
        limiter: RateLimiter | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self._timeout = Timeout(connect=timeout, read=timeout)
        self._limiter = limiter
        self._sleep = sleep
        self._managers: dict[tuple[str, str], PoolManager] = {}

    def request(  # type: ignore[override]
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None
    ) -> Answer:
        """Send a call when the limits allow, and again when Stripe says that it came too soon.

        Raises APIConnectionError if no answer came, so the outcome is unknown, and RateLimitError
        if the call couldn't be sent in time; otherwise the answer can be a 429 too.
        """
        background = is_background()
        longest = BACKGROUND_PATIENCE_SECONDS if background else PERSONS_PATIENCE_SECONDS
        patience = Patience(longest, self._sleep)
        refusals = 0
        while True:
            self._await_turn(endpoint_of(method, urlsplit(url).path), patience, background)
            answer = self._measured(method, url, headers, post_data)
            if not should_retry(answer):
                return answer
            refusals += 1
            delay = delay_after(answer, refusals)
            if delay > patience.left:
                return answer
            patience.wait(delay)

    def _await_turn(self, endpoint: str, patience: Patience, background: bool) -> None:
        """Wait for a token. Raises RateLimitError if that takes too long; nothing was sent then."""
        while self._limiter is not None:
            within = BACKGROUND_HORIZON_SECONDS if background else patience.left
            try:
                wait = self._limiter.reserve(endpoint, within=within, background=background)
            except LimitReached as late:
                pause = background_pause()
                if not background or pause > patience.left:
                    raise stripe.RateLimitError(str(late), http_status=TOO_MANY_REQUESTS) from late
                patience.wait(pause)
            else:
                patience.wait(wait)
                return

    def _measured(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any
    ) -> Answer:
        endpoint = endpoint_of(method, urlsplit(url).path)
        begun, status = time.perf_counter(), None
        try:
            with traces.span(f"stripe {endpoint}") as attributes:
                answer = self._send(method, url, headers, post_data)
                status = attributes["http.response.status_code"] = answer[1]
            return answer
        finally:
            seconds = time.perf_counter() - begun
            measurements.stripe_answered(endpoint=endpoint, status=status, seconds=seconds)

    def _send(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any
    ) -> Answer:
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


def should_retry(answer: Answer) -> bool:
    """Whether the same call can be sent again: what Stripe says, else only after a 429.

    A 429 means that nothing was done: https://docs.stripe.com/rate-limits
    """
    _, status, headers = answer
    answered = headers.get("Stripe-Should-Retry")
    return answered == "true" if answered in ("true", "false") else status == TOO_MANY_REQUESTS


def delay_after(answer: Answer, refusals: int) -> float:
    """Seconds until the next attempt: what Retry-After says, or longer each time, and random."""
    answered = answer[2].get("Retry-After", "")
    longest: float = min(FIRST_DELAY_SECONDS * 2 ** (refusals - 1), LONGEST_DELAY_SECONDS)
    return max(float(answered) if answered.isdigit() else 0.0, uniform(0.5, 1) * longest)
