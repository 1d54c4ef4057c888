"""Subscriptions with their first invoice, and the billing portal. There are no renewals."""

from ..cards import behaviour, decline_texts
from ..errors import card_error, invalid_request
from ..ids import new_id, random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import payment_methods
from .listing import listing, retrieval

_DAY = 86_400
_INTERVALS = {"day": _DAY, "week": 7 * _DAY, "month": 30 * _DAY, "year": 365 * _DAY}


@endpoint("POST", "/v1/subscriptions", "SubscriptionCreateParams")
def create(call: Call, params: Json) -> Json:
    customer = call.get("customer", params.get("customer"), "customer")
    chosen = (
        params.get("default_payment_method")
        or (customer["invoice_settings"]["default_payment_method"])
    )
    if not chosen:
        raise invalid_request(
            "This customer has no attached payment source or default payment method.",
            code="resource_missing",
        )
    method = call.get("payment_method", chosen, "default_payment_method")
    prices = [
        (call.get("price", item.get("price"), "items[0][price]"), item.get("quantity", 1))
        for item in params.get("items") or []
    ]
    return _start(call, customer["id"], method, prices, params.get("metadata"))


def begin(call: Call, session: Json, customer: str | None, method: Json) -> Json:
    """Start the subscription of a completed Checkout Session."""
    assert customer is not None  # sessions in subscription mode always create one
    lines = call.private(session)["line_items"]
    prices = [(line["price"], line["quantity"]) for line in lines if line["price"]]
    data = call.private(session)["subscription_data"]
    payment_methods.attach_to(call, method, customer, set_up=True)
    return _start(call, customer, method, prices, data.get("metadata"))


def _start(
    call: Call, customer: str, method: Json, prices: list[tuple[Json, int]], metadata: Json | None
) -> Json:
    if not prices or any(price["recurring"] is None for price, _ in prices):
        raise invalid_request("Pass items with recurring prices.", param="items")
    declined = behaviour(payment_methods.number_of(call, method)).declines
    if declined:
        code, message = decline_texts(declined)
        raise card_error(message, code, decline_code=declined)
    subscription_id = new_id("subscription")
    recurring = prices[0][0]["recurring"]
    ends = call.now + _INTERVALS[recurring["interval"]] * recurring["interval_count"]
    items = [_item(call, subscription_id, price, quantity, ends) for price, quantity in prices]
    subscription = call.new(
        "subscription",
        id=subscription_id,
        automatic_tax={"enabled": False, "liability": None, "disabled_reason": None},
        billing_cycle_anchor=call.now,
        billing_mode={"type": "classic"},
        billing_schedules=[],
        cancel_at_period_end=False,
        collection_method="charge_automatically",
        currency=prices[0][0]["currency"],
        customer=customer,
        default_payment_method=method["id"],
        default_tax_rates=[],
        discounts=[],
        invoice_settings={"account_tax_ids": None, "issuer": {"type": "self"}},
        items=list_object(f"/v1/subscription_items?subscription={subscription_id}", items),
        metadata=merge_metadata({}, metadata),
        start_date=call.now,
        status="active",
    )
    invoice = _invoice(call, subscription, items, ends)
    call.update(subscription, latest_invoice=invoice["id"])
    call.emit("customer.subscription.created", subscription)
    for kind in ("invoice.created", "invoice.finalized", "invoice.paid"):
        call.emit(kind, invoice)
    return subscription


def _item(call: Call, subscription: str, price: Json, quantity: int, ends: int) -> Json:
    plan = {
        "id": price["id"],
        "object": "plan",
        "active": True,
        "amount": price["unit_amount"],
        "amount_decimal": price["unit_amount_decimal"],
        "billing_scheme": "per_unit",
        "created": price["created"],
        "currency": price["currency"],
        "interval": price["recurring"]["interval"],
        "interval_count": price["recurring"]["interval_count"],
        "livemode": False,
        "metadata": {},
        "meter": None,
        "nickname": None,
        "product": price["product"],
        "tiers_mode": None,
        "transform_usage": None,
        "trial_period_days": None,
        "usage_type": "licensed",
    }
    return {
        "id": new_id("subscription_item"),
        "object": "subscription_item",
        "billing_thresholds": None,
        "created": call.now,
        "current_period_end": ends,
        "current_period_start": call.now,
        "discounts": [],
        "metadata": {},
        "plan": plan,
        "price": dict(price),
        "quantity": quantity,
        "subscription": subscription,
        "tax_rates": [],
    }


def _invoice(call: Call, subscription: Json, items: list[Json], ends: int) -> Json:
    """Create the first invoice, already paid."""
    total = sum(item["price"]["unit_amount"] * item["quantity"] for item in items)
    invoice_id = new_id("invoice")
    return call.new(
        "invoice",
        id=invoice_id,
        amount_due=total,
        amount_overpaid=0,
        amount_paid=total,
        amount_remaining=0,
        amount_shipping=0,
        attempt_count=1,
        attempted=True,
        auto_advance=False,
        automatic_tax={
            "disabled_reason": None,
            "enabled": False,
            "liability": None,
            "provider": None,
            "status": None,
        },
        billing_reason="subscription_create",
        collection_method="charge_automatically",
        currency=subscription["currency"],
        customer=subscription["customer"],
        default_tax_rates=[],
        discounts=[],
        issuer={"type": "self"},
        lines=list_object(
            f"/v1/invoices/{invoice_id}/lines",
            [_invoice_line(invoice_id, subscription, item, ends) for item in items],
        ),
        metadata={},
        number=f"{random_text(8).upper()}-0001",
        parent={
            "quote_details": None,
            "subscription_details": {"metadata": {}, "subscription": subscription["id"]},
            "type": "subscription_details",
        },
        payment_settings={
            "default_mandate": None,
            "payment_method_options": None,
            "payment_method_types": None,
        },
        period_end=call.now,
        period_start=call.now,
        post_payment_credit_notes_amount=0,
        pre_payment_credit_notes_amount=0,
        starting_balance=0,
        status="paid",
        status_transitions={
            "finalized_at": call.now,
            "marked_uncollectible_at": None,
            "paid_at": call.now,
            "voided_at": None,
        },
        subtotal=total,
        total=total,
    )


def _invoice_line(invoice_id: str, subscription: Json, item: Json, ends: int) -> Json:
    amount = item["price"]["unit_amount"] * item["quantity"]
    return {
        "id": new_id("line_item"),
        "object": "line_item",
        "amount": amount,
        "currency": subscription["currency"],
        "description": None,
        "discount_amounts": [],
        "discountable": True,
        "discounts": [],
        "invoice": invoice_id,
        "livemode": False,
        "metadata": {},
        "parent": {
            "invoice_item_details": None,
            "subscription_item_details": {
                "invoice_item": None,
                "proration": False,
                "proration_details": {"credited_items": None},
                "subscription": subscription["id"],
                "subscription_item": item["id"],
            },
            "type": "subscription_item_details",
        },
        "period": {"end": ends, "start": item["current_period_start"]},
        "pretax_credit_amounts": [],
        "pricing": {
            "price_details": {"price": item["price"]["id"], "product": item["price"]["product"]},
            "type": "price_details",
            "unit_amount_decimal": item["price"]["unit_amount_decimal"],
        },
        "quantity": item["quantity"],
        "subscription": subscription["id"],
        "subtotal": amount,
        "taxes": [],
    }


@endpoint("POST", "/v1/subscriptions/{id}", "SubscriptionModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    subscription = call.get("subscription", id)
    changes: Json = {}
    if "cancel_at_period_end" in params:
        ends = subscription["items"]["data"][0]["current_period_end"]
        stop = params["cancel_at_period_end"]
        changes = {"cancel_at_period_end": stop, "cancel_at": ends if stop else None}
    if "default_payment_method" in params:
        method = call.get("payment_method", params["default_payment_method"])
        changes["default_payment_method"] = method["id"]
    metadata = merge_metadata(subscription["metadata"], params.get("metadata"))
    call.update(subscription, metadata=metadata, **changes)
    call.emit("customer.subscription.updated", subscription)
    return subscription


@endpoint("DELETE", "/v1/subscriptions/{id}", "SubscriptionCancelParams")
def cancel(call: Call, params: Json, id: str) -> Json:
    subscription = call.get("subscription", id)
    if subscription["status"] == "canceled":
        raise invalid_request(f"No such subscription: '{id}'", code="resource_missing")
    call.update(subscription, status="canceled", canceled_at=call.now, ended_at=call.now)
    call.emit("customer.subscription.deleted", subscription)
    return subscription


@endpoint("GET", "/v1/subscription_items", "SubscriptionItemListParams")
def list_items(call: Call, params: Json) -> Json:
    items: Json = call.get("subscription", params["subscription"], "subscription")["items"]
    return items


@endpoint("POST", "/v1/billing_portal/sessions", "billing_portal.SessionCreateParams")
def create_portal(call: Call, params: Json) -> Json:
    customer = call.get("customer", params.get("customer"), "customer")
    portal = call.new(
        "billing_portal.session",
        configuration="bpc_local",
        customer=customer["id"],
        return_url=params.get("return_url"),
    )
    call.update(portal, url=f"{call.base_url}/p/session/{portal['id']}")
    return portal


_by_status = listing("subscription", "/v1/subscriptions", links=("customer",), fields=("status",))


@endpoint("GET", "/v1/subscriptions", "SubscriptionListParams")
def list_subscriptions(call: Call, params: Json) -> Json:
    """List subscriptions. The filter ``all`` is not a status; it includes canceled ones."""
    if params.get("status") == "all":
        params = {name: value for name, value in params.items() if name != "status"}
    return _by_status(call, params)


endpoint("GET", "/v1/subscriptions/{id}", "SubscriptionRetrieveParams")(retrieval("subscription"))
endpoint("GET", "/v1/invoices", "InvoiceListParams")(
    listing("invoice", "/v1/invoices", links=("customer",), fields=("status",))
)
endpoint("GET", "/v1/invoices/{id}", "InvoiceRetrieveParams")(retrieval("invoice"))
