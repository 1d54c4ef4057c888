"""Cancels an order before its offer is decided, for the restaurant or the guest."""

import logging
from datetime import datetime

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common.errors import Conflict
from apps.offers.states import OfferStatus
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import request_operation, requested, set_order_status
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationKind, PaymentStatus, PreOrderStatus
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

    A worker releases a held card. An open checkout is closed; a hold placed on it nevertheless is
    released as late. The guest gets an email. `by` is who requested it, `reason` why (can be
    empty); both are recorded. The caller must have checked access to the order. Cancelling a
    canceled order does nothing.

    Raises Conflict, saying what to do instead, if the deadline has passed or the card was or is
    being charged; Invalid if the reason is too long.
    """
    cause = requested(by, reason)
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.status == PreOrderStatus.CANCELLED:
            return locked
        _check_undecided(locked, now)
        if locked.payment_status == PaymentStatus.AUTHORIZED:
            request_operation(locked, OperationKind.RELEASE, cause=cause, now=now)
        set_order_status(locked, PreOrderStatus.CANCELLED, now=now, cause=cause)
        queue_email(locked, EmailKind.CANCELLED, now=now)
        recount(locked.offer)
    if locked.payment_status != PaymentStatus.AUTHORIZED:
        _close_checkout(locked, now)
    return locked


def _check_undecided(order: PreOrder, now: datetime) -> None:
    match PaymentStatus(order.payment_status):
        case PaymentStatus.CAPTURED:
            raise Conflict(ALREADY_CHARGED)
        case PaymentStatus.CAPTURE_FAILED:
            raise Conflict(ASKED_TO_PAY)
        case PaymentStatus.REFUNDED | PaymentStatus.RELEASED:
            raise Conflict(ALREADY_ENDED)
    settling = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if settling:
        releasing = settling.kind == OperationKind.RELEASE
        raise Conflict(BEING_RELEASED if releasing else BEING_CHARGED)
    if order.offer.status != OfferStatus.ACTIVE or now >= order.offer.deadline:
        raise Conflict(BEING_DECIDED)


def _close_checkout(order: PreOrder, now: datetime) -> None:
    """Close the order's checkout page.

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
