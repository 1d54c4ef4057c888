"""Confirmation of an intent with card details, as the browser script does it."""

from ..cards import CardInput
from ..errors import StripeError, invalid_request
from ..resources import intent_confirmation, payment_methods, setup_intents
from ..server import Call
from ..store import Json


def find_intent(call: Call, intent_id: str) -> Json:
    """Return a payment or setup intent of the request's account. Raises if there is none."""
    kind = "setup_intent" if intent_id.startswith("seti_") else "payment_intent"
    return call.get(kind, intent_id, "intent")


def check_context(intent: Json, said: Json | None) -> None:
    """Raise unless the intent is what Elements that were created without one say of it. stripe-js
    sends that when it confirms (https://github.com/stripe/stripe-android/pull/11721)."""
    if said is None:
        return
    usage = said.get("setup_future_usage")
    if said["mode"] == "setup":
        same = intent["object"] == "setup_intent" and intent["usage"] == (usage or "off_session")
    else:
        expected = {
            "amount": said["amount"],
            "currency": said["currency"],
            "capture_method": said.get("capture_method") or "automatic_async",
            "setup_future_usage": usage,
        }
        same = {name: intent.get(name) for name in expected} == expected
    if not same:
        raise invalid_request("The intent differs from what Elements were created with.")


def confirm(call: Call, intent: Json, card: CardInput | None, billing: Json | None = None) -> None:
    """Confirm an intent; without a card, with its current payment method. Raises a card error if
    the card is invalid or declined."""
    params: Json = {}
    if card is not None:
        params["payment_method"] = payment_methods.from_card(call, card, billing)["id"]
    family = setup_intents if intent["object"] == "setup_intent" else intent_confirmation
    family.confirm(call, params, intent["id"])


def authenticate(call: Call, intent: Json, *, passed: bool) -> None:
    family = setup_intents if intent["object"] == "setup_intent" else intent_confirmation
    family.authenticate(call, intent, passed=passed)


def confirm_with_card(call: Call, intent_id: str, card: CardInput | None, answer: str) -> Json:
    """Confirm, and answer a 3-D Secure challenge with ``ok``, ``fail``, or ``leave``."""
    intent = find_intent(call, intent_id)
    error: StripeError | None = None
    try:
        confirm(call, intent, card)
        if intent["status"] == "requires_action" and answer != "leave":
            authenticate(call, intent, passed=answer == "ok")
    except StripeError as refused:
        error = refused
    return {
        "intent": intent_id,
        "status": intent["status"],
        "error": error.summary if error else None,
    }
