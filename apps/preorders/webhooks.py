"""Receivers of Stripe events: each queues a task that reads the object again from Stripe."""

from typing import Any

from djstripe.event_handlers import djstripe_receiver
from djstripe.models import Event

from apps.billing.deliveries import record_event
from apps.common import clock
from apps.common.background import after_commit
from apps.preorders import tasks
from apps.preorders.core.cart_items import AUTHENTICATION_REQUIRED
from apps.preorders.settlement.payments import is_news

INTENT_EVENTS = [
    "payment_intent.amount_capturable_updated",
    "payment_intent.requires_action",
    "payment_intent.payment_failed",
    "payment_intent.succeeded",
    "payment_intent.canceled",
]
# Events that end an intent; the first stores the intent's id in ProcessedEvent (DECISIONS X62).
TERMINAL_EVENTS = frozenset({"payment_intent.succeeded", "payment_intent.canceled"})
# Also for refunds made in the Stripe dashboard; the object names its intent.
REFUND_EVENTS = ["refund.created", "refund.updated", "refund.failed"]
DISPUTE_EVENTS = [
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
]
FRAUD_WARNING_EVENTS = [
    "radar.early_fraud_warning.created",
    "radar.early_fraud_warning.updated",
]
# The guest entered a cart's card; the object names the cart.
SETUP_EVENTS = ["setup_intent.succeeded"]
# A card was declined, on Stripe's page or in the cart.
DECLINED_EVENTS = ["payment_intent.payment_failed", "setup_intent.setup_failed"]
CHECKOUT_EVENTS = ["checkout.session.completed", "checkout.session.expired"]


@djstripe_receiver(INTENT_EVENTS)
def intent_changed(sender: type[Event], event: Event, **_: Any) -> None:
    intent_id = event.data["object"]["id"]
    terminal = event.type in TERMINAL_EVENTS
    now = clock.now()
    record_event(
        event_id=event.id,
        event_type=event.type,
        now=now,
        payment_intent_id=intent_id if terminal else None,
    )
    if is_news(intent_id, event.type, now=now):
        after_commit(tasks.apply_payment_intent_task, intent_id)


@djstripe_receiver(REFUND_EVENTS)
def refund_changed(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    if intent_id := event.data["object"].get("payment_intent"):
        after_commit(tasks.apply_refunds_task, intent_id)


@djstripe_receiver(DISPUTE_EVENTS)
def dispute_changed(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.apply_dispute_task, event.data["object"]["id"])


@djstripe_receiver(FRAUD_WARNING_EVENTS)
def fraud_warning_changed(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.apply_fraud_warning_task, event.data["object"]["id"])


@djstripe_receiver(CHECKOUT_EVENTS)
def checkout_changed(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    order_id = (event.data["object"].get("metadata") or {}).get("pre_order_id")
    if order_id:
        after_commit(tasks.finish_checkout_task, order_id)


@djstripe_receiver(SETUP_EVENTS)
def card_entered(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    cart_id = (event.data["object"].get("metadata") or {}).get("cart_id")
    if cart_id:
        after_commit(tasks.authorize_cart_task, cart_id)


@djstripe_receiver(DECLINED_EVENTS)
def card_declined(sender: type[Event], event: Event, **_: Any) -> None:
    record_event(event_id=event.id, event_type=event.type, now=clock.now())
    failed = event.data["object"]
    # A bank that only asks for the guest's confirmation hasn't declined a card: a cart's hold that
    # we asked for without the guest, once for each item. https://docs.stripe.com/declines/codes
    if (failed.get("last_payment_error") or {}).get("code") == AUTHENTICATION_REQUIRED:
        return
    named = failed.get("metadata") or {}
    after_commit(
        tasks.count_declined_card_task,
        event.id,
        named.get("pre_order_id") or "",
        named.get("cart_id") or "",
    )
