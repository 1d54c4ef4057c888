"""Calling one order off before its offer is decided: by the restaurant, or by the diner."""

import logging
from datetime import datetime

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common.errors import Conflict
from apps.offers.states import OfferStatus
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import (
    queue_email,
    reason_of,
    request_operation,
    set_order_status,
)
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationKind, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.cart_items import close_cart_item
from apps.preorders.settlement.payments import apply_payment_intent

logger = logging.getLogger(__name__)

CHARGED = "This card was charged. Refund the order instead."
BEING_CHARGED = (
    "This card is being charged at this moment. Wait until that is done, then refund the order."
)
BEING_RELEASED = "The hold on this card is being released already; there is nothing to cancel."
ASKED_TO_PAY = (
    "The charge was declined and the guest has a link to pay. Unpaid, the order is cancelled by "
    "itself within a day; if they pay, you can refund it."
)
DECIDING = (
    "The deadline has passed and the portions are being counted. If the card is charged, you can "
    "refund the order then."
)
OVER = "This order has ended already; there is nothing to cancel."


def cancel_order(*, order: PreOrder, reason: str, by: str, now: datetime) -> PreOrder:
    """Call the order off until its offer's deadline; its portions are free at once.

    A card that is held is let go by a worker; a checkout still open is closed, and what is paid on
    it all the same is released as late. The diner gets a letter. `by` is who asked, `reason` why
    (may be empty); both are kept. The order must be one the caller may see. Cancelling what is
    cancelled already does nothing.

    Raises Conflict, saying what to do instead, when the deadline has passed or the card is charged
    or being charged; Invalid for a reason too long to be kept.
    """
    why = reason_of(reason, by)
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.status == PreOrderStatus.CANCELLED:
            return locked
        _check_undecided(locked, now)
        if locked.payment_status == PaymentStatus.AUTHORIZED:
            request_operation(locked, OperationKind.RELEASE, reason=why, now=now)
        set_order_status(locked, PreOrderStatus.CANCELLED, now=now, reason=f"cancelled: {why}")
        queue_email(locked, EmailKind.CANCELLED, now=now)
        recount(locked.offer)
    if locked.payment_status != PaymentStatus.AUTHORIZED:
        _close_checkout(locked, now)
    return locked


def _check_undecided(order: PreOrder, now: datetime) -> None:
    match PaymentStatus(order.payment_status):
        case PaymentStatus.CAPTURED:
            raise Conflict(CHARGED)
        case PaymentStatus.CAPTURE_FAILED:
            raise Conflict(ASKED_TO_PAY)
        case PaymentStatus.REFUNDED | PaymentStatus.RELEASED:
            raise Conflict(OVER)
    settling = PaymentOperation.objects.filter(
        pre_order=order, kind__in=[OperationKind.CAPTURE, OperationKind.RELEASE]
    ).first()
    if settling:
        releasing = settling.kind == OperationKind.RELEASE
        raise Conflict(BEING_RELEASED if releasing else BEING_CHARGED)
    if order.offer.status != OfferStatus.ACTIVE or now >= order.offer.deadline:
        raise Conflict(DECIDING)


def _close_checkout(order: PreOrder, now: datetime) -> None:
    """Nobody should give a card on it any more. A page that cannot be closed ends by itself, and a
    hold that is placed there until then finds its order cancelled and is let go."""
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
