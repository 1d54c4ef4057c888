"""Card payment methods and the customers they are attached to."""

from typing import Any

from ..cards import READY_MADE, CardInput
from ..errors import invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from .listing import listing, retrieval

_ADDRESS = ("city", "country", "line1", "line2", "postal_code", "state")


def from_card(call: Call, card: CardInput, billing: Json | None = None) -> Json:
    """Create a payment method from card details. Raises a card error if they are invalid."""
    card = card.cleaned(call.now)
    return call.new(
        "payment_method",
        private={"number": card.number, "set_up": False},
        type="card",
        allow_redisplay="unspecified",
        billing_details=_billing(billing or {}),
        card=card.describe(),
        metadata={},
    )


def _billing(given: Json) -> Json:
    address = given.get("address") or {}
    return {
        "address": {name: address.get(name) for name in _ADDRESS},
        "email": given.get("email") or None,
        "name": given.get("name") or None,
        "phone": given.get("phone") or None,
        "tax_id": None,
    }


def resolve(call: Call, method_id: str) -> Json:
    """Return the payment method with this ID; Stripe's test IDs create a new one each time."""
    if method_id in READY_MADE:
        return from_card(call, CardInput(READY_MADE[method_id]))
    return call.get("payment_method", method_id, "payment_method")


def number_of(call: Call, method: Json) -> str:
    return str(call.private(method)["number"])


def attach_to(call: Call, method: Json, customer: str, *, set_up: bool) -> None:
    """Attach the card to a customer. ``set_up`` means it is authorized for later charges."""
    if set_up:
        call.private(method)["set_up"] = True
    if method["customer"] == customer:
        call.update(method)
        return
    call.update(method, customer=customer)
    call.emit("payment_method.attached", method)


@endpoint("POST", "/v1/payment_methods", "PaymentMethodCreateParams")
def create(call: Call, params: Json) -> Json:
    if params.get("type") != "card":
        raise invalid_request("This local server supports only cards.", param="type")
    given: Any = params.get("card") or {}
    if given.get("token"):
        if given["token"] not in READY_MADE:
            raise invalid_request(
                f"No such token: '{given['token']}'", code="resource_missing", param="card[token]"
            )
        card = CardInput(READY_MADE[given["token"]])
    else:
        card = CardInput(
            given.get("number", ""),
            given.get("exp_month", 12),
            given.get("exp_year", 2040),
            given.get("cvc", "123"),
        )
    method = from_card(call, card, params.get("billing_details"))
    call.update(method, metadata=merge_metadata({}, params.get("metadata")))
    return method


@endpoint("POST", "/v1/payment_methods/{id}", "PaymentMethodModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    method = call.get("payment_method", id)
    if "billing_details" in params:
        merged = {**method["billing_details"], **(params["billing_details"] or {})}
        call.update(method, billing_details=_billing(merged))
    call.update(method, metadata=merge_metadata(method["metadata"], params.get("metadata")))
    call.emit("payment_method.updated", method)
    return method


@endpoint("POST", "/v1/payment_methods/{id}/attach", "PaymentMethodAttachParams")
def attach(call: Call, params: Json, id: str) -> Json:
    method = resolve(call, id)
    customer = call.get("customer", params.get("customer"), "customer")
    if method["customer"] and method["customer"] != customer["id"]:
        raise invalid_request(
            "The payment method you provided has already been attached to a customer.",
            code="payment_method_unexpected_state",
        )
    attach_to(call, method, customer["id"], set_up=False)
    return method


@endpoint("POST", "/v1/payment_methods/{id}/detach", "PaymentMethodDetachParams")
def detach(call: Call, params: Json, id: str) -> Json:
    method = call.get("payment_method", id)
    if not method["customer"]:
        raise invalid_request(
            "The payment method you provided is not attached to a customer so detachment is "
            "impossible.",
            code="payment_method_unexpected_state",
        )
    call.update(method, customer=None)
    call.emit("payment_method.detached", method)
    return method


endpoint("GET", "/v1/payment_methods", "PaymentMethodListParams")(
    listing("payment_method", "/v1/payment_methods", links=("customer",), fields=("type",))
)
endpoint("GET", "/v1/payment_methods/{id}", "PaymentMethodRetrieveParams")(
    retrieval("payment_method")
)


@endpoint("GET", "/v1/customers/{id}/payment_methods", "CustomerListPaymentMethodsParams")
def of_customer(call: Call, params: Json, id: str) -> Json:
    call.get("customer", id)
    url = f"/v1/customers/{id}/payment_methods"
    answer = listing("payment_method", url, links=("customer",), fields=("type",))
    return answer(call, {**params, "customer": id})


@endpoint(
    "GET", "/v1/customers/{id}/payment_methods/{method}", "CustomerRetrievePaymentMethodParams"
)
def one_of_customer(call: Call, params: Json, id: str, method: str) -> Json:
    call.get("customer", id)
    return call.get("payment_method", method)
