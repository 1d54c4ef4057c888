"""Control calls to local Stripe that play the other side: owners who onboard, guests who pay.

Only local Stripe has this interface. At Stripe itself, people do these things.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class ProcessorRefused(Exception):
    """Local Stripe rejected a control call; the text is its response."""


def is_local() -> bool:
    """Whether payments go to local Stripe on this machine."""
    return urlsplit(settings.STRIPE_API_BASE).hostname in LOOPBACK


def onboard(account_id: str) -> None:
    """Complete a restaurant's account onboarding."""
    _order(onboard=account_id)


def pay(session_id: str, card: str) -> None:
    """Complete the hosted checkout page with a test card."""
    _order(pay={"session": session_id, "number": card})


def decline_capture(intent_id: str) -> None:
    """Make the next capture of this payment intent fail."""
    _order(capture_fault={"kind": "decline", "payment_intent": intent_id})


@contextmanager
def silence() -> Iterator[None]:
    """Send no webhooks meanwhile.

    The demo reads every response itself; hundreds of old events would only keep the workers busy.
    """
    _order(webhooks={"mode": "drop"})
    try:
        yield
    finally:
        _order(webhooks={"mode": "deliver"})


def _order(**orders: Any) -> None:
    request = urllib.request.Request(
        f"{settings.STRIPE_API_BASE}/_control",
        data=json.dumps(orders).encode(),
        headers={"Content-Type": "application/json"},
    )
    timeout = settings.STRIPE_TIMEOUT.total_seconds()
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            answer.read()
    except urllib.error.HTTPError as refused:
        raise ProcessorRefused(refused.read().decode(errors="replace")) from refused
