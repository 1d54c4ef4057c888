"""Several calls to Stripe at once, for background work that needs many answers."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from apps.billing.stripe_gateway.rate_limiter import in_background

# Sixteen calls of 400 ms are forty a second, more than an endpoint takes.
_AT_ONCE = 16

T = TypeVar("T")


def in_parallel(calls: Sequence[Callable[[], T]]) -> list[Future[T]]:
    """The finished futures of calls that don't use the database: a thread has no connection."""
    with in_background(), ThreadPoolExecutor(max(1, min(_AT_ONCE, len(calls)))) as pool:
        return [pool.submit(copy_context().run, call) for call in calls]
