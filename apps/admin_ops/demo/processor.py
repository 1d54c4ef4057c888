"""What the demo asks of the local card processor beyond the gateway: to play the other side.

Only the local one has such a door; at a real processor people open accounts and pay themselves.
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
    """The local processor would not do it; the text is its answer."""


def is_local() -> bool:
    """Whether payments go to the local processor of a developer's machine."""
    return urlsplit(settings.STRIPE_API_BASE).hostname in LOOPBACK


def onboard(account_id: str) -> None:
    """Give and check everything a restaurant has to tell the processor."""
    _order(onboard=account_id)


def pay(session_id: str, card: str) -> None:
    """Fill in the hosted checkout page with a test card."""
    _order(pay={"session": session_id, "number": card})


def decline_capture(intent_id: str) -> None:
    """Let the bank turn down the next capture of this hold."""
    _order(capture_fault={"kind": "decline", "payment_intent": intent_id})


@contextmanager
def silence() -> Iterator[None]:
    """No webhooks meanwhile: the demo hears every answer itself, and hundreds of old messages would
    only keep the workers busy."""
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
