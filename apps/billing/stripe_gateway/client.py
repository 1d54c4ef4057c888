"""The Stripe client: its configuration, the mapping of its errors, and helpers for responses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeVar
from uuid import uuid4

import stripe
from django.conf import settings

from apps.billing.gateway import (
    Busy,
    CardUnusable,
    Declined,
    NeedsAuthentication,
    Refused,
    ServerError,
    StillWorking,
    Unreachable,
)
from apps.billing.stripe_gateway.rate_limiter import RateLimiter, connect
from apps.billing.stripe_gateway.transport import Transport

T = TypeVar("T")

API_BASE, FILES_BASE = "https://api.stripe.com", "https://files.stripe.com"
HTTP_CONFLICT = 409  # another call with this key, or on this object, is still running


def configure() -> None:
    """Configure stripe-python from the settings.

    The library's own retries are off: they would hide that the outcome of a call is unknown. The
    transport repeats what Stripe refused as too early.
    """
    stripe.api_key = settings.STRIPE_SECRET_KEY
    stripe.api_base = settings.STRIPE_API_BASE
    stripe.api_version = settings.STRIPE_API_VERSION
    stripe.max_network_retries = 0
    stripe.default_http_client = Transport(
        timeout=settings.STRIPE_TIMEOUT.total_seconds(), limiter=_limiter()
    )


def _limiter() -> RateLimiter | None:
    """The limiter of all processes; None if the settings set no limit."""
    if not (settings.STRIPE_RATE_LIMIT or settings.STRIPE_ENDPOINT_RATE_LIMIT):
        return None
    return RateLimiter(
        connect(settings.REDIS_URL),
        account=settings.STRIPE_SECRET_KEY,
        per_second=settings.STRIPE_RATE_LIMIT,
        per_endpoint=settings.STRIPE_ENDPOINT_RATE_LIMIT,
    )


def ask(method: str, path: str, **params: Any) -> dict[str, Any]:
    """Call Stripe and return the parsed JSON.

    Building the library's objects costs as much CPU time as the call itself, so settlement, which
    makes thousands of calls, uses this.
    """
    answer: dict[str, Any] = client().raw_request(method, path, **params).data
    return answer


def client() -> stripe.StripeClient:
    """The library's client, for what `ask` can't do: uploading files."""
    return _client(stripe.api_key or "", stripe.api_base, stripe.default_http_client)


@lru_cache(maxsize=2)
def _client(key: str, base: str, transport: stripe.HTTPClient | None) -> stripe.StripeClient:
    return stripe.StripeClient(
        key,
        # Files have a host of their own: https://docs.stripe.com/file-upload
        base_addresses={"api": base, "files": FILES_BASE if base == API_BASE else base},
        http_client=transport,
        max_network_retries=0,
        stripe_version=settings.STRIPE_API_VERSION,
    )


@contextmanager
def our_errors() -> Iterator[None]:
    try:
        yield
    except stripe.CardError as error:
        kind = NeedsAuthentication if error.code == "authentication_required" else Declined
        intent_id = id_of(read(error.error, "payment_intent"))
        message = error.user_message or str(error)
        decline_code = read(error.error, "decline_code") or ""
        raise kind(error.code or "card_declined", message, intent_id, decline_code) from error
    except stripe.RateLimitError as error:
        raise Busy(str(error)) from error
    except stripe.APIConnectionError as error:
        raise Unreachable(str(error)) from error
    except stripe.IdempotencyError as error:
        # The key was used with another body: read the object and retry with a new key.
        raise ServerError(str(error)) from error
    except stripe.InvalidRequestError as error:
        # `param` names what the error is about: https://docs.stripe.com/api/errors
        unusable = error.param in ("payment_method", "customer")
        refusal = CardUnusable if unusable else Refused
        raise refusal(error.code or "invalid_request", str(error)) from error
    except stripe.StripeError as error:
        if error.http_status == HTTP_CONFLICT:
            # Retrying with a new key would do it a second time, next to the running call.
            raise StillWorking(str(error)) from error
        raise ServerError(str(error)) from error


def with_new_key_after_error(create: Callable[[str], T], key: str) -> T:
    """Call `create` with the key, and again with another one after an answer of 500, which Stripe
    repeats to the same key for a day at least: https://docs.stripe.com/api/idempotent_requests.
    Only for what does no harm if it exists twice, such as an intent whose secret nobody has."""
    try:
        return create(key)
    except ServerError:
        return create(f"{key}:{uuid4()}")


def moment(timestamp: int | None) -> datetime | None:
    return datetime.fromtimestamp(timestamp, UTC) if timestamp else None


def id_of(value: Any) -> str:
    """The id in an expandable field."""
    return value if isinstance(value, str) else read(value, "id") or ""


def read(value: Any, *path: str) -> Any:
    for name in path:
        if value is None or isinstance(value, str):
            return None
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value
