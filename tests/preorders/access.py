"""Gives a test's browser the access that an emailed link would."""

from datetime import datetime
from typing import Any

from apps.preorders.core.access import LINK_LIFETIME, Purpose, access_token


def allow(client: Any, order: Any, *purposes: Purpose, now: datetime) -> None:
    """Let the client change the order, or do what `purposes` name instead."""
    for purpose in purposes or (Purpose.CHANGE,):
        token = access_token(order, purpose, until=now + LINK_LIFETIME)
        client.cookies[f"order-{order.code.lower()}-{purpose}"] = token
