"""How often somebody may try to sign in: per address, and per account (DECISIONS X41).

Counted in the cache in fixed windows. The address limit slows down one machine that tries many
accounts; the account limit many machines that try one. Only failures count against an account, so
nobody is kept out by their own successful sign-ins.
"""

import hashlib

from django.core.cache import cache

from apps.common.errors import DomainError

PER_ADDRESS = 20
ADDRESS_WINDOW = 60  # seconds
FAILURES_PER_ACCOUNT = 10
ACCOUNT_WINDOW = 5 * 60


class TooManyAttempts(DomainError):
    """`retry_after` says, in seconds, when the next attempt may be made."""

    status = 429
    code = "too_many_attempts"

    def __init__(self, wait: int) -> None:
        super().__init__(f"Too many attempts. Wait {_in_words(wait)} and try again.")
        self.retry_after = wait


def _in_words(seconds: int) -> str:
    return f"{seconds} seconds" if seconds <= 60 else f"{-(-seconds // 60)} minutes"


def _key(kind: str, who: str) -> str:
    digest = hashlib.sha256(who.strip().lower().encode()).hexdigest()
    return f"sign-in:{kind}:{digest}"


def _count(key: str, window: int) -> int:
    """One more in the present window; how many that makes."""
    cache.add(key, 0, window)
    try:
        return cache.incr(key)
    except ValueError:  # it expired between the two
        cache.set(key, 1, window)
        return 1


def check_address(address: str) -> None:
    """Count an attempt from this address. Raises TooManyAttempts."""
    if _count(_key("address", address), ADDRESS_WINDOW) > PER_ADDRESS:
        raise TooManyAttempts(ADDRESS_WINDOW)


def check_account(email: str) -> None:
    """Raises TooManyAttempts when this account has failed too often lately."""
    if cache.get(_key("account", email), 0) >= FAILURES_PER_ACCOUNT:
        raise TooManyAttempts(ACCOUNT_WINDOW)


def count_failure(email: str) -> None:
    _count(_key("account", email), ACCOUNT_WINDOW)


def forget_failures(email: str) -> None:
    """After a successful sign-in."""
    cache.delete(_key("account", email))
