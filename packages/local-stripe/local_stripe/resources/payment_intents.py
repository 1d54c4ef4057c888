"""Payment intents: create, update, retrieve, and list."""

from ..errors import invalid_request
from ..ids import new_client_secret
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import payment_methods
from .intent_confirmation import confirm
from .intent_rules import check_amount, check_connect, unexpected_state
from .listing import listing, retrieval


@endpoint("POST", "/v1/payment_intents", "PaymentIntentCreateParams")
def create(call: Call, params: Json) -> Json:
    if params.get("off_session") and not params.get("confirm"):
        raise invalid_request(
            "The parameter `off_session` can only be passed with `confirm=true`.",
            param="off_session",
        )
    check_amount(params["amount"], params["currency"].lower())
    check_connect(call, params, params["amount"])
    if params.get("customer"):
        call.get("customer", params["customer"], "customer")
    intent = new(call, params)
    if params.get("payment_method"):
        method = payment_methods.resolve(call, params["payment_method"])
        call.update(intent, payment_method=method["id"], status="requires_confirmation")
    call.emit("payment_intent.created", intent)
    if params.get("confirm"):
        confirm(call, params, intent["id"])
    return intent


def new(call: Call, params: Json, private: Json | None = None) -> Json:
    """Store an intent without validating its parameters or emitting an event."""
    automatic = params.get("automatic_payment_methods") or {}
    intent = call.new(
        "payment_intent",
        private=private,
        amount=params["amount"],
        amount_capturable=0,
        amount_received=0,
        application_fee_amount=params.get("application_fee_amount"),
        automatic_payment_methods={
            "allow_redirects": automatic.get("allow_redirects", "always"),
            "enabled": True,
        }
        if automatic.get("enabled")
        else None,
        capture_method=params.get("capture_method", "automatic_async"),
        confirmation_method=params.get("confirmation_method", "automatic"),
        currency=params["currency"].lower(),
        customer=params.get("customer"),
        description=params.get("description"),
        metadata=merge_metadata({}, params.get("metadata")),
        on_behalf_of=params.get("on_behalf_of"),
        payment_method_types=params.get("payment_method_types") or ["card"],
        receipt_email=params.get("receipt_email"),
        setup_future_usage=params.get("setup_future_usage"),
        statement_descriptor=params.get("statement_descriptor"),
        statement_descriptor_suffix=params.get("statement_descriptor_suffix"),
        status="requires_payment_method",
        transfer_data=params.get("transfer_data"),
        transfer_group=params.get("transfer_group"),
    )
    call.update(intent, client_secret=new_client_secret(intent["id"]))
    return intent


@endpoint("POST", "/v1/payment_intents/{id}", "PaymentIntentModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    intent = call.get("payment_intent", id)
    money = {"amount", "currency", "customer", "transfer_data", "setup_future_usage"}
    if intent["status"] not in ("requires_payment_method", "requires_confirmation") and (
        money & params.keys()
    ):
        raise unexpected_state(
            "This PaymentIntent's amount could not be updated because it has a status of "
            f"{intent['status']}. You may only update the amount of a PaymentIntent with one of "
            "the following statuses: requires_payment_method, requires_confirmation.",
            payment_intent=intent,
        )
    if "amount" in params:
        check_amount(params["amount"], params.get("currency") or intent["currency"])
    changes = {
        name: params[name] or None
        for name in (
            *sorted(money),
            "description",
            "receipt_email",
            "application_fee_amount",
            "transfer_group",
            "statement_descriptor",
            "statement_descriptor_suffix",
        )
        if name in params
    }
    if "transfer_data" in changes:
        changes["transfer_data"] = {**(intent["transfer_data"] or {}), **params["transfer_data"]}
    merged = {**intent, **changes}
    if changes.keys() & {"amount", "application_fee_amount", "transfer_data"}:
        check_connect(call, merged, merged["amount"])
    if params.get("payment_method"):
        method = payment_methods.resolve(call, params["payment_method"])
        changes.update(payment_method=method["id"], status="requires_confirmation")
    metadata = merge_metadata(intent["metadata"], params.get("metadata"))
    call.update(intent, metadata=metadata, **changes)
    return intent


endpoint("GET", "/v1/payment_intents", "PaymentIntentListParams")(
    listing("payment_intent", "/v1/payment_intents", links=("customer",))
)
endpoint("GET", "/v1/payment_intents/{id}", "PaymentIntentRetrieveParams")(
    retrieval("payment_intent")
)
