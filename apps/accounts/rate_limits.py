"""Rate limits: the one mechanism for pages, API, and services (DECISIONS X41, decision 37).

Counted in the cache, in fixed windows. A limit per IP address slows down one machine that tries
many accounts; a limit per account slows down many machines that try one. Only failed sign-ins count
against an account, so users aren't locked out by their own successful ones.
"""

import hashlib
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.settings import api_settings

from apps.common.errors import DomainError


class TooManyAttempts(DomainError):
    """A rate limit was exceeded. `retry_after` is the wait in seconds, at most."""

    status = 429
    code = "too_many_attempts"

    def __init__(self, wait: int) -> None:
        super().__init__(_message(wait))
        self.retry_after = wait


def _message(seconds: int) -> str:
    if seconds <= 60:
        text = _("Too many attempts. Wait %(wait)s seconds and try again.")
        return text % {"wait": seconds}
    text = _("Too many attempts. Wait %(wait)s minutes and try again.")
    return text % {"wait": -(-seconds // 60)}


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` attempts in `window` seconds for each key, which is stored hashed."""

    name: str
    times: int
    window: int

    def _key(self, who: str) -> str:
        digest = hashlib.sha256(who.strip().lower().encode()).hexdigest()
        return f"limit:{self.name}:{digest}"

    def record(self, who: str) -> int:
        """Count an attempt and return how many there are in the current window.

        Atomic: concurrent requests never count as one.
        """
        key = self._key(who)
        cache.add(key, 0, self.window)
        try:
            return cache.incr(key)
        except ValueError:  # the window ended between the two calls
            cache.set(key, 1, self.window)
            return 1

    def count(self, who: str) -> None:
        """Count an attempt. Raises TooManyAttempts if it exceeds the limit."""
        if self.record(who) > self.times:
            raise TooManyAttempts(self.window)

    def check(self, who: str) -> None:
        """Raises TooManyAttempts if the limit is reached. Counts nothing."""
        if cache.get(self._key(who), 0) >= self.times:
            raise TooManyAttempts(self.window)

    def forget(self, who: str) -> None:
        """Reset the count, for example after a success."""
        cache.delete(self._key(who))


SIGN_IN_BY_ADDRESS = Limit("sign-in", times=20, window=60)
FAILED_SIGN_INS = Limit("failed-sign-in", times=10, window=5 * 60)
REGISTRATION_BY_ADDRESS = Limit("registration", times=30, window=10 * 60)
# Forms of our own pages are signed; unsigned requests come from programs (DECISIONS X42).
REGISTRATION_UNSIGNED = Limit("registration-unsigned", times=20, window=60 * 60)
EMAILS_PER_RECIPIENT = Limit("emails", times=5, window=60 * 60)
EMAILS_BY_ADDRESS = Limit("emails-by-address", times=20, window=10 * 60)
LINKS_BY_ADDRESS = Limit("links", times=30, window=10 * 60)
PASSWORD_CHANGES = Limit("password-changes", times=10, window=60 * 60)


def client_address(request: HttpRequest) -> str:
    """The client's IP address: the socket's, or the one the outermost trusted proxy saw.

    `TRUSTED_PROXIES` says how many entries of `X-Forwarded-For`, counted from the right, our own
    proxies added. Anyone can forge the entries to the left of them.
    """
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted: int = api_settings.NUM_PROXIES or 0
    if trusted and hops:
        return hops[-min(trusted, len(hops))]
    return str(request.META.get("REMOTE_ADDR") or "")
