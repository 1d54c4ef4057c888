"""Rate limits as Stripe documents them, off unless they are switched on.

https://docs.stripe.com/rate-limits names a number of requests a second for the account and one for
each endpoint, where `GET /v1/payment_intents/{id}` is one endpoint for all IDs. It doesn't say how
a second is measured, nor how many requests can run at once: here any second counts, wherever it
begins, without the requests it refused, and any number runs. `OTHER_WAYS` has the other readings. A
refused request isn't stored for its idempotency key.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .errors import StripeError

SECOND = 1.0


@dataclass(frozen=True)
class Limits:
    """Requests a second; None is unlimited."""

    per_second: int | None = None
    per_endpoint: int | None = None


# The documented limits by mode. Accounts can have others.
DOCUMENTED = {"live": Limits(100, 25), "sandbox": Limits(25, 25), "off": Limits()}


@dataclass
class RateLimiter:
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    does: Callable[[str], bool] = lambda name: False  # which of OTHER_WAYS are chosen
    running: int = 0
    _accepted: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def check(self, endpoint: str) -> None:
        """Count a request. Raises a 429 if it exceeds a limit."""
        now = self.clock()
        if self.running and self.does("one_request_at_a_time"):
            self.refused += 1
            raise rate_limited("global-concurrency")
        for reason, name, limit in (
            ("global-rate", "", self.limits.per_second),
            ("endpoint-rate", endpoint, self.limits.per_endpoint),
        ):
            if limit is not None and len(self._recent(name, now)) >= limit:
                self.refused += 1
                if self.does("refused_requests_count"):
                    self._count(endpoint, now)
                raise rate_limited(reason)
        self._count(endpoint, now)

    def _count(self, endpoint: str, now: float) -> None:
        self._accepted[""].append(now)
        self._accepted[endpoint].append(now)

    def _recent(self, name: str, now: float) -> deque[float]:
        accepted = self._accepted[name]
        with_clock = self.does("seconds_begin_with_the_clock")
        while accepted and (
            int(accepted[0]) < int(now) if with_clock else accepted[0] <= now - SECOND
        ):
            accepted.popleft()
        return accepted


def rate_limited(reason: str) -> StripeError:
    """`reason` is the value of the header Stripe-Rate-Limited-Reason."""
    error = StripeError(
        429,
        "invalid_request_error",
        "Request rate limit exceeded. Learn more about rate limits here "
        "https://docs.stripe.com/rate-limits.",
        code="rate_limit",
    )
    error.headers["Stripe-Rate-Limited-Reason"] = reason
    return error


def lock_timeout() -> StripeError:
    """Another request holds the object's lock; without the rate limits' header."""
    error = StripeError(
        429,
        "invalid_request_error",
        "This object cannot be accessed right now because another API request or Stripe process is "
        "currently accessing it. If you see this error intermittently, retry the request.",
        code="lock_timeout",
    )
    error.headers["Stripe-Should-Retry"] = "true"
    return error
