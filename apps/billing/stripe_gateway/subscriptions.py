"""Subscriptions of restaurants to the platform, and Stripe's billing portal."""

from datetime import datetime
from typing import Any

import stripe

from apps.billing.gateway import BrowserIntent, Refused, SubscriptionSnapshot
from apps.billing.stripe_gateway.client import moment, our_errors, read
from apps.common.money import Money

PRODUCT_NAME = "Fully Booked subscription"
_EXPAND = ["latest_invoice"]


def create_first_payment(
    *, price: Money, currency: str, customer_id: str, sign_up_id: str, key: str
) -> BrowserIntent:
    """The first month's payment, for the browser to confirm. It saves the card for the next ones:
    https://docs.stripe.com/payments/save-during-payment"""
    with our_errors():
        intent = stripe.PaymentIntent.create(
            amount=price.cents,
            currency=currency,
            customer=customer_id,
            payment_method_types=["card"],
            setup_future_usage="off_session",
            description=PRODUCT_NAME,
            metadata={"sign_up_id": sign_up_id},
            idempotency_key=key,
        )
        return BrowserIntent(intent.id, intent.client_secret or "")


def create_subscription(
    *,
    customer_id: str,
    payment_method_id: str,
    price: Money,
    currency: str,
    renews_at: datetime,
    sign_up_id: str,
    key: str,
) -> SubscriptionSnapshot:
    """Subscribe a customer who has paid until `renews_at`; nothing is charged before.

    An anchor in the future without proration makes the time until then free. It must not be later
    than a month from now: https://docs.stripe.com/billing/subscriptions/billing-cycle
    """
    with our_errors():
        subscription = stripe.Subscription.create(
            customer=customer_id,
            items=[{"price": _price_id(price, currency)}],
            default_payment_method=payment_method_id,
            billing_cycle_anchor=int(renews_at.timestamp()),
            proration_behavior="none",
            metadata={"sign_up_id": sign_up_id},
            expand=_EXPAND,
            idempotency_key=key,
        )
        return _snapshot(subscription)


def find_subscription(*, customer_id: str, sign_up_id: str) -> SubscriptionSnapshot | None:
    """The subscription that an earlier call created for this sign-up, ended or not: Stripe knows a
    key for a day only (https://docs.stripe.com/api/idempotent_requests)."""
    with our_errors():
        page = stripe.Subscription.list(
            customer=customer_id, status="all", limit=100, expand=["data.latest_invoice"]
        )
        for subscription in page.auto_paging_iter():
            if read(subscription, "metadata", "sign_up_id") == sign_up_id:
                return _snapshot(subscription)
    return None


def create_paid_invoice(*, customer_id: str, currency: str, sign_up_id: str, key: str) -> str:
    """A draft for a month that is paid already; `finish_paid_invoice` fills it in. Its id."""
    with our_errors():
        invoice = stripe.Invoice.create(
            customer=customer_id,
            currency=currency,
            # Stripe neither finalizes it by itself nor charges the card for it:
            # https://docs.stripe.com/invoicing/integration/automatic-advancement-collection
            auto_advance=False,
            collection_method="charge_automatically",
            pending_invoice_items_behavior="exclude",
            metadata={"sign_up_id": sign_up_id},
            idempotency_key=key,
        )
        return invoice.id or ""


def finish_paid_invoice(
    invoice_id: str,
    *,
    payment_intent_id: str,
    customer_id: str,
    price: Money,
    currency: str,
    period: tuple[datetime, datetime],
    key: str,
) -> bool:
    """Do what is left to do until the payment has paid the invoice; returns whether it has.

    A payment that succeeded is credited when it is attached, which only an open invoice accepts:
    https://docs.stripe.com/api/invoices/attach_payment
    """
    begins, ends = (int(moment.timestamp()) for moment in period)
    with our_errors():
        invoice = stripe.Invoice.retrieve(invoice_id)
        if invoice.status == "draft":
            if not invoice.lines.data:
                stripe.InvoiceItem.create(
                    customer=customer_id,
                    invoice=invoice_id,
                    amount=price.cents,
                    currency=currency,
                    description=PRODUCT_NAME,
                    period={"start": begins, "end": ends},
                    idempotency_key=f"{key}:line",
                )
            # Neither this nor what follows can happen twice, so they need no key.
            invoice = stripe.Invoice.finalize_invoice(invoice_id, auto_advance=False)
        if invoice.status == "open":
            invoice = stripe.Invoice.attach_payment(invoice_id, payment_intent=payment_intent_id)
        return invoice.status == "paid"


def _price_id(price: Money, currency: str) -> str:
    """The monthly price of this amount, created on first use; its lookup key is unique:
    https://docs.stripe.com/products-prices/manage-prices#lookup-keys"""
    name = f"monthly-{price.cents}-{currency}"
    found = stripe.Price.list(lookup_keys=[name], active=True, limit=1).data
    if found:
        return found[0].id
    made = stripe.Price.create(
        currency=currency,
        unit_amount=price.cents,
        recurring={"interval": "month"},
        lookup_key=name,
        product_data={"name": PRODUCT_NAME},
        idempotency_key=f"price:{name}",
    )
    return made.id


def retrieve_subscription(subscription_id: str) -> SubscriptionSnapshot:
    with our_errors():
        return _snapshot(stripe.Subscription.retrieve(subscription_id, expand=_EXPAND))


def set_cancellation(subscription_id: str, *, at_period_end: bool) -> SubscriptionSnapshot:
    """Let it end with the paid period, or renew after all. Calling it twice changes nothing.

    A date to end at, which the dashboard and the portal can set, is apart from the period's end:
    https://docs.stripe.com/api/subscriptions/update
    """
    with our_errors():
        subscription = stripe.Subscription.modify(
            subscription_id, cancel_at_period_end=at_period_end, expand=_EXPAND
        )
        if not at_period_end and subscription.cancel_at:
            subscription = stripe.Subscription.modify(subscription_id, cancel_at="", expand=_EXPAND)
        return _snapshot(subscription)


def cancel_subscription(subscription_id: str) -> SubscriptionSnapshot:
    """End it now, without a refund. One that has ended is returned as it is: Stripe refuses to
    cancel it again, with a code that isn't documented."""
    try:
        with our_errors():
            stripe.Subscription.cancel(subscription_id)
    except Refused:
        found = retrieve_subscription(subscription_id)
        if found.ended_at is None:
            raise
        return found
    return retrieve_subscription(subscription_id)


def billing_portal_url(customer_id: str, *, return_url: str) -> str:
    """The URL of Stripe's billing portal for a customer, valid for a few minutes."""
    with our_errors():
        session = stripe.billing_portal.Session.create(customer=customer_id, return_url=return_url)
        return session.url


def _snapshot(subscription: Any) -> SubscriptionSnapshot:
    """The period is of the items: https://docs.stripe.com/changelog/basil/2025-03-31/
    deprecate-subscription-current-period-start-and-end"""
    items: Any = read(subscription["items"], "data") or []
    ends = [read(item, "current_period_end") for item in items]
    invoice = read(subscription, "latest_invoice")
    is_unpaid = read(invoice, "status") == "open"
    return SubscriptionSnapshot(
        subscription_id=read(subscription, "id"),
        status=read(subscription, "status"),
        period_end=moment(max(filter(None, ends), default=None)),
        # A date to cancel at counts as well; the portal can set either.
        cancels_at_period_end=bool(
            read(subscription, "cancel_at_period_end") or read(subscription, "cancel_at")
        ),
        ended_at=moment(read(subscription, "ended_at")),
        last_paid_at=moment(read(invoice, "status_transitions", "paid_at")),
        pay_url=(read(invoice, "hosted_invoice_url") or "") if is_unpaid else "",
    )
