"""Confirmation of payment intents: 3-D Secure, charges, and declines."""

from ..cards import Authentication, behavior, decline_texts
from ..errors import StripeError, card_error, invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from . import charges, disputes, payment_methods
from .intent_rules import unexpected_state

CONFIRMABLE = ("requires_payment_method", "requires_confirmation", "requires_action")


@endpoint("POST", "/v1/payment_intents/{id}/confirm", "PaymentIntentConfirmParams")
def confirm(call: Call, params: Json, id: str) -> Json:
    intent = call.get("payment_intent", id)
    if intent["status"] not in CONFIRMABLE:
        raise unexpected_state(
            f"You cannot confirm this PaymentIntent because it has a status of {intent['status']}. "
            "Only a PaymentIntent with one of the following statuses may be confirmed: "
            "requires_confirmation, requires_action.",
            payment_intent=intent,
        )
    if (
        params.get("payment_method")
        and intent["status"] == "requires_action"
        and call.server.faults.does("open_check_stays")
    ):
        raise unexpected_state("The check of this payment's card is open.", payment_intent=intent)
    if params.get("payment_method"):
        method = payment_methods.resolve(call, params["payment_method"])
        call.update(intent, payment_method=method["id"])
    if params.get("setup_future_usage"):
        call.update(intent, setup_future_usage=params["setup_future_usage"])
    if not intent["payment_method"]:
        raise unexpected_state(
            "You cannot confirm this PaymentIntent because it's missing a payment method. You can "
            "either update the PaymentIntent with a payment method and then confirm it again, or "
            "confirm it again directly with a payment method.",
            payment_intent=intent,
        )
    method = call.get("payment_method", intent["payment_method"])
    off_session = params.get("off_session") not in (None, False, "false")
    _check_owner(call, intent, method, off_session)
    fault = call.server.faults.take_hold(intent) if off_session else None
    if fault:
        call.private(intent)["asks"] = fault == "authentication_required"
        raise _decline(call, intent, method, fault)
    asks = call.private(intent).get("asks") or _wants_authentication(call, method, off_session)
    if not asks:
        return _charge(call, intent, method, off_session=off_session)
    if off_session or params.get("error_on_requires_action"):
        raise _decline(call, intent, method, "authentication_required")
    return_url = params.get("return_url")
    _ask_for_authentication(call, intent, return_url)
    return intent


def _check_owner(call: Call, intent: Json, method: Json, off_session: bool) -> None:
    if method["customer"] and method["customer"] != intent["customer"]:
        raise invalid_request(
            f"The provided PaymentMethod ({method['id']}) belongs to a customer. Pass that "
            "customer as `customer` of the PaymentIntent.",
            code="payment_method_customer_mismatch"
            if intent["customer"]
            else "payment_intent_invalid_parameter",
            param="payment_method",
        )
    if off_session and not method["customer"]:
        raise invalid_request(
            "The provided PaymentMethod cannot be used off session: attach it to a Customer first.",
            param=None if call.server.faults.does("detached_card_unnamed") else "payment_method",
        )


def _wants_authentication(call: Call, method: Json, off_session: bool) -> bool:
    rule = behavior(payment_methods.number_of(call, method)).authentication
    if rule is Authentication.UNLESS_SET_UP:
        return not (off_session and call.private(method)["set_up"])
    return rule is Authentication.ALWAYS


def _ask_for_authentication(call: Call, intent: Json, return_url: str | None) -> None:
    page = f"{call.base_url}/3ds/{intent['id']}"
    action: Json = {
        "type": "use_stripe_sdk",
        "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": page},
    }
    if return_url:
        action = {
            "type": "redirect_to_url",
            "redirect_to_url": {"return_url": return_url, "url": page},
        }
    call.update(intent, status="requires_action", next_action=action)
    call.emit("payment_intent.requires_action", intent)


def authenticate(call: Call, intent: Json, *, passed: bool) -> None:
    """Apply the 3-D Secure result. Raises a card error if it failed or the charge is declined."""
    if intent["status"] != "requires_action":
        raise unexpected_state(
            f"This payment doesn't require 3-D Secure. Its status is {intent['status']}.",
            payment_intent=intent,
        )
    method = call.get("payment_method", intent["payment_method"])
    if passed:
        _charge(call, intent, method, off_session=False, authenticated=True)
        return
    message = (
        "We are unable to authenticate your payment method. Please choose a different payment "
        "method and try again."
    )
    code = "payment_intent_authentication_failure"
    _back_to_start(call, intent, method, {"code": code, "message": message})
    raise card_error(message, code, payment_intent=dict(intent))


def _charge(
    call: Call, intent: Json, method: Json, *, off_session: bool, authenticated: bool = False
) -> Json:
    card = behavior(payment_methods.number_of(call, method))
    declined = card.declines or (card.declines_off_session if off_session else None)
    if declined is None and not charges.has_room(call, method, intent["amount"]):
        declined = "insufficient_funds"
    if declined:
        raise _decline(call, intent, method, declined)
    by_hand = intent["capture_method"] == "manual"
    seconds = charges.hold_seconds(method, off_session=off_session)
    capture_before = call.now + seconds if by_hand else None
    charge = charges.succeed(
        call, intent, method, capture_before=capture_before, authenticated=authenticated
    )
    call.update(intent, latest_charge=charge["id"], next_action=None, last_payment_error=None)
    if intent["setup_future_usage"] and intent["customer"]:
        set_up = intent["setup_future_usage"] == "off_session"
        payment_methods.attach_to(call, method, intent["customer"], set_up=set_up)
    if by_hand:
        call.emit("charge.succeeded", charge)
        call.update(intent, status="requires_capture", amount_capturable=intent["amount"])
        call.schedule(intent, capture_before)
        call.emit("payment_intent.amount_capturable_updated", intent)
        return intent
    charges.settle(call, intent, charge, intent["amount"])
    call.emit("charge.succeeded", charge)
    call.update(intent, status="succeeded", amount_received=intent["amount"])
    call.emit("payment_intent.succeeded", intent)
    disputes.after_charge(call, charge)
    return intent


def _decline(call: Call, intent: Json, method: Json, reason: str) -> StripeError:
    charge = charges.fail(call, intent, method, reason)
    code, message = decline_texts(reason)
    details = {"charge": charge["id"]}
    if code in ("card_declined", "authentication_required"):
        details["decline_code"] = reason
    call.update(intent, latest_charge=charge["id"])
    _back_to_start(call, intent, method, {"code": code, "message": message, **details})
    return card_error(
        message, code, **details, payment_intent=dict(intent), payment_method=dict(method)
    )


def _back_to_start(call: Call, intent: Json, method: Json, error: Json) -> None:
    """Reset the intent after a failed attempt, so it can be paid with another card."""
    call.update(
        intent,
        status="requires_payment_method",
        payment_method=None,
        next_action=None,
        last_payment_error={"type": "card_error", **error, "payment_method": dict(method)},
    )
    call.emit("payment_intent.payment_failed", intent)
