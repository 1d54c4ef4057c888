"""Rate limits as Stripe documents them, off unless they are switched on.

https://docs.stripe.com/rate-limits names a number of requests a second for the account and one for
each endpoint, where `GET /v1/payment_intents/{id}` is one endpoint for all IDs. It doesn't say how
a second is measured, so this takes the strictest reading: any second, wherever it begins. A refused
request isn't counted and, like at Stripe, isn't stored for its idempotency key.
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
    _accepted: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def check(self, endpoint: str) -> None:
        """Count a request. Raises a 429 if it exceeds a limit."""
        now = self.clock()
        for reason, name, limit in (
            ("global-rate", "", self.limits.per_second),
            ("endpoint-rate", endpoint, self.limits.per_endpoint),
        ):
            if limit is not None and len(self._recent(name, now)) >= limit:
                self.refused += 1
                raise rate_limited(reason)
        self._accepted[""].append(now)
        self._accepted[endpoint].append(now)

    def _recent(self, name: str, now: float) -> deque[float]:
        accepted = self._accepted[name]
        while accepted and accepted[0] <= now - SECOND:
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
