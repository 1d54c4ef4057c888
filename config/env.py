"""Typed readers of the environment that fail loudly.

A setting that is missing or malformed stops the process at start-up with a sentence that names it;
nothing is guessed at request time. `.env.example` documents each name read here, and a test holds
the two against each other.
"""

import os
from decimal import Decimal, InvalidOperation
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})


def text(name: str, default: str | None = None) -> str:
    """The value of `name`; without a default the setting is required."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set {name}: it is required and has no default.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """A yes-or-no setting; anything that is neither is refused, not guessed."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in TRUE:
        return True
    if value.lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def integer(name: str, default: int) -> int:
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def decimal(name: str, default: str) -> Decimal:
    value = os.environ.get(name, default)
    try:
        return Decimal(value)
    except InvalidOperation:
        raise ImproperlyConfigured(f"{name} must be a decimal number, not {value!r}.") from None


def choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    value = os.environ.get(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def names(name: str, default: str = "") -> list[str]:
    """A comma-separated list, blanks dropped."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def cents(name: str, default: str, currencies: list[str]) -> dict[str, int]:
    """`eur=25,gbp=20` by currency; one that is not named keeps what `default` has for it."""
    amounts = {}
    for part in [*default.split(","), *names(name)]:
        currency, _, amount = part.partition("=")
        if currency not in currencies or not amount.isdecimal():
            raise ImproperlyConfigured(
                f"{name} must be like {default}, with any of these currencies, not {part!r}."
            )
        amounts[currency] = int(amount)
    return amounts


def celery_url(redis_url: str) -> str:
    """The same Redis for Celery, which spells a unix socket differently from redis-py."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"
