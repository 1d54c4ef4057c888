"""Saved cards: customers, setup intents, and the client secrets browsers need."""

from typing import Any

import stripe

from apps.billing.gateway import BrowserIntent, CardSetup, CardSetupStatus, Refused
from apps.billing.stripe_gateway.client import id_of, our_errors

_SETUP_STATES = {"succeeded": CardSetupStatus.READY, "canceled": CardSetupStatus.DEAD}


def create_customer(*, name: str, email: str, key: str) -> str:
    """Create the customer a card is saved for; returns the id. Name and email can be empty."""
    known: Any = {}
    if name:
        known["name"] = name
    if email:
        known["email"] = email
    with our_errors():
        return stripe.Customer.create(idempotency_key=key, **known).id


def delete_customer(customer_id: str) -> None:
    """Delete a customer and its saved cards; one that is gone already is as good.

    Its payments stay, and can be refunded: https://docs.stripe.com/api/customers/delete
    """
    try:
        with our_errors():
            stripe.Customer.delete(customer_id)
    except Refused as error:
        if error.code != "resource_missing":
            raise


def create_setup(
    *, cart_id: str, customer_id: str, destination: str, description: str, key: str
) -> BrowserIntent:
    """Create a setup intent: saves a card for later authorizations on behalf of `destination`."""
    with our_errors():
        setup = stripe.SetupIntent.create(
            customer=customer_id,
            usage="off_session",
            payment_method_types=["card"],
            on_behalf_of=destination,
            description=description,
            metadata={"cart_id": cart_id},
            idempotency_key=key,
        )
        return BrowserIntent(setup.id, setup.client_secret or "")


def retrieve_setup(setup_id: str) -> CardSetup:
    with our_errors():
        return _setup(stripe.SetupIntent.retrieve(setup_id))


def cancel_setup(setup_id: str) -> CardSetup:
    """Cancel a setup intent. One that already succeeded or was canceled is returned unchanged."""
    with our_errors():
        try:
            return _setup(stripe.SetupIntent.cancel(setup_id, cancellation_reason="abandoned"))
        except stripe.InvalidRequestError:
            return _setup(stripe.SetupIntent.retrieve(setup_id))


def client_secret(intent_id: str) -> str:
    """The secret a browser needs to confirm a payment or setup intent; we never store it."""
    with our_errors():
        if intent_id.startswith("seti_"):
            return stripe.SetupIntent.retrieve(intent_id).client_secret or ""
        return stripe.PaymentIntent.retrieve(intent_id).client_secret or ""


def _setup(setup: stripe.SetupIntent) -> CardSetup:
    return CardSetup(
        setup_id=setup.id,
        state=_SETUP_STATES.get(setup.status, CardSetupStatus.OPEN),
        payment_method_id=id_of(setup.payment_method),
    )
