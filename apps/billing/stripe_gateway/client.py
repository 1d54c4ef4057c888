"""The connection to Stripe, its errors as ours, and how its answers are read."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import stripe
from django.conf import settings

from apps.billing.gateway import (
    Declined,
    NeedsAuthentication,
    Refused,
    ServerError,
    StillWorking,
    Unreachable,
)
from apps.billing.stripe_gateway.transport import Transport

CONFLICT = 409  # the key, or the object, is in use by a call that has not ended


def configure() -> None:
    """Point stripe-python at the processor named in the settings. Retries are ours to decide: the
    library's own would hide an unknown outcome."""
    stripe.api_key = settings.STRIPE_SECRET_KEY
    stripe.api_base = settings.STRIPE_API_BASE
    stripe.max_network_retries = 0
    stripe.default_http_client = Transport(timeout=settings.STRIPE_TIMEOUT.total_seconds())


def ask(method: str, path: str, **params: Any) -> dict[str, Any]:
    """Stripe's answer as it came. The library's objects, made of it afterwards, cost as much of the
    processor's time as the call: this is for what settlement does a thousand times."""
    client = _client(stripe.api_key or "", stripe.api_base, stripe.default_http_client)
    answer: dict[str, Any] = client.raw_request(method, path, **params).data
    return answer


@lru_cache(maxsize=2)
def _client(key: str, base: str, transport: stripe.HTTPClient | None) -> stripe.StripeClient:
    return stripe.StripeClient(
        key, base_addresses={"api": base}, http_client=transport, max_network_retries=0
    )


@contextmanager
def our_errors() -> Iterator[None]:
    try:
        yield
    except stripe.CardError as error:
        kind = NeedsAuthentication if error.code == "authentication_required" else Declined
        intent_id = id_of(read(error.error, "payment_intent"))
        message = error.user_message or str(error)
        raise kind(error.code or "card_declined", message, intent_id) from error
    except (stripe.APIConnectionError, stripe.RateLimitError) as error:
        raise Unreachable(str(error)) from error
    except stripe.IdempotencyError as error:
        # The key was used with another body: look afresh and take a new one.
        raise ServerError(str(error)) from error
    except stripe.InvalidRequestError as error:
        raise Refused(error.code or "invalid_request", str(error)) from error
    except stripe.StripeError as error:
        if error.http_status == CONFLICT:
            # A new key here would do the thing a second time beside the first.
            raise StillWorking(str(error)) from error
        raise ServerError(str(error)) from error


def moment(timestamp: int | None) -> datetime | None:
    return datetime.fromtimestamp(timestamp, UTC) if timestamp else None


def id_of(value: Any) -> str:
    """An expandable field as its id."""
    return value if isinstance(value, str) else read(value, "id") or ""


def read(value: Any, *path: str) -> Any:
    for name in path:
        if value is None or isinstance(value, str):
            return None
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value
