"""How often somebody may try: per address, and per account or e-mail (DECISIONS X41).

Counted in the cache in fixed windows. A limit per address slows down one machine that tries many
accounts; a limit per account many machines that try one. Only failed sign-ins count against an
account, so nobody is kept out by their own successful ones.
"""

import hashlib
from dataclasses import dataclass

from django.core.cache import cache

from apps.common.errors import DomainError


class TooManyAttempts(DomainError):
    """`retry_after` says, in seconds, when the next attempt may be made."""

    status = 429
    code = "too_many_attempts"

    def __init__(self, wait: int) -> None:
        super().__init__(f"Too many attempts. Wait {_in_words(wait)} and try again.")
        self.retry_after = wait


def _in_words(seconds: int) -> str:
    return f"{seconds} seconds" if seconds <= 60 else f"{-(-seconds // 60)} minutes"


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` in `window` seconds for each one who is counted; who that is stays hashed."""

    name: str
    times: int
    window: int

    def _key(self, who: str) -> str:
        digest = hashlib.sha256(who.strip().lower().encode()).hexdigest()
        return f"limit:{self.name}:{digest}"

    def record(self, who: str) -> int:
        """One more in the present window; how many that makes."""
        key = self._key(who)
        cache.add(key, 0, self.window)
        try:
            return cache.incr(key)
        except ValueError:  # it expired between the two
            cache.set(key, 1, self.window)
            return 1

    def count(self, who: str) -> None:
        """Record an attempt. Raises TooManyAttempts when that is one too many."""
        if self.record(who) > self.times:
            raise TooManyAttempts(self.window)

    def check(self, who: str) -> None:
        """Raises TooManyAttempts when the limit is reached; records nothing."""
        if cache.get(self._key(who), 0) >= self.times:
            raise TooManyAttempts(self.window)

    def forget(self, who: str) -> None:
        """Start from nothing, as after a success."""
        cache.delete(self._key(who))


SIGN_IN_BY_ADDRESS = Limit("sign-in", times=20, window=60)
FAILED_SIGN_INS = Limit("failed-sign-in", times=10, window=5 * 60)
REGISTRATION_BY_ADDRESS = Limit("registration", times=30, window=10 * 60)
# Without the signed moment at which a form was opened only a program asks (DECISIONS X42).
REGISTRATION_UNSIGNED = Limit("registration-unsigned", times=20, window=60 * 60)
EMAILS_PER_RECIPIENT = Limit("letters", times=5, window=60 * 60)
EMAILS_BY_ADDRESS = Limit("letters-by-address", times=20, window=10 * 60)
LINKS_BY_ADDRESS = Limit("links", times=30, window=10 * 60)
PASSWORD_CHANGES = Limit("password-changes", times=10, window=60 * 60)
