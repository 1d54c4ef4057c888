"""Subscriptions of restaurants to the platform, and Stripe's billing portal."""

from typing import Any

import stripe

from apps.billing.gateway import Subscription
from apps.billing.stripe_gateway.client import moment, our_errors, read


def latest_subscription(customer_id: str) -> Subscription | None:
    """The customer's newest subscription, including ended ones; None if there was none."""
    with our_errors():
        page = stripe.Subscription.list(customer=customer_id, status="all", limit=1)
    if not page.data:
        return None
    newest = page.data[0]
    items: Any = newest["items"]
    ends = [read(item, "current_period_end") for item in items.data]
    return Subscription(status=newest.status, period_end=moment(max(ends, default=None)))


def billing_portal_url(customer_id: str, *, return_url: str) -> str:
    """The URL of Stripe's billing portal for a customer, valid for a few minutes."""
    with our_errors():
        session = stripe.billing_portal.Session.create(customer=customer_id, return_url=return_url)
        return session.url
