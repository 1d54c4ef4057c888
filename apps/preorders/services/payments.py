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

# How long a checkout begun before the deadline may take to finish (DECISIONS X22).
GRACE = timedelta(minutes=10)

CHECKOUT_STATUSES = frozenset({PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION})


class Standing(Enum):
    """What an intent is to the order its metadata names."""

    CURRENT = "the order's own"
    STRAY = "live, but not the order's own: to be given back"
    IGNORED = "of no consequence"


def apply_payment_intent(intent_id: str, *, now: datetime) -> PreOrder | None:
    """Read the intent at the processor and move its order forward. None when it is nobody's.

    Acts as the platform only to find the order. Raises GatewayError when the processor cannot be
    read; asking again later is safe.
    """
    return record_hold(gateway.retrieve_hold(intent_id), now=now)


def record_hold(hold: Hold, *, now: datetime, known: PreOrder | None = None) -> PreOrder | None:
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
            standing = _standing(order, hold, now)
            if standing is Standing.CURRENT:
                _move(order, hold, now)
                recount(order.offer)
        if standing is Standing.STRAY:
            _give_back_stray(hold)
        return order


def refresh_order(order: PreOrder, *, now: datetime) -> PreOrder:
    """What the return page calls: see what became of the order's checkout, if it is still open.

    Raises GatewayError when the processor cannot be read.
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


def _find_order(hold: Hold) -> PreOrder | None:
    """The order that the intent's metadata names, whosever it is."""
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
    # Another intent takes the first one's place only where an operation asked for one.
    awaited = PaymentOperation.objects.filter(pre_order=order, state=OperationState.PENDING)
    if hold.state == HoldState.CAPTURED:
        awaited = awaited.filter(
            kind=OperationKind.CAPTURE,
            stage__in=[OperationStage.RETRY, OperationStage.PAY_LINK],
        )
    elif order.payment_status in CHECKOUT_STATUSES:
        # A line of a cart: an earlier try was refused, or is known to have failed.
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
        # The new hold is in place; the old one is given back by the operation's last step.
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
    """Make this intent the order's own, with what is needed to charge its card again."""
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


def _move(order: PreOrder, hold: Hold, now: datetime) -> None:
    adopt(order, hold)
    match hold.state:
        case HoldState.OPEN:
            if order.payment_status == PaymentStatus.REQUIRES_ACTION:
                move_payment(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        case HoldState.NEEDS_ACTION:
            if order.payment_status == PaymentStatus.UNPAID:
                move_payment(order, PaymentStatus.REQUIRES_ACTION, now=now)
        case HoldState.HELD:
            _held(order, hold, now)
        case HoldState.CAPTURED:
            _captured(order, hold, now)
        case HoldState.DEAD:
            _dead(order, hold, now)


def _held(order: PreOrder, hold: Hold, now: datetime) -> None:
    if order.payment_status not in CHECKOUT_STATUSES:
        return
    if not order.customer_name and order.status == PreOrderStatus.PENDING:
        # Nobody's order yet: it counts once its diner is known (DECISIONS X24).
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


def _captured(order: PreOrder, hold: Hold, now: datetime) -> None:
    if order.payment_status not in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED):
        charge([(order, hold)], now=now)
    if order.payment_status == PaymentStatus.CAPTURED and hold.captured.cents:
        book_refunds(order, hold, now=now)


def _dead(order: PreOrder, hold: Hold, now: datetime) -> None:
    operation = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if order.payment_status in CHECKOUT_STATUSES:
        # The checkout ended without a hold; there is nothing to give back.
        if order.payment_status == PaymentStatus.REQUIRES_ACTION:
            move_payment(order, PaymentStatus.UNPAID, now=now, reason=hold.reason)
        if order.status == PreOrderStatus.PENDING:
            move_order(order, PreOrderStatus.CANCELLED, now=now, reason="checkout ended")
    elif order.payment_status == PaymentStatus.AUTHORIZED:
        if operation and operation.kind == OperationKind.CAPTURE:
            # The worker goes on to ask the card again (design §3).
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
    """The hold is gone, and in the books as given back: end the order, tell the diner."""
    orders = PreOrder.objects.filter(pk=order.pk)
    drop_renewals(orders, now=now, why="the order has ended")
    move_payment(order, PaymentStatus.RELEASED, now=now, reason=reason, payment_processed_at=now)
    if order.status == PreOrderStatus.PENDING:
        move_order(order, PreOrderStatus.CANCELLED, now=now, reason=reason)
    if not OrderMail.objects.filter(pre_order=order, kind=MailKind.CANCELLED).exists():
        queue_letter(order, letter, now=now)


def _give_back_stray(hold: Hold) -> None:
    logger.warning("intent %s is not its order's own: giving it back", hold.intent_id)
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
        logger.info("intent %s was given back meanwhile: %s", hold.intent_id, error)
