"""The single entry point for payment updates: `apply_payment_intent` (design §3).

Webhooks, the return page, workers and the reconciler call it with an intent's id. It reads the
intent from Stripe and only moves the order forward, so lost, duplicate or reordered messages don't
matter.
"""

import logging
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Hold, HoldState, Refused
from apps.common import rls
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders import handoff
from apps.preorders.locks import lock_order
from apps.preorders.models import OrderMail, PaymentOperation, PreOrder
from apps.preorders.services.charging import book_refunds, charge, ledger_ref
from apps.preorders.services.moves import (
    drop_renewals,
    finish_operations,
    move_order,
    move_payment,
    order_operation,
    queue_letter,
)
from apps.preorders.services.portions import recount
from apps.preorders.services.quantities import set_quantity, takes_place
from apps.preorders.states import (
    MailKind,
    OperationKind,
    OperationStage,
    OperationState,
    PaymentStatus,
    PreOrderStatus,
)

logger = logging.getLogger(__name__)

# How long after the deadline a checkout begun before it can finish (DECISIONS X22).
GRACE = timedelta(minutes=10)

CHECKOUT_STATUSES = frozenset({PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION})


class Standing(Enum):
    """How an intent relates to the order named in its metadata."""

    CURRENT = "the order's own"
    STRAY = "holds money but isn't the order's own: release or refund it"
    IGNORED = "irrelevant"


def apply_payment_intent(intent_id: str, *, now: datetime) -> PreOrder | None:
    """Read the intent from Stripe and update its order; None if it belongs to no order.

    It acts as the platform only to find the order. Raises GatewayError if Stripe can't be read;
    calling it again later is safe.
    """
    return record_hold(gateway.retrieve_hold(intent_id), now=now)


def record_hold(hold: Hold, *, now: datetime, known: PreOrder | None = None) -> PreOrder | None:
    """Update the order named by `hold`, which was just read from Stripe.

    `known`: the already loaded order with its offer, to save a query.

    An intent that holds money for an order but isn't its own is released or refunded right away: it
    comes from a checkout page or an attempt that was superseded.
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
            standing = _standing(order, hold, now)
            if standing is Standing.CURRENT:
                _update_order(order, hold, now)
                recount(order.offer)
        if standing is Standing.STRAY:
            _return_stray(hold)
        return order


def refresh_order(order: PreOrder, *, now: datetime) -> PreOrder:
    """Update an order in checkout when the guest returns from Stripe.

    Raises GatewayError if Stripe can't be read.
    """
    if order.payment_status not in CHECKOUT_STATUSES:
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

    All orders are created before the deadline and have GRACE to finish. Stripe's clock counts, not
    the time we heard of it. After the decision or a cancellation, a hold is always late.
    """
    return (
        authorized_at > order.offer.deadline + GRACE
        or order.offer.status in DECIDED
        or order.offer.status == OfferStatus.DELETED
        or order.status == PreOrderStatus.CANCELLED
    )


def _find_order(hold: Hold) -> PreOrder | None:
    """The order named in the intent's metadata, of any restaurant."""
    try:
        order_id = UUID(hold.pre_order_id or "")
    except ValueError:
        return None
    with rls.acting_as(rls.PLATFORM):
        return PreOrder.objects.only("restaurant_id").filter(pk=order_id).first()


def _standing(order: PreOrder, hold: Hold, now: datetime) -> Standing:
    if order.payment_intent_id in (None, hold.intent_id):
        return Standing.CURRENT
    if hold.state not in (HoldState.HELD, HoldState.CAPTURED):
        return Standing.IGNORED
    # Another intent replaces the order's own only if an operation requested one.
    awaited = PaymentOperation.objects.filter(pre_order=order, state=OperationState.PENDING)
    if hold.state == HoldState.CAPTURED:
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
    if operation is not None and renews and not takes_place(operation, order, hold):
        operation = None
    if operation is None:
        if hold.state is HoldState.CAPTURED and hold.refunded >= hold.captured:
            return Standing.IGNORED
        return Standing.STRAY
    if operation.kind == OperationKind.RENEW:
        # The operation's last stage releases the old hold.
        PaymentOperation.objects.filter(pk=operation.pk).update(
            stage=OperationStage.CLEAN_UP, reference=order.payment_intent_id or "", due_at=now
        )
        handoff.run_operation(operation.pk)
        if operation.quantity is not None:
            set_quantity(order, operation.quantity, now=now)
        adopt(order, hold)
        ledger.book_authorization(ledger_ref(order), hold.amount, now=hold.authorized_at)  # type: ignore[arg-type]
        return Standing.CURRENT
    adopt(order, hold)
    return Standing.CURRENT


def adopt(order: PreOrder, hold: Hold) -> None:
    """Make this intent the order's own, and store what a later charge of its card needs."""
    columns: dict[str, object] = {
        "payment_intent_id": hold.intent_id,
        "payment_customer_id": hold.customer_id or order.payment_customer_id,
        "payment_method_id": hold.payment_method_id or order.payment_method_id,
    }
    if hold.state in (HoldState.HELD, HoldState.CAPTURED):
        columns |= {
            "authorized_at": hold.authorized_at or order.authorized_at,
            "capture_before": hold.capture_before or order.capture_before,
        }
    if any(getattr(order, name) != value for name, value in columns.items()):
        PreOrder.objects.filter(pk=order.pk).update(**columns)
        for name, value in columns.items():
            setattr(order, name, value)


def _update_order(order: PreOrder, hold: Hold, now: datetime) -> None:
    adopt(order, hold)
    match hold.state:
        case HoldState.OPEN:
            if order.payment_status == PaymentStatus.REQUIRES_ACTION:
                move_payment(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        case HoldState.NEEDS_ACTION:
            if order.payment_status == PaymentStatus.UNPAID:
                move_payment(order, PaymentStatus.REQUIRES_ACTION, now=now)
        case HoldState.HELD:
            _on_held(order, hold, now)
        case HoldState.CAPTURED:
            _on_captured(order, hold, now)
        case HoldState.DEAD:
            _on_dead(order, hold, now)


def _on_held(order: PreOrder, hold: Hold, now: datetime) -> None:
    if order.payment_status not in CHECKOUT_STATUSES:
        return
    if not order.customer_name and order.status == PreOrderStatus.PENDING:
        # Not an order yet: it counts once the guest's name is known (DECISIONS X24).
        return
    ledger.book_authorization(ledger_ref(order), hold.amount, now=now)
    move_payment(order, PaymentStatus.AUTHORIZED, now=now)
    finish_operations([order], {OperationKind.AUTHORIZE}, OperationState.DONE, now=now)
    if is_late(order, hold.authorized_at or now):
        order_operation(order, OperationKind.RELEASE, now=now)
        return
    queue_letter(order, MailKind.RECEIVED, now=now)
    if order.offer.status == OfferStatus.CLOSING:
        handoff.close_offer(order.offer_id)


def _on_captured(order: PreOrder, hold: Hold, now: datetime) -> None:
    if order.payment_status not in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED):
        charge([(order, hold)], now=now)
    if order.payment_status == PaymentStatus.CAPTURED and hold.captured.cents:
        book_refunds(order, hold, now=now)


def _on_dead(order: PreOrder, hold: Hold, now: datetime) -> None:
    operation = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if order.payment_status in CHECKOUT_STATUSES:
        # The checkout ended without a hold, so there is nothing to release.
        if order.payment_status == PaymentStatus.REQUIRES_ACTION:
            move_payment(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        if order.status == PreOrderStatus.PENDING:
            move_order(order, PreOrderStatus.CANCELLED, now=now, reason="checkout ended")
    elif order.payment_status == PaymentStatus.AUTHORIZED:
        if operation and operation.kind == OperationKind.CAPTURE:
            # The worker continues with the off-session retry (design §3).
            move_payment(order, PaymentStatus.CAPTURE_FAILED, now=now, reason=hold.reason)
            return
        ledger.book_release(ledger_ref(order), hold.amount, now=now)
        end_released(order, now=now, reason=hold.reason)
    finish_operations([order], {OperationKind.RELEASE}, OperationState.DONE, now=now)


def end_released(
    order: PreOrder,
    *,
    now: datetime,
    reason: str,
    letter: MailKind = MailKind.RELEASED,
) -> None:
    """End an order whose hold was released and recorded in the ledger, and email the guest."""
    orders = PreOrder.objects.filter(pk=order.pk)
    drop_renewals(orders, now=now, why="the order has ended")
    move_payment(order, PaymentStatus.RELEASED, now=now, reason=reason, payment_processed_at=now)
    if order.status == PreOrderStatus.PENDING:
        move_order(order, PreOrderStatus.CANCELLED, now=now, reason=reason)
    if not OrderMail.objects.filter(pre_order=order, kind=MailKind.CANCELLED).exists():
        queue_letter(order, letter, now=now)


def _return_stray(hold: Hold) -> None:
    logger.warning("intent %s is not its order's own: releasing or refunding it", hold.intent_id)
    try:
        if hold.state == HoldState.HELD:
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
        logger.info("intent %s was already released or refunded: %s", hold.intent_id, error)
