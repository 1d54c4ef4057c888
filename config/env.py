"""Typed readers for environment variables.

A missing or malformed setting stops the process at startup with a message that names it.
`.env.example` documents every name read here, and a test compares the two.
"""

import os
from decimal import Decimal, InvalidOperation
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})
SECONDS_BY_PERIOD = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}


def text(name: str, default: str | None = None) -> str:
    """The value of `name`. Raises ImproperlyConfigured if it is unset and has no default."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set {name}: it is required and has no default.")
    return value


def is_set(name: str) -> bool:
    """Whether `name` is set, even to its default."""
    return bool(os.environ.get(name, "").strip())


def flag(name: str, *, default: bool = False) -> bool:
    """A boolean: 1, true, yes, or on; 0, false, no, off, or empty. Anything else raises."""
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


def prefixed(prefix: str) -> dict[str, str]:
    """Every variable that begins with the prefix and isn't empty; the keys are without the
    prefix."""
    return {
        name.removeprefix(prefix): value
        for name, value in os.environ.items()
        if name.startswith(prefix) and value
    }


def for_program(variables: dict[str, str]) -> dict[str, str]:
    """The environment for a program that this process starts: its own and these variables."""
    return {**os.environ, **variables}


def set_for_library(name: str, value: str) -> None:
    """Set a variable of this process, for a library that is configured by the environment alone."""
    os.environ[name] = value


def names(name: str, default: str = "") -> list[str]:
    """A comma-separated list without blanks."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def rate(name: str, default: str) -> tuple[int, int]:
    """How many times in how many seconds, from `120/min` (or s, h, d, or longer words)."""
    value = os.environ.get(name, default)
    times, _, period = value.partition("/")
    seconds = SECONDS_BY_PERIOD.get(period[:1])
    if not times.isdecimal() or seconds is None:
        raise ImproperlyConfigured(f"{name} must be like {default}, not {value!r}.")
    return int(times), seconds


def cents(name: str, default: str, currencies: list[str]) -> dict[str, int]:
    """Cents by currency from `eur=25,gbp=20`; currencies not listed keep their default."""
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
    """The Redis URL as Celery expects it, which differs from redis-py's for a Unix socket."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def rates_by_name(name: str, default: str) -> dict[str, Decimal]:
    """Percentages by name, such as `DE:19,CA-QC:14.975`. Raises ImproperlyConfigured."""
    rates: dict[str, Decimal] = {}
    for part in filter(None, (each.strip() for each in text(name, default).split(","))):
        place, _, percent = part.partition(":")
        try:
            rates[place.strip().upper()] = Decimal(percent.strip())
        except InvalidOperation:
            raise ImproperlyConfigured(
                f"{name} must be like DE:19,CA-QC:14.975, not {part!r}."
            ) from None
    return rates
