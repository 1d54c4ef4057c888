"""Cancels an order before its offer is decided, for the restaurant or the guest.

Until the deadline this works whatever happened to the card: a hold is released, an early charge
(DECISIONS X12) is refunded, and one under way is called off or, if it went through, refunded.
"""

import logging
from datetime import datetime

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common.errors import Conflict
from apps.common.transitions import Cause
from apps.offers.states import OfferStatus
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.friends import tell_of_cancellation
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import (
    request_operation,
    request_refund,
    requested,
    set_order_status,
)
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    GUEST,
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.cart_items import close_cart_item
from apps.preorders.settlement.payments import apply_payment_intent

logger = logging.getLogger(__name__)

ALREADY_CHARGED = "This card was already charged. Refund the order instead."
BEING_CHARGED = (
    "This card is being charged right now. Wait until that's done, then refund the order."
)
BEING_RELEASED = "The hold on this card is already being released. You don't need to cancel."
ASKED_TO_PAY = (
    "The charge was declined and the guest has a link to pay. If they don't pay within a day, the "
    "order is canceled automatically. If they do, you can refund it."
)
BEING_DECIDED = (
    "The deadline has passed and we're counting the portions. If the card is charged, you can "
    "refund the order afterward."
)
ALREADY_ENDED = "This order has already ended, so there's nothing to cancel."


def cancel_order(*, order: PreOrder, reason: str, by: str, now: datetime) -> PreOrder:
    """Cancel the order before its offer's deadline; its portions are free right away.

    A worker releases a held card and refunds a charged one in full. An open checkout is closed; a
    hold placed on it nevertheless is released as late. The guest gets an email. `by` is who
    requested it, `reason` why (can be empty); both are recorded. The caller must have checked
    access to the order. Canceling a canceled order does nothing.

    Raises Conflict, saying what to do instead, if the deadline has passed; Invalid if the reason is
    too long.
    """
    cause = requested(by, reason)
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.status == PreOrderStatus.CANCELLED:
            return locked
        _check_undecided(locked, now)
        _return_money(locked, cause, now)
        set_order_status(locked, PreOrderStatus.CANCELLED, now=now, cause=cause)
        queue_email(locked, EmailKind.CANCELLED, now=now)
        tell_of_cancellation(locked, now=now)
        record(
            Kind.ORDER_CANCELED,
            restaurant=locked.restaurant_id,
            about=("order", locked.pk),
            by_guest=by == GUEST,
            now=now,
        )
        recount(locked.offer, now=now)
    if locked.payment_status in CHECKOUT_STATUSES:
        close_checkout(locked, now=now)
    return locked


def _check_undecided(order: PreOrder, now: datetime) -> None:
    if order.payment_status in (PaymentStatus.REFUNDED, PaymentStatus.RELEASED):
        raise Conflict(ALREADY_ENDED)
    settling = PaymentOperation.objects.filter(
        pre_order=order, kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING
    ).first()
    if settling and settling.kind == OperationKind.RELEASE:
        raise Conflict(BEING_RELEASED)
    if order.offer.status == OfferStatus.ACTIVE and now < order.offer.deadline:
        return
    match PaymentStatus(order.payment_status):
        case PaymentStatus.CAPTURED:
            raise Conflict(ALREADY_CHARGED)
        case PaymentStatus.CAPTURE_FAILED:
            raise Conflict(ASKED_TO_PAY)
    raise Conflict(BEING_CHARGED if settling else BEING_DECIDED)


def _return_money(order: PreOrder, cause: Cause, now: datetime) -> None:
    """Queue what gives the guest their money back; nothing for an order still in checkout."""
    if order.payment_status == PaymentStatus.CAPTURED:
        request_refund(order, up_to=None, cause=cause, now=now)
    elif order.payment_status in (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED):
        operation = request_operation(order, OperationKind.RELEASE, cause=cause, now=now)
        if operation.kind == OperationKind.CAPTURE:
            # An early charge: its worker finds the order canceled and calls it off.
            PaymentOperation.objects.filter(pk=operation.pk, state=OperationStatus.PENDING).update(
                due_at=now
            )
            jobs.enqueue_operation(operation.pk)


def close_checkout(order: PreOrder, *, now: datetime) -> None:
    """Close the checkout page of a canceled order.

    If Stripe doesn't answer, the page expires by itself; a hold placed there until then is released
    because its order is canceled.
    """
    if not order.checkout_session_id:
        if order.cart_id:
            close_cart_item(order, now=now)
        return
    try:
        checkout = gateway.expire_checkout(order.checkout_session_id)
        if checkout.intent_id:
            apply_payment_intent(checkout.intent_id, now=now)
    except GatewayError as error:
        logger.warning("the checkout of order %s was not closed: %s", order.pk, error)
