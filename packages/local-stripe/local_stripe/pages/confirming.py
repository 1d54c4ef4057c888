"""Confirming an intent with a typed card, as the browser script does with a client secret."""

from ..cards import CardInput
from ..errors import StripeError
from ..resources import intent_confirmation, payment_methods, setup_intents
from ..server import Call
from ..store import Json


def find_intent(call: Call, intent_id: str) -> Json:
    """A payment or setup intent of the call's account. Raises when there is none."""
    kind = "setup_intent" if intent_id.startswith("seti_") else "payment_intent"
    return call.get(kind, intent_id, "intent")


def confirm(call: Call, intent: Json, card: CardInput | None, billing: Json | None = None) -> None:
    """Without a card: with the one the intent has already. Raises a card error when the card is
    malformed or declined."""
    params: Json = {}
    if card is not None:
        params["payment_method"] = payment_methods.from_card(call, card, billing)["id"]
    family = setup_intents if intent["object"] == "setup_intent" else intent_confirmation
    family.confirm(call, params, intent["id"])


def authenticate(call: Call, intent: Json, *, passed: bool) -> None:
    family = setup_intents if intent["object"] == "setup_intent" else intent_confirmation
    family.authenticate(call, intent, passed=passed)


def confirm_with_card(call: Call, intent_id: str, card: CardInput | None, answer: str) -> Json:
    """Confirms, and answers a 3-D Secure challenge with ``ok``, ``fail`` or ``leave``."""
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
