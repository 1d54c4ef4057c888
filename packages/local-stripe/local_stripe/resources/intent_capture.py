"""Capture, cancellation, and expiration of payment intents."""

from ..errors import LostResponse, StripeError, card_error, invalid_request, server_error
from ..routing import endpoint
from ..server import Call
from ..store import Json, Row
from ..wire import merge_metadata
from . import charges, disputes
from .intent_confirmation import CONFIRMABLE
from .intent_rules import check_connect, unexpected_state

EXPIRED = "expired"  # "automatic" before API version 2025-03-31.basil
_CANCELABLE = (*CONFIRMABLE, "requires_capture", "processing")


@endpoint("POST", "/v1/payment_intents/{id}/capture", "PaymentIntentCaptureParams")
def capture(call: Call, params: Json, id: str) -> Json:
    intent = call.get("payment_intent", id)
    charge = call.get("charge", intent["latest_charge"]) if intent["latest_charge"] else None
    if intent["status"] == "requires_capture" and _is_due(call, intent):
        expire(call, intent)
    if intent["status"] != "requires_capture" or charge is None:
        raise _not_capturable(intent, charge)
    amount: int = params.get("amount_to_capture") or intent["amount_capturable"]
    _check_capture(call, params, intent, amount)
    fault = call.server.faults.take_money("capture", id)
    if fault == "500":
        raise server_error()
    if fault == "decline" or charges.declines_capture(call, charge):
        if call.server.faults.does("declined_capture_cancels"):
            withdraw(call, intent, "automatic")
        raise _declined_capture(intent, charge)
    _capture(call, params, intent, charge, amount)
    if fault == "lost_response":
        raise LostResponse(intent)
    return intent


def _is_due(call: Call, intent: Json) -> bool:
    row = call.store.get(intent["id"])
    return row is not None and row.due_at is not None and row.due_at <= call.now


def _not_capturable(intent: Json, charge: Json | None) -> StripeError:
    if charge is not None and intent["cancellation_reason"] == EXPIRED:
        return invalid_request(
            "The charge could not be captured because its authorization has expired.",
            code="charge_expired_for_capture",
            charge=charge["id"],
            payment_intent=dict(intent),
        )
    return unexpected_state(
        f"This PaymentIntent could not be captured because it has a status of {intent['status']}. "
        "Only a PaymentIntent with one of the following statuses may be captured: "
        "requires_capture.",
        payment_intent=dict(intent),
    )


def _check_capture(call: Call, params: Json, intent: Json, amount: int) -> None:
    if amount > intent["amount_capturable"]:
        raise invalid_request(
            f"The amount to capture ({amount}) is greater than the amount that can be captured "
            f"({intent['amount_capturable']}).",
            code="amount_too_large",
            param="amount_to_capture",
        )
    if amount < 1:
        raise invalid_request(
            "This value must be greater than or equal to 1.",
            code="parameter_invalid_integer",
            param="amount_to_capture",
        )
    if params.get("final_capture") is False:
        raise invalid_request(
            "This PaymentIntent is not eligible for multicapture.", param="final_capture"
        )
    fee = params.get("application_fee_amount")
    if not call.server.faults.does("capture_needs_no_capability"):
        check_connect(call, {**intent, "application_fee_amount": fee}, amount)


def _declined_capture(intent: Json, charge: Json) -> StripeError:
    # Stripe documents the error but not what happens to the intent. Our choice: the authorization
    # stays in place, nothing is charged, no event is sent, and a later capture can succeed.
    return card_error(
        "Your card was declined.",
        "card_declined",
        decline_code="generic_decline",
        charge=charge["id"],
        payment_intent=dict(intent),
    )


def _capture(call: Call, params: Json, intent: Json, charge: Json, amount: int) -> None:
    changes: Json = {}
    if params.get("application_fee_amount") is not None:
        changes["application_fee_amount"] = params["application_fee_amount"]
    if (params.get("transfer_data") or {}).get("amount"):
        changes["transfer_data"] = {
            **(intent["transfer_data"] or {}),
            "amount": params["transfer_data"]["amount"],
        }
    metadata = merge_metadata(intent["metadata"], params.get("metadata"))
    call.update(intent, metadata=metadata, **changes)
    charges.settle(call, intent, charge, amount)
    call.update(intent, status="succeeded", amount_received=amount, amount_capturable=0)
    call.schedule(intent, None)
    call.emit("charge.captured", charge)
    call.emit("payment_intent.succeeded", intent)
    call.emit("charge.updated", charge)
    session = checkout_session(call, intent)
    if session is not None:
        call.update(session, payment_status="paid")
    disputes.after_charge(call, charge)


@endpoint("POST", "/v1/payment_intents/{id}/cancel", "PaymentIntentCancelParams")
def cancel(call: Call, params: Json, id: str) -> Json:
    intent = call.get("payment_intent", id)
    if intent["status"] not in _CANCELABLE:
        raise unexpected_state(
            f"You cannot cancel this PaymentIntent because it has a status of {intent['status']}. "
            "Only a PaymentIntent with one of the following statuses may be canceled: "
            f"{', '.join(_CANCELABLE)}.",
            payment_intent=dict(intent),
        )
    if intent["status"] != "requires_capture" and checkout_session(call, intent) is not None:
        raise unexpected_state(
            "You cannot cancel this PaymentIntent because it was created by a Checkout Session. "
            "Expire the Checkout Session instead.",
            payment_intent=dict(intent),
        )
    fault = call.server.faults.take_money("cancel", id)
    if fault == "500":
        raise server_error()
    if fault == "decline":
        raise card_error(
            "The card issuer refused the release.",
            "card_declined",
            payment_intent=dict(intent),
        )
    withdraw(call, intent, params.get("cancellation_reason"))
    if fault == "lost_response":
        raise LostResponse(intent)
    return intent


def withdraw(call: Call, intent: Json, reason: str | None) -> None:
    """Cancel an intent that wasn't charged; an authorization is released."""
    if intent["status"] == "requires_capture":
        charge = call.get("charge", intent["latest_charge"])
        says_expired = call.server.faults.does("cancellation_expires_charge")
        charges.let_go(call, charge, expired=reason == EXPIRED or says_expired)
    call.update(
        intent,
        status="canceled",
        amount_capturable=0,
        canceled_at=call.now,
        cancellation_reason=reason,
        next_action=None,
    )
    call.schedule(intent, None)
    call.emit("payment_intent.canceled", intent)


def expire(call: Call, intent: Json) -> None:
    """Expire an authorization that wasn't captured in time."""
    withdraw(call, intent, EXPIRED)


def checkout_session(call: Call, intent: Json) -> Json | None:
    """Return the Checkout Session that created this intent, if any."""
    session_id = call.private(intent).get("session")
    row: Row | None = call.store.get(session_id) if session_id else None
    return row.obj if row else None
