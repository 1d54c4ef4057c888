"""Invoices of subscriptions, and ones of their own: drafts, their payment, and its retries.

A draft is finalized after an hour, and then paid with the subscription's card:
https://docs.stripe.com/invoicing/integration/workflow-transitions
A declined payment is tried again on days that Stripe chooses; here after 3, 5, and 7 more days:
https://docs.stripe.com/billing/revenue-recovery/smart-retries
"""

from typing import Any

from .. import contract
from ..errors import StripeError, invalid_request
from ..ids import new_id, random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import intent_confirmation, payment_intents, payment_methods, subscriptions
from .listing import listing, retrieval

_DAY = 86_400
_DRAFT_SECONDS = 3600
_RETRY_DAYS = (3, 5, 7)


def new(
    call: Call, subscription: Json, reason: str, *, is_paid: bool = False, is_free: bool = False
) -> Json:
    """Create the invoice of the current period: paid, or a draft that is finalized in an hour."""
    invoice = _new(
        call,
        auto_advance=not is_paid,
        billing_reason=reason,
        currency=subscription["currency"],
        customer=subscription["customer"],
        parent={
            "quote_details": None,
            "subscription_details": {"metadata": {}, "subscription": subscription["id"]},
            "type": "subscription_details",
        },
    )
    items = [] if is_free else subscription["items"]["data"]
    _add(call, invoice, [_line(invoice["id"], subscription, item) for item in items])
    if is_paid:
        call.update(invoice, number=_number(), status="paid", attempted=True, attempt_count=1)
        call.update(invoice, amount_paid=invoice["total"], amount_remaining=0)
        _note(call, invoice, "finalized_at")
        _note(call, invoice, "paid_at")
    else:
        call.schedule(invoice, call.now + _DRAFT_SECONDS)
    return invoice


def _new(call: Call, **fields: Any) -> Json:
    """An empty draft."""
    invoice_id = new_id("invoice")
    return call.new(
        "invoice",
        id=invoice_id,
        amount_due=0,
        amount_overpaid=0,
        amount_paid=0,
        amount_remaining=0,
        amount_shipping=0,
        attempt_count=0,
        attempted=False,
        automatic_tax={
            "disabled_reason": None,
            "enabled": False,
            "liability": None,
            "provider": None,
            "status": None,
        },
        collection_method="charge_automatically",
        default_tax_rates=[],
        discounts=[],
        issuer={"type": "self"},
        lines=list_object(f"/v1/invoices/{invoice_id}/lines", []),
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
        status="draft",
        status_transitions=dict.fromkeys(
            ("finalized_at", "marked_uncollectible_at", "paid_at", "voided_at")
        ),
        subtotal=0,
        total=0,
        **{"metadata": {}, **fields},
    )


def _add(call: Call, invoice: Json, lines: list[Json]) -> None:
    every = [*invoice["lines"]["data"], *lines]
    total = sum(line["amount"] for line in every)
    call.update(
        invoice,
        lines=list_object(f"/v1/invoices/{invoice['id']}/lines", every),
        **dict.fromkeys(("amount_due", "amount_remaining", "subtotal", "total"), total),
    )


def _number() -> str:
    return f"{random_text(8).upper()}-0001"


def _note(call: Call, invoice: Json, transition: str) -> None:
    transitions = {**invoice["status_transitions"], transition: call.now}
    call.update(invoice, status_transitions=transitions)


def _line(invoice_id: str, subscription: Json, item: Json) -> Json:
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
        "period": {"end": item["current_period_end"], "start": item["current_period_start"]},
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


def advance(call: Call, invoice: Json) -> None:
    """What is due: finalizing a draft, and paying what is open."""
    if invoice["status"] == "draft":
        finalize(call, invoice)
    if invoice["status"] == "open":
        collect(call, invoice)


def finalize(call: Call, invoice: Json) -> None:
    call.update(
        invoice,
        status="open",
        number=_number(),
        hosted_invoice_url=f"{call.base_url}/i/{invoice['id']}",
    )
    _note(call, invoice, "finalized_at")
    call.emit("invoice.finalized", invoice)


def collect(call: Call, invoice: Json, method_id: str | None = None) -> StripeError | None:
    """Pay with this card or the subscription's. Returns why it was declined, if it was."""
    subscription_id = subscription_of(invoice)
    customer = call.get("customer", invoice["customer"])
    chosen = method_id
    if subscription_id and not chosen:
        chosen = call.get("subscription", subscription_id)["default_payment_method"]
    chosen = chosen or customer["invoice_settings"]["default_payment_method"]
    declined = _pay(call, invoice, chosen)
    count = invoice["attempt_count"] + 1
    if declined is None:
        call.update(invoice, attempted=True, attempt_count=count, next_payment_attempt=None)
        _credit(call, invoice, invoice["amount_remaining"])
        if subscription_id:
            subscriptions.note_payment(call, subscription_id, paid=True)
        return None
    is_retried = invoice["auto_advance"] and count <= len(_RETRY_DAYS)
    again = call.now + _RETRY_DAYS[count - 1] * _DAY if is_retried else None
    call.update(invoice, attempted=True, attempt_count=count, next_payment_attempt=again)
    call.schedule(invoice, again)
    if declined.code == "authentication_required":
        call.emit("invoice.payment_action_required", invoice)
    call.emit("invoice.payment_failed", invoice)
    if subscription_id:
        subscriptions.note_payment(call, subscription_id, paid=False, is_last=again is None)
    return declined


def _credit(call: Call, invoice: Json, cents: int) -> None:
    """Count a payment; the invoice is paid once nothing remains."""
    left = invoice["amount_remaining"] - cents
    call.update(invoice, amount_paid=invoice["amount_paid"] + cents, amount_remaining=left)
    if left:
        return
    call.update(invoice, status="paid", auto_advance=False)
    _note(call, invoice, "paid_at")
    call.schedule(invoice, None)
    for kind in ("invoice.paid", "invoice.payment_succeeded"):
        call.emit(kind, invoice)


def _pay(call: Call, invoice: Json, method_id: str | None) -> StripeError | None:
    intent = payment_intents.new(
        call,
        {
            "amount": invoice["amount_remaining"],
            "currency": invoice["currency"],
            "customer": invoice["customer"],
            "capture_method": "automatic",
            "description": "Subscription update",
        },
    )
    call.emit("payment_intent.created", intent)
    try:
        intent_confirmation.confirm(
            call, {"payment_method": method_id, "off_session": True}, intent["id"]
        )
    except StripeError as declined:
        return declined
    return None


def stop_collecting(call: Call, invoice: Json) -> None:
    if invoice["status"] in ("draft", "open"):
        call.update(invoice, auto_advance=False, next_payment_attempt=None)
        call.schedule(invoice, None)


def subscription_of(invoice: Json) -> str | None:
    parent = invoice["parent"]
    return str(parent["subscription_details"]["subscription"]) if parent else None


@endpoint("POST", "/v1/invoices/{id}/pay", "InvoicePayParams")
def pay(call: Call, params: Json, id: str) -> Json:
    invoice = call.get("invoice", id)
    if invoice["status"] != "open":
        raise invalid_request(f"Invoice is {invoice['status']}, so it cannot be paid.")
    method = params.get("payment_method")
    if method:
        method = payment_methods.resolve(call, method)["id"]
    declined = collect(call, invoice, method)
    if declined is not None:
        raise declined
    return invoice


@endpoint("POST", "/v1/invoices/{id}/finalize", "InvoiceFinalizeInvoiceParams")
def finalize_now(call: Call, params: Json, id: str) -> Json:
    invoice = call.get("invoice", id)
    if invoice["status"] != "draft":
        raise invalid_request("This invoice is already finalized.")
    call.update(invoice, auto_advance=params.get("auto_advance", invoice["auto_advance"]))
    finalize(call, invoice)
    if invoice["auto_advance"]:
        call.schedule(invoice, call.now)
    return invoice


@endpoint("POST", "/v1/invoices", "InvoiceCreateParams")
def create(call: Call, params: Json) -> Json:
    """A draft of its own; its lines come by `/v1/invoiceitems`."""
    customer = call.get("customer", params.get("customer"), "customer")
    invoice = _new(
        call,
        auto_advance=params.get("auto_advance", False),
        billing_reason="manual",
        currency=params.get("currency", "usd").lower(),
        customer=customer["id"],
        description=params.get("description"),
        metadata=merge_metadata({}, params.get("metadata")),
    )
    if invoice["auto_advance"]:
        call.schedule(invoice, call.now + _DRAFT_SECONDS)
    call.emit("invoice.created", invoice)
    return invoice


@endpoint("POST", "/v1/invoiceitems", "InvoiceItemCreateParams")
def create_item(call: Call, params: Json) -> Json:
    """A line of a draft. Items that wait for an invoice aren't simulated."""
    invoice = call.get("invoice", params.get("invoice"), "invoice")
    if invoice["status"] != "draft":
        raise invalid_request("This invoice is already finalized.", param="invoice")
    if params.get("customer") != invoice["customer"]:
        raise invalid_request("The invoice belongs to another customer.", param="customer")
    item = dict(
        contract.blank("invoiceitem"),
        id=new_id("invoiceitem"),
        object="invoiceitem",
        livemode=False,
        amount=params["amount"],
        currency=invoice["currency"],
        customer=invoice["customer"],
        date=call.now,
        description=params.get("description"),
        discountable=True,
        discounts=[],
        invoice=invoice["id"],
        metadata=merge_metadata({}, params.get("metadata")),
        period=params.get("period") or {"start": call.now, "end": call.now},
        proration=False,
        quantity=1,
        quantity_decimal="1",
        tax_rates=[],
    )
    _add(call, invoice, [_own_line(item)])
    return item


def _own_line(item: Json) -> Json:
    shared = ("amount", "currency", "description", "discounts", "invoice", "period", "quantity")
    return {
        **{name: item[name] for name in shared},
        "id": new_id("line_item"),
        "object": "line_item",
        "discount_amounts": [],
        "discountable": True,
        "livemode": False,
        "metadata": {},
        "parent": {
            "invoice_item_details": {
                "invoice_item": item["id"],
                "proration": False,
                "proration_details": None,
                "subscription": None,
            },
            "subscription_item_details": None,
            "type": "invoice_item_details",
        },
        "pretax_credit_amounts": [],
        "pricing": None,
        "subscription": None,
        "subtotal": item["amount"],
        "taxes": [],
    }


@endpoint("POST", "/v1/invoices/{id}/attach_payment", "InvoiceAttachPaymentParams")
def attach_payment(call: Call, params: Json, id: str) -> Json:
    """Count a payment that was made for something else than this invoice's own payment intent.

    One that succeeded is credited at once; others aren't simulated.
    """
    invoice = call.get("invoice", id)
    if invoice["status"] != "open":
        raise invalid_request(f"Invoice is {invoice['status']}, so it cannot be paid.")
    intent = call.get("payment_intent", params.get("payment_intent"), "payment_intent")
    if (intent["customer"], intent["currency"]) != (invoice["customer"], invoice["currency"]):
        raise invalid_request("The payment has another customer or currency.")
    if intent["status"] != "succeeded":
        raise invalid_request("This local server attaches only payments that have succeeded.")
    private = call.private(intent)
    left = intent["amount_received"] - private.get("credited", 0)
    credited = min(left, invoice["amount_remaining"])
    private["credited"] = private.get("credited", 0) + credited
    call.update(intent)
    _credit(call, invoice, credited)
    return invoice


endpoint("GET", "/v1/invoices", "InvoiceListParams")(
    listing("invoice", "/v1/invoices", links=("customer",), fields=("status",))
)
endpoint("GET", "/v1/invoices/{id}", "InvoiceRetrieveParams")(retrieval("invoice"))
