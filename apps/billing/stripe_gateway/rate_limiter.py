"""One limit on our calls to Stripe, shared by all processes through Redis (decision 44).

https://docs.stripe.com/rate-limits limits the requests per second for the account and for each
endpoint. Each has a token bucket here. A bucket refills at nine tenths of the limit and stores one
tenth, so that no second, wherever it begins, exceeds the limit.

Calls that a person waits for reserve the next free moment. Background work takes what is left: it
reserves only moments that are nearly here, and beyond that a fifth of each endpoint, so that it is
never starved. Without Redis nothing is limited: settling must go on, and Stripe says when it's too
much.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from random import uniform

from celery import current_task
from redis import Redis, RedisError

logger = logging.getLogger(__name__)

REFILL_SHARE = 0.9  # of the limit; the rest is the bucket's size
BACKGROUND_SHARE = 0.2  # of an endpoint's rate, whatever people ask for
# Background work reserves a moment this near, or asks again: a person waits so much longer at most.
BACKGROUND_HORIZON_SECONDS = 0.5
# How long one call waits in all, for its turn and after a 429. Three calls of an operation, each
# with its time-out, take less than its lease.
PERSONS_PATIENCE_SECONDS = 3.0
BACKGROUND_PATIENCE_SECONDS = 8.0
# After Redis failed, it isn't asked for this long: every call would wait for it.
REDIS_PAUSE_SECONDS = 5.0
REDIS_TIMEOUT_SECONDS = 0.5
# Namespaces of Stripe's paths; in others the second part is an id.
_NAMESPACES = frozenset({"checkout", "billing_portal", "test_helpers"})

_in_background: ContextVar[bool] = ContextVar("in_background", default=False)

# A bucket is one number: the time at which it will be full again (GCRA). KEYS: the account's
# bucket, the endpoint's, and background work's share of it. ARGV: the time or "", the longest wait,
# each bucket's interval and size (an interval of 0 is unlimited), and the share's interval or 0.
_RESERVE = """
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = tonumber(t[1]) + tonumber(t[2]) / 1000000
end
local longest = tonumber(ARGV[2])
local full, interval = {}, {}
local start = now
for i = 1, 2 do
  interval[i] = tonumber(ARGV[2 * i + 1])
  full[i] = tonumber(redis.call('GET', KEYS[i]) or '0')
  start = math.max(start, full[i] - (tonumber(ARGV[2 * i + 2]) - 1) * interval[i])
end
if start - now > longest then
  local share = tonumber(ARGV[7])
  if share == 0 or tonumber(redis.call('GET', KEYS[3]) or '0') > now then
    return {0, string.format('%.6f', start - now)}
  end
  redis.call('SET', KEYS[3], string.format('%.6f', now + share), 'EX', 60)
end
for i = 1, 2 do
  if interval[i] > 0 then
    local refilled = math.max(full[i], start) + interval[i]
    redis.call('SET', KEYS[i], string.format('%.6f', refilled), 'EX', 60)
  end
end
return {1, string.format('%.6f', start - now)}
"""


class LimitReached(Exception):
    """The call would have to wait longer than its caller can."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """`interval` in seconds between two calls, and how many can follow each other at once."""

    interval: float
    size: float

    @classmethod
    def of(cls, per_second: int) -> "Bucket":
        """0 is unlimited."""
        if not per_second:
            return cls(0, 1)
        size = max(1.0, per_second * (1 - REFILL_SHARE))
        return cls(1 / (per_second * REFILL_SHARE), int(size))


class RateLimiter:
    """Tells each call when it can be sent.

    `account` names the Stripe account whose limits these are. `clock` replaces Redis' own, which
    all machines share.
    """

    def __init__(
        self,
        redis: Redis,
        *,
        account: str,
        per_second: int,
        per_endpoint: int,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._account = Bucket.of(per_second)
        self._endpoint = Bucket.of(per_endpoint)
        self._clock = clock
        # In braces, so that a Redis cluster has all of them in one place.
        self._name = f"{{stripe-rate:{sha256(account.encode()).hexdigest()[:12]}}}"
        self._reserve = redis.register_script(_RESERVE)
        self._redis_is_gone_until = 0.0

    def reserve(self, endpoint: str, *, within: float, background: bool) -> float:
        """Take a token and return the seconds to wait before sending.

        Raises LimitReached, and takes nothing, if that is longer than `within`. A background call
        can be told to wait longer: its share comes after the people already waiting.
        """
        if time.monotonic() < self._redis_is_gone_until:
            return 0.0
        share = self._endpoint.interval / BACKGROUND_SHARE if background else 0
        name = self._name
        try:
            granted, wait = self._reserve(
                keys=[name, f"{name}:{endpoint}", f"{name}:background:{endpoint}"],
                args=[
                    self._clock() if self._clock else "",
                    within,
                    self._account.interval,
                    self._account.size,
                    self._endpoint.interval,
                    self._endpoint.size,
                    share,
                ],
            )
        except RedisError as error:
            logger.warning("calls to Stripe are not limited: %s", error)
            self._redis_is_gone_until = time.monotonic() + REDIS_PAUSE_SECONDS
            return 0.0
        if not granted:
            raise LimitReached(f"{endpoint} is free in {float(wait):.1f} s")
        return float(wait)


def endpoint_of(method: str, path: str) -> str:
    """The endpoint that Stripe counts a request for: its path without ids or query."""
    parts = path.partition("?")[0].strip("/").split("/")
    position = 3 if parts[1:2] and parts[1] in _NAMESPACES else 2
    if len(parts) > position:
        parts[position] = "{id}"
    return f"{method.upper()} /{'/'.join(parts)}"


def is_background() -> bool:
    """Whether a worker's task makes this call; anything else is somebody's request."""
    return bool(current_task) or _in_background.get()


@contextmanager
def in_background() -> Iterator[None]:
    """Calls in the block are background work, also in threads that run in its context."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


def background_pause() -> float:
    """Seconds until background work asks for a token again; random, so that not all ask at once."""
    return uniform(0.5, 1) * BACKGROUND_HORIZON_SECONDS


def connect(url: str) -> Redis:
    return Redis.from_url(
        url, socket_timeout=REDIS_TIMEOUT_SECONDS, socket_connect_timeout=REDIS_TIMEOUT_SECONDS
    )
