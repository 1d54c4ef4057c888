"""Setup intents: saving a card for later charges."""

from ..cards import Authentication, behavior, decline_texts
from ..errors import StripeError, card_error, invalid_request
from ..ids import new_client_secret
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import payment_methods
from .listing import listing, retrieval

_OPEN = ("requires_payment_method", "requires_confirmation", "requires_action")


@endpoint("POST", "/v1/setup_intents", "SetupIntentCreateParams")
def create(call: Call, params: Json) -> Json:
    if params.get("customer"):
        call.get("customer", params["customer"], "customer")
    automatic = params.get("automatic_payment_methods") or {}
    intent = call.new(
        "setup_intent",
        automatic_payment_methods={
            "allow_redirects": automatic.get("allow_redirects", "always"),
            "enabled": True,
        }
        if automatic.get("enabled")
        else None,
        customer=params.get("customer"),
        description=params.get("description"),
        metadata=merge_metadata({}, params.get("metadata")),
        on_behalf_of=params.get("on_behalf_of"),
        payment_method_types=params.get("payment_method_types") or ["card"],
        status="requires_payment_method",
        usage=params.get("usage", "off_session"),
    )
    call.update(intent, client_secret=new_client_secret(intent["id"]))
    if params.get("payment_method"):
        method = payment_methods.resolve(call, params["payment_method"])
        call.update(intent, payment_method=method["id"], status="requires_confirmation")
    call.emit("setup_intent.created", intent)
    if params.get("confirm"):
        confirm(call, params, intent["id"])
    return intent


@endpoint("POST", "/v1/setup_intents/{id}", "SetupIntentModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    intent = call.get("setup_intent", id)
    changes = {name: params[name] or None for name in ("customer", "description") if name in params}
    metadata = merge_metadata(intent["metadata"], params.get("metadata"))
    call.update(intent, metadata=metadata, **changes)
    return intent


@endpoint("POST", "/v1/setup_intents/{id}/confirm", "SetupIntentConfirmParams")
def confirm(call: Call, params: Json, id: str) -> Json:
    intent = call.get("setup_intent", id)
    if intent["status"] not in _OPEN:
        raise _unexpected_state("confirm", intent)
    if params.get("payment_method"):
        method = payment_methods.resolve(call, params["payment_method"])
        call.update(intent, payment_method=method["id"])
    if not intent["payment_method"]:
        raise invalid_request(
            "You cannot confirm this SetupIntent because it's missing a payment method.",
            code="setup_intent_unexpected_state",
            setup_intent=dict(intent),
        )
    method = call.get("payment_method", intent["payment_method"])
    card = behavior(payment_methods.number_of(call, method))
    if card.declines:
        raise _fail(call, intent, method, card.declines)
    if card.authentication is Authentication.NEVER:
        return _succeed(call, intent, method)
    page = f"{call.base_url}/3ds/{intent['id']}"
    action: Json = {
        "type": "use_stripe_sdk",
        "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": page},
    }
    if params.get("return_url"):
        action = {
            "type": "redirect_to_url",
            "redirect_to_url": {"return_url": params["return_url"], "url": page},
        }
    call.update(intent, status="requires_action", next_action=action)
    call.emit("setup_intent.requires_action", intent)
    return intent


def authenticate(call: Call, intent: Json, *, passed: bool) -> None:
    """Apply the 3-D Secure result. Raises a card error if it failed."""
    if intent["status"] != "requires_action":
        raise _unexpected_state("authenticate", intent)
    method = call.get("payment_method", intent["payment_method"])
    if passed:
        _succeed(call, intent, method)
        return
    message = (
        "We are unable to authenticate your payment method. Please choose a different payment "
        "method and try again."
    )
    code = "setup_intent_authentication_failure"
    _back_to_start(call, intent, method, {"code": code, "message": message})
    raise card_error(message, code, setup_intent=dict(intent))


def _succeed(call: Call, intent: Json, method: Json) -> Json:
    call.update(intent, status="succeeded", next_action=None, last_setup_error=None)
    if intent["customer"]:
        payment_methods.attach_to(call, method, intent["customer"], set_up=True)
    else:
        call.private(method)["set_up"] = True
        call.update(method)
    call.emit("setup_intent.succeeded", intent)
    return intent


def _fail(call: Call, intent: Json, method: Json, reason: str) -> StripeError:
    code, message = decline_texts(reason)
    error = {"code": code, "message": message}
    if code == "card_declined":
        error["decline_code"] = reason
    _back_to_start(call, intent, method, error)
    error = {name: text for name, text in error.items() if name == "decline_code"}
    return card_error(message, code, **error, setup_intent=dict(intent))


def _back_to_start(call: Call, intent: Json, method: Json, error: Json) -> None:
    call.update(
        intent,
        status="requires_payment_method",
        payment_method=None,
        next_action=None,
        last_setup_error={"type": "card_error", **error, "payment_method": dict(method)},
    )
    call.emit("setup_intent.setup_failed", intent)


@endpoint("POST", "/v1/setup_intents/{id}/cancel", "SetupIntentCancelParams")
def cancel(call: Call, params: Json, id: str) -> Json:
    intent = call.get("setup_intent", id)
    if intent["status"] not in _OPEN:
        raise _unexpected_state("cancel", intent)
    call.update(
        intent,
        status="canceled",
        cancellation_reason=params.get("cancellation_reason"),
        next_action=None,
    )
    call.emit("setup_intent.canceled", intent)
    return intent


def _unexpected_state(verb: str, intent: Json) -> StripeError:
    return invalid_request(
        f"You cannot {verb} this SetupIntent because it has a status of {intent['status']}.",
        code="setup_intent_unexpected_state",
        setup_intent=dict(intent),
    )


endpoint("GET", "/v1/setup_intents", "SetupIntentListParams")(
    listing("setup_intent", "/v1/setup_intents", links=("customer",), fields=("payment_method",))
)
endpoint("GET", "/v1/setup_intents/{id}", "SetupIntentRetrieveParams")(retrieval("setup_intent"))
