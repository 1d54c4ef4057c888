"""The single entry point for payment updates: `apply_payment_intent` (design §3).

Webhooks, the return page, workers, and the reconciler call it with an intent's id. It reads the
intent from Stripe and only moves the order forward, so lost, duplicate, or reordered messages don't
matter.
"""

import logging
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentSnapshot, IntentStatus, Refused
from apps.common import rls
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.checkout.endings import end_checkout
from apps.preorders.core import jobs
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.email_queue import queue_email, queue_emails_again
from apps.preorders.core.friends import tell_starter
from apps.preorders.core.locks import lock_order
from apps.preorders.core.notices import notify_owners
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import can_replace_authorization, make_requested_change
from apps.preorders.core.reservations import reserve_again
from apps.preorders.core.selectors import was_replaced
from apps.preorders.core.transitions import (
    drop_renewals,
    finish_operations,
    request_operation,
    set_order_status,
    set_payment_status,
)
from apps.preorders.core.webhook_events import publish_order_placed
from apps.preorders.models import SETTLEMENT_KINDS, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    CHECKOUT_STATUSES,
    EmailKind,
    NoticeKind,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.capture import ledger_ref, record_charge
from apps.preorders.settlement.operations import one_time_key
from apps.preorders.settlement.refund_records import record_refunds

logger = logging.getLogger(__name__)


class IntentRole(Enum):
    """How an intent relates to the order named in its metadata."""

    CURRENT = "the order's own"
    STRAY = "holds money but isn't the order's own: release or refund it"
    IGNORED = "irrelevant"


def apply_payment_intent(intent_id: str, *, now: datetime) -> PreOrder | None:
    """Read the intent from Stripe and update its order; None if it belongs to no order.

    It acts as the platform only to find the order. Raises GatewayError if Stripe can't be read;
    calling it again later is safe.
    """
    return sync_intent(gateway.retrieve_intent(intent_id), now=now)


# What an event can tell about an order's own intent, and the statuses in which that is recorded.
_HELD_OR_LATER = set(PaymentStatus) - CHECKOUT_STATUSES
_RECORDED: dict[str, set[PaymentStatus]] = {
    "payment_intent.amount_capturable_updated": _HELD_OR_LATER,
    "payment_intent.succeeded": {PaymentStatus.CAPTURED, PaymentStatus.REFUNDED},
    "payment_intent.canceled": {PaymentStatus.RELEASED},
}

_ENDS_OPERATION = frozenset({"payment_intent.succeeded", "payment_intent.canceled"})


def is_news(intent_id: str, event_type: str, *, now: datetime) -> bool:
    """Whether reading the intent again after this event could change anything.

    It can't if its order has recorded what the event tells, or if a worker is about to: it has the
    lease of the capture or release that caused the event. If that worker dies, the lease ends and
    the next one reads the intent. So a thousand captures aren't read a thousand times more, at
    Stripe's 25 reads a second.
    """
    orders = PreOrder.objects.filter(payment_intent_id=intent_id)
    if orders.filter(payment_status__in=_RECORDED.get(event_type, ())).exists():
        return False
    leased = PaymentOperation.objects.filter(
        pre_order__in=orders,
        kind__in=SETTLEMENT_KINDS,
        state=OperationStatus.PENDING,
        stage=OperationStage.HOLD,
        due_at__gt=now,
    )
    return event_type not in _ENDS_OPERATION or not leased.exists()


def apply_refunds(intent_id: str, *, now: datetime) -> PreOrder | None:
    """`apply_payment_intent` for news about a refund: reads all refunds of the intent too."""
    return sync_intent(gateway.retrieve_with_refunds(intent_id), now=now)


def sync_intent(
    hold: IntentSnapshot, *, now: datetime, known: PreOrder | None = None
) -> PreOrder | None:
    """Update the order named by `hold`, which was just read from Stripe.

    `known`: the already loaded order with its offer, to save a query.

    An intent that holds money for an order but isn't its own is released or refunded right away: it
    comes from a checkout page or an attempt that was superseded.
    """
    offer: SpecialOffer | None
    if known is not None and str(known.pk) == hold.pre_order_id:
        offer = known.offer
    else:
        known = _find_order(hold)
        # A decided offer isn't read again under a lock, so it is read whole then.
        offer = known.offer if known and known.offer.status not in DECIDED else None
    if known is None:
        logger.info("intent %s belongs to no order here", hold.intent_id)
        return None
    if hold.refunded.cents and hold.refunds is None:
        hold = gateway.retrieve_with_refunds(hold.intent_id)
    with rls.acting_as(known.restaurant_id):
        with transaction.atomic():
            order = lock_order(known.pk, read=offer)
            role = _role_of(order, hold, now)
            if role is IntentRole.CURRENT:
                _update_order(order, hold, now)
                recount(order.offer, now=now)
        if role is IntentRole.STRAY:
            _return_stray(hold)
        return order


def refresh_order(order: PreOrder, *, now: datetime) -> None:
    """Update an order in checkout, in the database, when the guest returns from Stripe.

    Raises GatewayError if Stripe can't be read.
    """
    if order.payment_status not in CHECKOUT_STATUSES:
        return
    intent_id = order.payment_intent_id if order.cart_id else None
    if intent_id is None and order.checkout_session_id:
        intent_id = gateway.retrieve_checkout(order.checkout_session_id).intent_id
    if intent_id:
        apply_payment_intent(intent_id, now=now)


def is_late(order: PreOrder, authorized_at: datetime) -> bool:
    """Whether a hold came too late to count (DECISIONS X22, design §3).

    All orders are created before the deadline and have GRACE to finish. Stripe's clock counts, not
    the time we heard of it. After the decision or a cancellation, a hold is always late.
    """
    return (
        authorized_at > order.offer.deadline + CHECKOUT_GRACE
        or order.offer.status in DECIDED
        or order.offer.status == OfferStatus.DELETED
        or order.status == PreOrderStatus.CANCELLED
    )


def _find_order(hold: IntentSnapshot) -> PreOrder | None:
    """The order named in the intent's metadata, of any restaurant."""
    try:
        order_id = UUID(hold.pre_order_id or "")
    except ValueError:
        return None
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.select_related("offer").only("restaurant_id", "offer__status")
        return orders.filter(pk=order_id).first()


def _role_of(order: PreOrder, hold: IntentSnapshot, now: datetime) -> IntentRole:
    if (
        order.payment_intent_id is None
        and order.authorized_at is not None
        and was_replaced(order, hold.intent_id)
    ):
        # An outdated event of a hold that was released to make room for a new one (decision 50).
        held = hold.state in (IntentStatus.HELD, IntentStatus.CAPTURED)
        return IntentRole.STRAY if held else IntentRole.IGNORED
    if order.payment_intent_id in (None, hold.intent_id):
        return IntentRole.CURRENT
    if hold.state not in (IntentStatus.HELD, IntentStatus.CAPTURED):
        return IntentRole.IGNORED
    # Another intent replaces the order's own only if an operation requested one.
    awaited = PaymentOperation.objects.filter(pre_order=order, state=OperationStatus.PENDING)
    if hold.state == IntentStatus.CAPTURED:
        awaited = awaited.filter(
            kind=OperationKind.CAPTURE,
            stage__in=[OperationStage.RETRY, OperationStage.PAY_LINK],
        )
    elif order.payment_status in CHECKOUT_STATUSES:
        # A cart item: an earlier attempt was declined or failed.
        awaited = awaited.filter(kind=OperationKind.AUTHORIZE)
    elif order.payment_status == PaymentStatus.AUTHORIZED:
        awaited = awaited.filter(kind=OperationKind.RENEW).exclude(stage=OperationStage.CLEAN_UP)
    else:
        awaited = awaited.none()
    operation = awaited.first()
    renews = operation is not None and operation.kind == OperationKind.RENEW
    if operation is not None and renews and not can_replace_authorization(operation, order, hold):
        operation = None
    if operation is None:
        if hold.state is IntentStatus.CAPTURED and hold.refunded >= hold.captured:
            return IntentRole.IGNORED
        return IntentRole.STRAY
    if operation.kind == OperationKind.RENEW:
        # The operation's last stage releases the old hold.
        PaymentOperation.objects.filter(pk=operation.pk).update(
            stage=OperationStage.CLEAN_UP, reference=order.payment_intent_id or "", due_at=now
        )
        jobs.enqueue_operation(operation.pk)
        make_requested_change(order, operation, now=now)
        adopt(order, hold)
        ledger.record_authorization(ledger_ref(order), hold.amount, now=hold.authorized_at)  # type: ignore[arg-type]
        return IntentRole.CURRENT
    adopt(order, hold)
    return IntentRole.CURRENT


def adopt(order: PreOrder, hold: IntentSnapshot) -> None:
    """Make this intent the order's own, and store what a later charge of its card needs."""
    if changed := _adopted_columns(order, hold):
        PreOrder.objects.filter(pk=order.pk).update(**changed)


def _adopted_columns(order: PreOrder, hold: IntentSnapshot) -> dict[str, Any]:
    """What `adopt` changes; `order` has it already, its row not yet."""
    columns: dict[str, Any] = {
        "payment_intent_id": hold.intent_id,
        "payment_customer_id": hold.customer_id or order.payment_customer_id,
        "payment_method_id": hold.payment_method_id or order.payment_method_id,
    }
    if hold.state in (IntentStatus.HELD, IntentStatus.CAPTURED):
        # A charge that was tried again has an intent of its own, which the guest never held.
        is_charge = hold.state is IntentStatus.CAPTURED and order.authorized_at is not None
        columns |= {
            "authorized_at": order.authorized_at
            if is_charge
            else hold.authorized_at or order.authorized_at,
            "capture_before": hold.capture_before or order.capture_before,
            "statement_name": hold.statement_name[:40] or order.statement_name,
        }
        # Later news of the same hold doesn't bring back what an erasure removed.
        if order.authorized_at is None or order.payment_intent_id != hold.intent_id:
            columns |= {"card_brand": hold.card_brand[:20], "card_digits": hold.card_digits[:4]}
    changed = {name: new for name, new in columns.items() if getattr(order, name) != new}
    for name, value in changed.items():
        setattr(order, name, value)
    return changed


def _update_order(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    if hold.state is IntentStatus.HELD and _is_awaited(order):
        # One statement writes the intent's columns and the status.
        _on_held(order, hold, now, adopted=_adopted_columns(order, hold))
        return
    adopt(order, hold)
    match hold.state:
        case IntentStatus.OPEN:
            if order.payment_status == PaymentStatus.REQUIRES_ACTION:
                set_payment_status(order, PaymentStatus.UNPAID, now=now, cause=Cause(hold.reason))
        case IntentStatus.NEEDS_ACTION:
            if order.payment_status == PaymentStatus.UNPAID:
                set_payment_status(order, PaymentStatus.REQUIRES_ACTION, now=now)
        case IntentStatus.CAPTURED:
            _on_captured(order, hold, now)
        case IntentStatus.DEAD:
            _on_dead(order, hold, now)


def _is_awaited(order: PreOrder) -> bool:
    """Whether a hold makes it an order: without the guest's name it isn't one yet, and counts once
    that is known (DECISIONS X24)."""
    is_nameless = not order.customer_name and order.status == PreOrderStatus.PENDING
    return order.payment_status in CHECKOUT_STATUSES and not is_nameless


def _on_held(
    order: PreOrder, hold: IntentSnapshot, now: datetime, *, adopted: dict[str, Any]
) -> None:
    """`adopted`: columns that `order` has and its row not yet."""
    late = is_late(order, hold.authorized_at or now)
    sold_out = not late and not reserve_again(order, now=now)
    ledger.record_authorization(ledger_ref(order), hold.amount, now=now)
    if order.consented_at is None:
        adopted = {**adopted, "consented_at": hold.authorized_at or now}
    set_payment_status(order, PaymentStatus.AUTHORIZED, now=now, **adopted)
    if order.cart_id:  # only a cart's items are authorized by an operation
        finish_operations([order], {OperationKind.AUTHORIZE}, OperationStatus.DONE, now=now)
    if sold_out:
        # The reservation had lapsed and others have the portions (decision 51).
        gone = Cause(ReasonCode.SOLD_OUT)
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=gone)
        request_operation(order, OperationKind.RELEASE, now=now, cause=gone)
        return
    if late:
        request_operation(order, OperationKind.RELEASE, now=now)
        return
    queue_email(order, EmailKind.RECEIVED, now=now)
    tell_starter(order, now=now)
    if order.offer.ordered_portions <= order.offer.restaurant_portions:
        notify_owners(NoticeKind.FIRST_ORDER, order.offer, now=now)
    publish_order_placed(order, now=now)
    if changes_since_ordered(order):
        queue_emails_again([order], EmailKind.DISH_CHANGED, now=now)
    if order.offer.status == OfferStatus.CLOSING:
        jobs.enqueue_closing(order.offer_id)


def _on_captured(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    if order.payment_status not in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED):
        record_charge([(order, hold)], now=now)
    record_refunds(order, hold, now=now)


def _on_dead(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    operation = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if order.payment_status in CHECKOUT_STATUSES:
        # The checkout ended without a hold, so there is nothing to release.
        if order.payment_status == PaymentStatus.REQUIRES_ACTION:
            set_payment_status(order, PaymentStatus.UNPAID, now=now, cause=Cause(hold.reason))
        if order.status == PreOrderStatus.PENDING:
            end_checkout(order, now=now, cause=Cause(ReasonCode.CHECKOUT_EXPIRED))
    elif order.payment_status == PaymentStatus.AUTHORIZED:
        if operation and operation.kind == OperationKind.CAPTURE:
            # The worker continues with the off-session retry (design §3).
            set_payment_status(
                order, PaymentStatus.CAPTURE_FAILED, now=now, cause=Cause(hold.reason)
            )
            return
        ledger.record_release(ledger_ref(order), hold.amount, now=now)
        end_released(order, now=now, cause=Cause(hold.reason))
    finish_operations([order], {OperationKind.RELEASE}, OperationStatus.DONE, now=now)


def end_released(
    order: PreOrder,
    *,
    now: datetime,
    cause: Cause,
    email_kind: EmailKind = EmailKind.RELEASED,
) -> None:
    """End an order whose hold was released and recorded in the ledger, and email the guest."""
    orders = PreOrder.objects.filter(pk=order.pk)
    drop_renewals(orders, now=now, why="the order has ended")
    set_payment_status(
        order, PaymentStatus.RELEASED, now=now, cause=cause, payment_processed_at=now
    )
    if order.status == PreOrderStatus.PENDING:
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=cause)
    if not Email.objects.filter(pre_order=order, kind=EmailKind.CANCELLED).exists():
        queue_email(order, email_kind, now=now)


def _return_stray(hold: IntentSnapshot) -> None:
    logger.warning("intent %s is not its order's own: releasing or refunding it", hold.intent_id)
    try:
        if hold.state == IntentStatus.HELD:
            gateway.release(hold.intent_id, key=one_time_key("stray-release"))
            return
        totals = (hold if hold.refunds else gateway.retrieve_with_refunds(hold.intent_id)).refunds
        # A refund that failed isn't tried again: the card refuses the next one too.
        left = hold.captured - (totals.total() if totals else Money(0))
        if left.cents > 0:
            gateway.refund(
                hold.intent_id,
                amount=left,
                with_fee=bool(hold.fee.cents),
                key=one_time_key("stray-refund"),
            )
    except Refused as error:
        logger.info("intent %s was already released or refunded: %s", hold.intent_id, error)
