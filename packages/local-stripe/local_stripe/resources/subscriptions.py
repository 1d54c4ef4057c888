"""Subscriptions, their renewal as the clock advances, and the billing portal."""

from calendar import monthrange
from datetime import UTC, datetime

from ..cards import behavior, decline_texts
from ..errors import card_error, invalid_request
from ..ids import new_id
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import invoices, payment_methods
from .listing import listing, retrieval

_DAY = 86_400
_SECONDS = {"day": _DAY, "week": 7 * _DAY}
_MONTHS = {"month": 1, "year": 12}


def after_interval(moment: int, recurring: Json, anchor: int | None = None) -> int:
    """The end of a period that begins at ``moment``. Months keep the anchor's day, or end with
    their last: https://docs.stripe.com/billing/subscriptions/billing-cycle"""
    interval, count = recurring["interval"], recurring["interval_count"]
    if interval in _SECONDS:
        return moment + int(_SECONDS[interval]) * int(count)
    begins = datetime.fromtimestamp(moment, UTC)
    day = datetime.fromtimestamp(anchor or moment, UTC).day
    year, month = divmod(begins.year * 12 + begins.month - 1 + _MONTHS[interval] * count, 12)
    last = monthrange(year, month + 1)[1]
    return int(begins.replace(year=year, month=month + 1, day=min(day, last)).timestamp())


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
    return _start(
        call,
        customer["id"],
        method,
        prices,
        params.get("metadata"),
        anchor=params.get("billing_cycle_anchor"),
        prorates=params.get("proration_behavior", "create_prorations") != "none",
    )


def begin(call: Call, session: Json, customer: str | None, method: Json) -> Json:
    """Start the subscription of a completed Checkout Session."""
    assert customer is not None  # sessions in subscription mode always create one
    lines = call.private(session)["line_items"]
    prices = [(line["price"], line["quantity"]) for line in lines if line["price"]]
    data = call.private(session)["subscription_data"]
    payment_methods.attach_to(call, method, customer, set_up=True)
    return _start(call, customer, method, prices, data.get("metadata"))


def _start(
    call: Call,
    customer: str,
    method: Json,
    prices: list[tuple[Json, int]],
    metadata: Json | None,
    *,
    anchor: int | None = None,
    prorates: bool = True,
) -> Json:
    """Start a subscription: with a paid invoice, or free until ``anchor``."""
    if not prices or any(price["recurring"] is None for price, _ in prices):
        raise invalid_request("Pass items with recurring prices.", param="items")
    recurring = prices[0][0]["recurring"]
    ends = after_interval(call.now, recurring)
    if anchor is not None:
        _check_anchor(call, anchor, ends, prorates=prorates)
        ends = anchor
    else:
        declined = behavior(payment_methods.number_of(call, method)).declines
        if declined:
            code, message = decline_texts(declined)
            raise card_error(message, code, decline_code=declined)
    subscription_id = new_id("subscription")
    items = [_item(call, subscription_id, price, quantity, ends) for price, quantity in prices]
    subscription = call.new(
        "subscription",
        id=subscription_id,
        automatic_tax={"enabled": False, "liability": None, "disabled_reason": None},
        billing_cycle_anchor=anchor or call.now,
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
    call.schedule(subscription, ends)
    if anchor is not None:
        if call.server.faults.does("anchored_start_has_invoice"):
            zero = invoices.new(
                call, subscription, "subscription_create", is_paid=True, is_free=True
            )
            call.update(subscription, latest_invoice=zero["id"])
        call.emit("customer.subscription.created", subscription)
        return subscription
    invoice = invoices.new(call, subscription, "subscription_create", is_paid=True)
    call.update(subscription, latest_invoice=invoice["id"])
    call.emit("customer.subscription.created", subscription)
    for kind in ("invoice.created", "invoice.finalized", "invoice.paid"):
        call.emit(kind, invoice)
    return subscription


def _check_anchor(call: Call, anchor: int, natural_end: int, *, prorates: bool) -> None:
    if prorates:
        raise invalid_request(
            "This local server doesn't prorate: pass `proration_behavior=none`.",
            param="proration_behavior",
        )
    if not call.now < anchor <= natural_end:
        raise invalid_request(
            "billing_cycle_anchor must be in the future, and not later than the next natural "
            f"billing date ({natural_end}).",
            param="billing_cycle_anchor",
        )


def renew(call: Call, subscription: Json) -> None:
    """What happens at the end of a period: the next one begins with a draft of its invoice, or the
    subscription ends."""
    if subscription["status"] == "canceled":
        call.schedule(subscription, None)
        return
    items = subscription["items"]["data"]
    begins = items[0]["current_period_end"]
    if subscription["cancel_at"] is not None and subscription["cancel_at"] <= begins:
        end(call, subscription)
        return
    for item in items:
        item["current_period_start"] = begins
        item["current_period_end"] = after_interval(
            begins, item["price"]["recurring"], subscription["billing_cycle_anchor"]
        )
    invoice = invoices.new(call, subscription, "subscription_cycle")
    call.update(subscription, latest_invoice=invoice["id"])
    call.schedule(subscription, items[0]["current_period_end"])
    call.emit("customer.subscription.updated", subscription)
    call.emit("invoice.created", invoice)


def end(call: Call, subscription: Json) -> None:
    """End it for good; what is unpaid isn't collected anymore."""
    call.update(subscription, status="canceled", canceled_at=call.now, ended_at=call.now)
    call.schedule(subscription, None)
    if subscription["latest_invoice"]:
        invoices.stop_collecting(call, call.get("invoice", subscription["latest_invoice"]))
    call.emit("customer.subscription.deleted", subscription)


def note_payment(call: Call, subscription_id: str, *, paid: bool, is_last: bool = False) -> None:
    """A renewal was paid or declined; ``is_last`` says that it isn't tried again."""
    subscription = call.get("subscription", subscription_id)
    if subscription["status"] == "canceled":
        return
    after = call.server.faults.after_retries
    if paid:
        call.update(subscription, status="active")
    elif is_last and after == "cancel":
        end(call, subscription)
        return
    else:
        call.update(subscription, status="unpaid" if is_last and after == "unpaid" else "past_due")
    call.emit("customer.subscription.updated", subscription)


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


@endpoint("POST", "/v1/subscriptions/{id}", "SubscriptionModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    subscription = call.get("subscription", id)
    if subscription["status"] == "canceled":
        raise invalid_request(
            "A canceled subscription can only update its cancellation_details and metadata."
        )
    changes: Json = {}
    ends = subscription["items"]["data"][0]["current_period_end"]
    if "cancel_at_period_end" in params:
        stop = params["cancel_at_period_end"]
        changes["cancel_at_period_end"] = stop
        if stop or subscription["cancel_at_period_end"]:  # a date of its own stays
            changes["cancel_at"] = ends if stop else None
    if "cancel_at" in params:
        changes["cancel_at"] = params["cancel_at"] or None
    if "cancel_at" in changes:
        changes["canceled_at"] = call.now if changes["cancel_at"] else None
        call.schedule(subscription, min(ends, changes["cancel_at"] or ends))
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
    end(call, subscription)
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
