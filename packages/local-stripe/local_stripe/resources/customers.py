"""Customers."""

from ..errors import invalid_request, no_such
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import subscriptions
from .listing import listing, retrieval

_SETTABLE = (
    "address",
    "balance",
    "description",
    "email",
    "name",
    "phone",
    "preferred_locales",
    "shipping",
    "tax_exempt",
)


@endpoint("POST", "/v1/customers", "CustomerCreateParams")
def create(call: Call, params: Json) -> Json:
    customer = call.new(
        "customer",
        balance=0,
        delinquent=False,
        invoice_prefix=random_text(8).upper(),
        invoice_settings={
            "custom_fields": None,
            "default_payment_method": None,
            "footer": None,
            "rendering_options": None,
        },
        metadata=merge_metadata({}, params.get("metadata")),
        next_invoice_sequence=1,
        preferred_locales=[],
        tax_exempt="none",
    )
    _apply(call, customer, params)
    call.emit("customer.created", customer)
    return customer


def _apply(call: Call, customer: Json, params: Json) -> None:
    changes: Json = {name: params[name] or None for name in _SETTABLE if name in params}
    if changes.get("address"):
        empty = dict.fromkeys(("city", "country", "line1", "line2", "postal_code", "state"))
        changes["address"] = {**empty, **changes["address"]}
    chosen = (params.get("invoice_settings") or {}).get("default_payment_method")
    if chosen:
        method = call.get("payment_method", chosen)
        if method["customer"] != customer["id"]:
            raise invalid_request(
                "The customer does not have a payment method with the ID "
                f"{chosen}. The payment method must be attached to the customer.",
                param="invoice_settings[default_payment_method]",
            )
        changes["invoice_settings"] = {
            **customer["invoice_settings"],
            "default_payment_method": chosen,
        }
    call.update(customer, **changes)


@endpoint("POST", "/v1/customers/{id}", "CustomerModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    customer = call.get("customer", id)
    if customer.get("deleted"):
        raise invalid_request(f"No such customer: '{id}'", code="resource_missing", param="id")
    _apply(call, customer, params)
    if "metadata" in params:
        merged = merge_metadata(customer["metadata"], params["metadata"])
        call.update(customer, metadata=merged)
    call.emit("customer.updated", customer)
    return customer


@endpoint("DELETE", "/v1/customers/{id}", "CustomerDeleteParams")
def delete(call: Call, params: Json, id: str) -> Json:
    customer = call.get("customer", id)
    if customer.get("deleted"):
        if call.server.faults.does("deleting_again_succeeds"):
            return customer
        raise no_such("customer", id)
    call.emit("customer.deleted", customer)
    for row in call.store.all("payment_method", call.account, customer=id):
        call.update(row.obj, customer=None)
    for row in call.store.all("subscription", call.account, customer=id):
        if row.obj["status"] != "canceled":
            subscriptions.end(call, row.obj)
    customer.clear()
    customer["id"] = id
    call.update(customer, object="customer", deleted=True)
    return customer


endpoint("GET", "/v1/customers", "CustomerListParams")(
    listing("customer", "/v1/customers", fields=("email",))
)
endpoint("GET", "/v1/customers/{id}", "CustomerRetrieveParams")(retrieval("customer"))
