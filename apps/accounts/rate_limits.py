"""Rate limits: the one mechanism for pages, API, and services (DECISIONS X41, decision 37).

Counted in the cache, in fixed windows. A limit per IP address slows down one machine that tries
many accounts; a limit per account slows down many machines that try one. Only failed sign-ins count
against an account, so users aren't locked out by their own successful ones.
"""

import hashlib
from dataclasses import dataclass
from math import ceil
from typing import NoReturn

from django.core.cache import cache
from django.utils.translation import gettext as _

from apps.common import clock
from apps.common.client_address import network_of
from apps.common.error_codes import ErrorCode
from apps.common.errors import DomainError
from apps.common.request_log import current_request


class TooManyAttempts(DomainError):
    """A rate limit was exceeded. `retry_after` is the wait in seconds; `limit`, if it is one of
    ours, is described to the client, too."""

    code = ErrorCode.TOO_MANY_ATTEMPTS

    def __init__(self, wait: int, *, limit: "Limit | None" = None) -> None:
        super().__init__(_message(wait))
        self.retry_after = wait
        self.limit = limit

    @property
    def headers(self) -> dict[str, str]:
        """Retry-After, and the quota, of which nothing is left until then:
        https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (an Internet-Draft)
        """
        found = super().headers
        if self.limit:
            name, quota = self.limit.name, self.limit
            found["RateLimit-Policy"] = f'"{name}";q={quota.times};w={quota.window}'
            found["RateLimit"] = f'"{name}";r=0;t={self.retry_after}'
        return found


def _message(seconds: int) -> str:
    if seconds <= 60:
        text = _("Too many attempts. Wait %(wait)s seconds and try again.")
        return text % {"wait": seconds}
    text = _("Too many attempts. Wait %(wait)s minutes and try again.")
    return text % {"wait": -(-seconds // 60)}


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` attempts in `window` seconds for each key, which is stored hashed.

    A window begins with the first attempt. An IPv6 address counts as its /64 network.
    """

    name: str
    times: int
    window: int

    def _key(self, who: str) -> str:
        who = network_of(who.strip().lower())
        return f"limit:{self.name}:{hashlib.sha256(who.encode()).hexdigest()}"

    def record(self, who: str) -> int:
        """Count an attempt and return how many there are in the current window.

        Atomic: concurrent requests never count as one.
        """
        key = self._key(who)
        if cache.add(key, 0, self.window):
            self._begin_window(key)
        try:
            return cache.incr(key)
        except ValueError:  # the window ended between the two calls
            self._begin_window(key)
            cache.set(key, 1, self.window)
            return 1

    def _begin_window(self, key: str) -> None:
        cache.set(f"{key}:ends", clock.now().timestamp() + self.window, self.window)

    def count(self, who: str) -> None:
        """Count an attempt. Raises TooManyAttempts if it exceeds the limit."""
        if self.record(who) > self.times:
            self._refuse(who)

    def check(self, who: str) -> None:
        """Raises TooManyAttempts if the limit is reached. Counts nothing."""
        if self.is_reached(who):
            self._refuse(who)

    def _refuse(self, who: str) -> NoReturn:
        request = current_request()
        if request is not None:
            # For the activity log (apps.activity.middleware).
            request.exceeded_limit = self.name  # type: ignore[attr-defined]
        raise TooManyAttempts(self.wait(who), limit=self)

    def is_reached(self, who: str) -> bool:
        """Whether another attempt would exceed the limit. Counts nothing."""
        attempts: int = cache.get(self._key(who), 0)
        return attempts >= self.times

    def wait(self, who: str) -> int:
        """Seconds until the current window ends; a whole window if none has begun."""
        ends: float | None = cache.get(f"{self._key(who)}:ends")
        left = self.window if ends is None else ends - clock.now().timestamp()
        return min(self.window, max(1, ceil(left)))

    def forget(self, who: str) -> None:
        """Reset the count, for example after a success."""
        key = self._key(who)
        cache.delete_many([key, f"{key}:ends"])


SIGN_IN_BY_ADDRESS = Limit("sign-in", times=20, window=60)
FAILED_SIGN_INS = Limit("failed-sign-in", times=10, window=5 * 60)
REGISTRATION_BY_ADDRESS = Limit("registration", times=30, window=10 * 60)
# Forms of our own pages are signed; unsigned requests come from programs (DECISIONS X42).
REGISTRATION_UNSIGNED = Limit("registration-unsigned", times=20, window=60 * 60)
# Payments of a subscription that one address can begin.
SUBSCRIPTIONS_BY_ADDRESS = Limit("subscriptions", times=10, window=60 * 60)
# How many accounts one address may find by trying to register their emails.
KNOWN_EMAILS_BY_ADDRESS = Limit("known-emails", times=5, window=60 * 60)
EMAILS_PER_RECIPIENT = Limit("emails", times=5, window=60 * 60)
EMAILS_BY_ADDRESS = Limit("emails-by-address", times=20, window=10 * 60)
LINKS_BY_ADDRESS = Limit("links", times=30, window=10 * 60)
# A program that polls every second, with room for a burst; docs/api.md names it.
REQUESTS_OF_TOKEN = Limit("token", times=600, window=60)
# Pages of the staff's data that one person opens.
STAFF_DATA = Limit("staff-data", times=300, window=5 * 60)
PASSWORD_CHANGES = Limit("password-changes", times=10, window=60 * 60)
