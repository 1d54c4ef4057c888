"""Holds: payment intents placed, taken, given back, and looked for."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

import stripe

from apps.billing.gateway import BrowserIntent, Charge, IntentSnapshot, IntentStatus, Refused
from apps.billing.stripe_gateway.client import ask, id_of, moment, our_errors, read
from apps.common.money import Money

_EXPAND = ["latest_charge"]
_HOLD_STATES = {
    "requires_payment_method": IntentStatus.OPEN,
    "requires_confirmation": IntentStatus.OPEN,
    "requires_action": IntentStatus.NEEDS_ACTION,
    "processing": IntentStatus.NEEDS_ACTION,
    "requires_capture": IntentStatus.HELD,
    "succeeded": IntentStatus.CAPTURED,
    "canceled": IntentStatus.DEAD,
}


def retrieve_intent(intent_id: str) -> IntentSnapshot:
    with our_errors():
        return _hold(ask("get", _path_of(intent_id), expand=_EXPAND))


def capture(intent_id: str, *, amount: Money, fee: Money, key: str) -> IntentSnapshot:
    """Take the held money. The application fee travels with the capture (DECISIONS X3)."""
    params: dict[str, Any] = {"amount_to_capture": amount.cents, "expand": _EXPAND}
    if fee.cents:
        params["application_fee_amount"] = fee.cents
    with our_errors():
        path = f"{_path_of(intent_id)}/capture"
        return _hold(ask("post", path, idempotency_key=key, **params))


def release(intent_id: str, *, key: str) -> IntentSnapshot:
    """Give the hold back: nobody paid anything."""
    with our_errors():
        path = f"{_path_of(intent_id)}/cancel"
        params: Any = {"cancellation_reason": "abandoned", "expand": _EXPAND}
        return _hold(ask("post", path, idempotency_key=key, **params))


def charge_off_session(
    charge: Charge, *, customer_id: str, payment_method_id: str, hold_only: bool, key: str
) -> IntentSnapshot:
    """Ask the saved card again without the diner: a new hold, or the money at once."""
    params = intent_params(charge)
    with our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=charge.currency,
            capture_method="manual" if hold_only else "automatic",
            customer=customer_id,
            payment_method=payment_method_id,
            payment_method_types=["card"],
            off_session=True,
            confirm=True,
            expand=_EXPAND,
            idempotency_key=key,
            **params,
        )
        return _hold(intent)


def create_intent(charge: Charge, *, customer_id: str, key: str) -> BrowserIntent:
    """A hold that the browser confirms. The card is kept for the off-session retry that may
    follow."""
    params = intent_params(charge)
    with our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=charge.currency,
            capture_method="manual",
            customer=customer_id,
            payment_method_types=["card"],
            setup_future_usage="off_session",
            idempotency_key=key,
            **params,
        )
        return BrowserIntent(intent.id, intent.client_secret or "")


def reopen_intent(intent_id: str, *, payment_method_id: str = "") -> BrowserIntent:
    """A hold that was refused off session, to be confirmed by the browser: with another card, or
    with the saved one where it is named. Asking twice changes nothing more."""
    params: Any = {"setup_future_usage": "off_session"}
    if payment_method_id:
        params["payment_method"] = payment_method_id
    with our_errors():
        intent = stripe.PaymentIntent.modify(intent_id, **params)
        return BrowserIntent(intent.id, intent.client_secret or "")


def refund(intent_id: str, *, amount: Money, with_fee: bool, key: str) -> IntentSnapshot:
    """Give so much of the charge back, and as large a part of our fee if there was one."""
    with our_errors():
        stripe.Refund.create(
            payment_intent=intent_id,
            amount=amount.cents,
            reverse_transfer=True,
            refund_application_fee=with_fee,
            idempotency_key=key,
        )
    return retrieve_intent(intent_id)


def intents_of_customer(customer_id: str) -> Iterator[IntentSnapshot]:
    """Every intent of one saved customer, newest first: what an earlier try may have made."""
    with our_errors():
        page = stripe.PaymentIntent.list(
            customer=customer_id, limit=100, expand=["data.latest_charge"]
        )
        for intent in page.auto_paging_iter():
            yield _hold(intent)


def intents_since(moment: datetime) -> Iterator[IntentSnapshot]:
    """Every intent created since `moment`, newest first, for the reconciler."""
    with our_errors():
        page = stripe.PaymentIntent.list(
            created={"gte": int(moment.timestamp())}, limit=100, expand=["data.latest_charge"]
        )
        for intent in page.auto_paging_iter():
            yield _hold(intent)


def intents_refunded_since(moment: datetime) -> Iterator[str]:
    """The ids of intents of which something was given back since `moment`, by whomever, for the
    reconciler; they may have been created long before."""
    with our_errors():
        page = stripe.Refund.list(created={"gte": int(moment.timestamp())}, limit=100)
        for refund in page.auto_paging_iter():
            if intent_id := id_of(refund.payment_intent):
                yield intent_id


def intent_params(charge: Charge) -> dict[str, Any]:
    """What makes it a destination charge in the restaurant's name."""
    params: dict[str, Any] = {
        "description": charge.description,
        "metadata": {"pre_order_id": charge.pre_order_id},
        "on_behalf_of": charge.destination,
        "transfer_data": {"destination": charge.destination},
    }
    if charge.fee.cents:
        params["application_fee_amount"] = charge.fee.cents
    return params


def _path_of(intent_id: str) -> str:
    """Raises Refused for no id at all: its path would be that of the list."""
    if not intent_id:
        raise Refused("invalid_request", "There is no payment intent without an id.")
    return f"/v1/payment_intents/{quote(intent_id, safe='')}"


def _hold(intent: Any) -> IntentSnapshot:
    """Of the library's object, or of the answer as it came."""
    charge = read(intent, "latest_charge")
    created = moment(read(charge, "created"))
    captured = read(charge, "amount_captured") or 0
    # Stripe counts what a capture left of the hold as refunded too; nobody had paid that.
    not_taken = (read(charge, "amount") or 0) - captured
    error = read(intent, "last_payment_error", "code")
    return IntentSnapshot(
        intent_id=read(intent, "id"),
        state=_HOLD_STATES[read(intent, "status")],
        pre_order_id=read(intent, "metadata", "pre_order_id"),
        amount=Money(read(intent, "amount")),
        currency=read(intent, "currency"),
        captured=Money(captured),
        refunded=Money(max(0, (read(charge, "amount_refunded") or 0) - not_taken)),
        fee=Money(read(charge, "application_fee_amount") or 0),
        customer_id=id_of(read(intent, "customer")),
        payment_method_id=id_of(read(intent, "payment_method")),
        authorized_at=created,
        capture_before=moment(read(charge, "payment_method_details", "card", "capture_before")),
        transfer_id=id_of(read(charge, "transfer")),
        reason=read(intent, "cancellation_reason") or error or "",
        card_brand=read(charge, "payment_method_details", "card", "brand") or "",
        card_digits=read(charge, "payment_method_details", "card", "last4") or "",
    )
