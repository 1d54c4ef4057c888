"""Where every word about a payment ends: `apply_payment_intent` (design §3).

Webhook, return page, worker and reconciler call it with nothing but an id. It reads the intent
afresh and moves the order forward only, so duplicates, disorder and loss of messages do not matter.
"""

import logging
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentSnapshot, IntentStatus, Refused
from apps.common import rls
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core import jobs
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import can_replace_authorization, set_quantity
from apps.preorders.core.transitions import (
    drop_renewals,
    finish_operations,
    queue_email,
    request_operation,
    set_order_status,
    set_payment_status,
)
from apps.preorders.models import OrderEmail, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.capture import ledger_ref, record_charge, record_refunds

logger = logging.getLogger(__name__)

# How long a checkout begun before the deadline may take to finish (DECISIONS X22).
GRACE = timedelta(minutes=10)

CHECKOUT_PAYMENTS = frozenset({PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION})


class IntentRole(Enum):
    """What an intent is to the order its metadata names."""

    CURRENT = "the order's own"
    STRAY = "live, but not the order's own: to be given back"
    IGNORED = "of no consequence"


def apply_payment_intent(intent_id: str, *, now: datetime) -> PreOrder | None:
    """Read the intent at the processor and move its order forward. None when it is nobody's.

    Acts as the platform only to find the order. Raises GatewayError when the processor cannot be
    read; asking again later is safe.
    """
    return sync_intent(gateway.retrieve_intent(intent_id), now=now)


def sync_intent(
    hold: IntentSnapshot, *, now: datetime, known: PreOrder | None = None
) -> PreOrder | None:
    """Move the order to what `hold`, read from the processor a moment ago, shows.

    The order is the one the hold names; who has read it already, with its offer, hands it over as
    `known`.

    An intent that names an order but is not the order's own, and has money in it, is given back at
    once: it can only come from a page or a try that was overtaken.
    """
    if known is not None and str(known.pk) == hold.pre_order_id:
        offer = known.offer
    else:
        known, offer = _find_order(hold), None
    if known is None:
        logger.info("intent %s belongs to no order here", hold.intent_id)
        return None
    with rls.acting_as(known.restaurant_id):
        with transaction.atomic():
            order = lock_order(known.pk, read=offer)
            standing = _role_of(order, hold, now)
            if standing is IntentRole.CURRENT:
                _move(order, hold, now)
                recount(order.offer)
        if standing is IntentRole.STRAY:
            _release_stray(hold)
        return order


def refresh_order(order: PreOrder, *, now: datetime) -> PreOrder:
    """What the return page calls: see what became of the order's checkout, if it is still open.

    Raises GatewayError when the processor cannot be read.
    """
    if order.payment_status not in CHECKOUT_PAYMENTS:
        return order
    if order.cart_id and order.payment_intent_id:
        return apply_payment_intent(order.payment_intent_id, now=now) or order
    if not order.checkout_session_id:
        return order
    checkout = gateway.retrieve_checkout(order.checkout_session_id)
    if checkout.intent_id:
        return apply_payment_intent(checkout.intent_id, now=now) or order
    return order


def is_late(order: PreOrder, authorized_at: datetime) -> bool:
    """Whether a hold came too late to count (DECISIONS X22, design §3).

    Every order was begun before the deadline (the server refuses later ones) and has the grace to
    finish; what counts is the processor's clock, never when we heard of it. After the decision, or
    once the order was given up, a hold is late whatever its time.
    """
    return (
        authorized_at > order.offer.deadline + GRACE
        or order.offer.status in DECIDED
        or order.offer.status == OfferStatus.DELETED
        or order.status == PreOrderStatus.CANCELLED
    )


def _find_order(hold: IntentSnapshot) -> PreOrder | None:
    """The order that the intent's metadata names, whosever it is."""
    try:
        order_id = UUID(hold.pre_order_id or "")
    except ValueError:
        return None
    with rls.acting_as(rls.PLATFORM):
        return PreOrder.objects.only("restaurant_id").filter(pk=order_id).first()


def _role_of(order: PreOrder, hold: IntentSnapshot, now: datetime) -> IntentRole:
    if order.payment_intent_id in (None, hold.intent_id):
        return IntentRole.CURRENT
    if hold.state not in (IntentStatus.HELD, IntentStatus.CAPTURED):
        return IntentRole.IGNORED
    # Another intent takes the first one's place only where an operation asked for one.
    awaited = PaymentOperation.objects.filter(pre_order=order, state=OperationStatus.PENDING)
    if hold.state == IntentStatus.CAPTURED:
        awaited = awaited.filter(
            kind=OperationKind.CAPTURE,
            stage__in=[OperationStage.RETRY, OperationStage.PAY_LINK],
        )
    elif order.payment_status in CHECKOUT_PAYMENTS:
        # A line of a cart: an earlier try was refused, or is known to have failed.
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
        # The new hold is in place; the old one is given back by the operation's last step.
        PaymentOperation.objects.filter(pk=operation.pk).update(
            stage=OperationStage.CLEAN_UP, reference=order.payment_intent_id or "", due_at=now
        )
        jobs.enqueue_operation(operation.pk)
        if operation.quantity is not None:
            set_quantity(order, operation.quantity, now=now)
        adopt(order, hold)
        ledger.record_authorization(ledger_ref(order), hold.amount, now=hold.authorized_at)  # type: ignore[arg-type]
        return IntentRole.CURRENT
    adopt(order, hold)
    return IntentRole.CURRENT


def adopt(order: PreOrder, hold: IntentSnapshot) -> None:
    """Make this intent the order's own, with what is needed to charge its card again."""
    columns: dict[str, object] = {
        "payment_intent_id": hold.intent_id,
        "payment_customer_id": hold.customer_id or order.payment_customer_id,
        "payment_method_id": hold.payment_method_id or order.payment_method_id,
    }
    if hold.state in (IntentStatus.HELD, IntentStatus.CAPTURED):
        columns |= {
            "authorized_at": hold.authorized_at or order.authorized_at,
            "capture_before": hold.capture_before or order.capture_before,
        }
    if any(getattr(order, name) != value for name, value in columns.items()):
        PreOrder.objects.filter(pk=order.pk).update(**columns)
        for name, value in columns.items():
            setattr(order, name, value)


def _move(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    adopt(order, hold)
    match hold.state:
        case IntentStatus.OPEN:
            if order.payment_status == PaymentStatus.REQUIRES_ACTION:
                set_payment_status(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        case IntentStatus.NEEDS_ACTION:
            if order.payment_status == PaymentStatus.UNPAID:
                set_payment_status(order, PaymentStatus.REQUIRES_ACTION, now=now)
        case IntentStatus.HELD:
            _authorized(order, hold, now)
        case IntentStatus.CAPTURED:
            _captured(order, hold, now)
        case IntentStatus.DEAD:
            _ended(order, hold, now)


def _authorized(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    if order.payment_status not in CHECKOUT_PAYMENTS:
        return
    if not order.customer_name and order.status == PreOrderStatus.PENDING:
        # Nobody's order yet: it counts once its diner is known (DECISIONS X24).
        return
    ledger.record_authorization(ledger_ref(order), hold.amount, now=now)
    set_payment_status(order, PaymentStatus.AUTHORIZED, now=now)
    finish_operations([order], {OperationKind.AUTHORIZE}, OperationStatus.DONE, now=now)
    if is_late(order, hold.authorized_at or now):
        request_operation(order, OperationKind.RELEASE, now=now)
        return
    queue_email(order, EmailKind.RECEIVED, now=now)
    if order.offer.status == OfferStatus.CLOSING:
        jobs.enqueue_closing(order.offer_id)


def _captured(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    if order.payment_status not in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED):
        record_charge([(order, hold)], now=now)
    if order.payment_status == PaymentStatus.CAPTURED and hold.captured.cents:
        record_refunds(order, hold, now=now)


def _ended(order: PreOrder, hold: IntentSnapshot, now: datetime) -> None:
    operation = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if order.payment_status in CHECKOUT_PAYMENTS:
        # The checkout ended without a hold; there is nothing to give back.
        if order.payment_status == PaymentStatus.REQUIRES_ACTION:
            set_payment_status(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        if order.status == PreOrderStatus.PENDING:
            set_order_status(order, PreOrderStatus.CANCELLED, now=now, reason="checkout ended")
    elif order.payment_status == PaymentStatus.AUTHORIZED:
        if operation and operation.kind == OperationKind.CAPTURE:
            # The worker goes on to ask the card again (design §3).
            set_payment_status(order, PaymentStatus.CAPTURE_FAILED, now=now, reason=hold.reason)
            return
        ledger.record_release(ledger_ref(order), hold.amount, now=now)
        end_released(order, now=now, reason=hold.reason)
    finish_operations([order], {OperationKind.RELEASE}, OperationStatus.DONE, now=now)


def end_released(
    order: PreOrder,
    *,
    now: datetime,
    reason: str,
    letter: EmailKind = EmailKind.RELEASED,
) -> None:
    """The hold is gone, and in the books as given back: end the order, tell the diner."""
    orders = PreOrder.objects.filter(pk=order.pk)
    drop_renewals(orders, now=now, why="the order has ended")
    set_payment_status(
        order, PaymentStatus.RELEASED, now=now, reason=reason, payment_processed_at=now
    )
    if order.status == PreOrderStatus.PENDING:
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, reason=reason)
    if not OrderEmail.objects.filter(pre_order=order, kind=EmailKind.CANCELLED).exists():
        queue_email(order, letter, now=now)


def _release_stray(hold: IntentSnapshot) -> None:
    logger.warning("intent %s is not its order's own: giving it back", hold.intent_id)
    try:
        if hold.state == IntentStatus.HELD:
            gateway.release(hold.intent_id, key=f"stray-release:{hold.intent_id}")
        else:
            with_fee = bool(hold.fee.cents)
            gateway.refund(
                hold.intent_id,
                amount=hold.captured - hold.refunded,
                with_fee=with_fee,
                key=f"stray-refund:{hold.intent_id}:{hold.refunded.cents}",
            )
    except Refused as error:
        logger.info("intent %s was given back meanwhile: %s", hold.intent_id, error)
