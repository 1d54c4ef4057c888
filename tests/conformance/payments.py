"""Payments that a test begins with, made with Stripe's own test payment methods.

https://docs.stripe.com/testing
"""

from typing import Any

import stripe

AMOUNT = 2000  # cents


def authorize(
    api: stripe.StripeClient, method: str = "pm_card_visa", **params: Any
) -> stripe.PaymentIntent:
    """An intent whose card is held, with its charge expanded."""
    return charge(api, method, capture_method="manual", **params)


def charge(
    api: stripe.StripeClient, method: str = "pm_card_visa", **params: Any
) -> stripe.PaymentIntent:
    """An intent that is charged, with its charge expanded."""
    given: Any = {
        "amount": AMOUNT,
        "currency": "usd",
        "payment_method": method,
        "payment_method_types": ["card"],
        "capture_method": "automatic",
        "confirm": True,
        "expand": ["latest_charge"],
        **params,
    }
    return api.v1.payment_intents.create(given)


def destination(account: str, fee: int) -> dict[str, Any]:
    """The parameters of a destination charge as the product makes them."""
    return {
        "application_fee_amount": fee,
        "on_behalf_of": account,
        "transfer_data": {"destination": account},
    }


def charge_of(api: stripe.StripeClient, intent: stripe.PaymentIntent, *expand: str) -> Any:
    """The intent's charge as it is now."""
    latest = intent.latest_charge
    charge_id = latest if isinstance(latest, str) else latest.id if latest else ""
    return api.v1.charges.retrieve(charge_id, {"expand": list(expand)})


def event_types(api: stripe.StripeClient, object_id: str, *types: str) -> list[str]:
    """The types, among those asked for, of the newest events about the object."""
    page = api.v1.events.list({"types": list(types), "limit": 100})
    return [event.type for event in page.data if event.data.object.get("id") == object_id]
