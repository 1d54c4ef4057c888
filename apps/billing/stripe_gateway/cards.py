"""A card that is kept without money, whom it is kept for, and the secret a browser needs."""

from typing import Any

import stripe

from apps.billing.gateway import BrowserIntent, CardSetup, CardSetupStatus
from apps.billing.stripe_gateway.client import id_of, our_errors

_SETUP_STATES = {"succeeded": CardSetupStatus.READY, "canceled": CardSetupStatus.DEAD}


def create_customer(*, name: str, email: str, key: str) -> str:
    """Whom a card is kept for; answers the id. Both texts may be empty."""
    known: Any = {}
    if name:
        known["name"] = name
    if email:
        known["email"] = email
    with our_errors():
        return stripe.Customer.create(idempotency_key=key, **known).id


def create_setup(
    *, cart_id: str, customer_id: str, destination: str, description: str, key: str
) -> BrowserIntent:
    """A card to be kept without money, for holds in the name of the account `destination`."""
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
    """No card can be given on it any more. One that is done or dead already is returned as it
    is."""
    with our_errors():
        try:
            return _setup(stripe.SetupIntent.cancel(setup_id, cancellation_reason="abandoned"))
        except stripe.InvalidRequestError:
            return _setup(stripe.SetupIntent.retrieve(setup_id))


def client_secret(intent_id: str) -> str:
    """What lets a browser confirm the intent, a payment's or a card's; we never keep it."""
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
