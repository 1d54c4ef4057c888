"""Authorizing or ending a cart's orders (DECISIONS X23).

The browser's confirmation, the webhook, the sweep and the deadline all end here. Each reads the
payment provider first, so their order does not matter, nor whether one comes twice or never.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CardSetupStatus, GatewayError, IntentStatus
from apps.common.transitions import Cause
from apps.preorders.checkout.endings import give_up
from apps.preorders.core import jobs
from apps.preorders.core.cart_items import can_be_authorized, is_page_overdue
from apps.preorders.core.locks import lock_cart_items
from apps.preorders.core.reservations import reserve_again
from apps.preorders.models import Cart, PaymentOperation, PreOrder
from apps.preorders.models.states import CHECKOUT_GRACE, OperationKind, OperationStatus, ReasonCode
from apps.preorders.settlement.operations import live_intent, one_time_key
from apps.preorders.settlement.payments import sync_intent

logger = logging.getLogger(__name__)

FORGOTTEN_AFTER = timedelta(minutes=1)  # time for the browser or the webhook


def authorize_items(cart_id: UUID, *, now: datetime) -> list[int]:
    """Once the cart has a card: queue the authorization of each order, once.

    Returns the cart's pending operations for the caller to carry out or hand over; the sweep finds
    them otherwise. Skips orders that have ended, whose offer is decided or whose guest is unknown.
    Raises GatewayError when the payment provider does not answer.
    """
    cart = Cart.objects.filter(pk=cart_id).first()
    if cart is None or not cart.setup_intent_id:
        return []
    setup = gateway.retrieve_setup(cart.setup_intent_id)
    if setup.state is not CardSetupStatus.READY:
        return []
    with transaction.atomic():
        items = []
        for item in lock_cart_items(cart.pk):
            if not can_be_authorized(item, now):
                continue
            if reserve_again(item, now=now):
                items.append(item)
            else:  # before its card is held, because others have the portions
                give_up(item.pk, now=now, cause=Cause(ReasonCode.SOLD_OUT))
        Cart.objects.filter(pk=cart.pk).update(payment_method_id=setup.payment_method_id)
        PaymentOperation.objects.bulk_create(
            [
                PaymentOperation(
                    restaurant_id=item.restaurant_id,
                    pre_order=item,
                    kind=OperationKind.AUTHORIZE,
                    due_at=now,
                    created_at=now,
                )
                for item in items
            ],
            ignore_conflicts=True,  # one per order, declined or not
        )
        waiting = authorizations(cart).filter(state=OperationStatus.PENDING)
        return list(waiting.order_by("pk").values_list("pk", flat=True))


def authorizations(cart: Cart) -> QuerySet[PaymentOperation]:
    """The operations that authorize the cart's orders, finished ones included."""
    return PaymentOperation.objects.filter(pre_order__cart=cart, kind=OperationKind.AUTHORIZE)


def authorize_forgotten(*, now: datetime) -> None:
    """Check carts that have waited for a card for a while: the browser may have closed after the
    card was confirmed, and the webhook may be lost. One that cannot be read waits for the next
    pass."""
    waiting = PreOrder.objects.in_checkout().filter(
        cart__setup_intent_id__isnull=False,
        payment_intent_id=None,
        created_at__lt=now - FORGOTTEN_AFTER,
    )
    for cart_id in waiting.order_by("cart").values_list("cart", flat=True).distinct():
        try:
            jobs.enqueue_operations(authorize_items(cart_id, now=now))
        except GatewayError as error:
            logger.warning("the card of cart %s cannot be read: %s", cart_id, error)


def finish_cart_item(order: PreOrder, *, now: datetime, close: bool) -> None:
    """Sync an order in checkout; with `close`, end it if it has no card.

    Raises GatewayError when the payment provider does not answer; nothing is decided then.
    """
    cart = order.cart
    assert cart is not None
    if order.payment_intent_id:
        _finish_intent(order, order.payment_intent_id, now=now, close=close)
    elif cart.setup_intent_id:
        _finish_with_card(order, cart, now=now, close=close)
    elif close or is_page_overdue(order, now):
        give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_NOT_OPENED), unopened=True)


def close_cart_item(order: PreOrder, *, now: datetime) -> None:
    """Stop accepting a card for an order that was canceled. An intent that cannot be closed does
    no harm: a hold placed on it finds its order canceled and is released."""
    if not order.payment_intent_id:
        if order.cart:
            _end_setup(order.cart)
        return
    try:
        _finish_intent(order, order.payment_intent_id, now=now, close=True)
    except GatewayError as error:
        logger.warning("the intent of order %s was not ended: %s", order.pk, error)


def _finish_intent(order: PreOrder, intent_id: str, *, now: datetime, close: bool) -> None:
    hold = gateway.retrieve_intent(intent_id)
    if close and hold.state is IntentStatus.HELD and not order.customer_name:
        # Ended first, so that the hold is recorded as too late and released.
        give_up(order.pk, now=now, cause=Cause(ReasonCode.GUEST_UNKNOWN))
    elif close and hold.state is IntentStatus.PROCESSING:
        # It may not be canceled; a hold that comes of it is too late and released.
        give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))
    elif close and hold.state in (IntentStatus.OPEN, IntentStatus.NEEDS_ACTION):
        hold = gateway.release(intent_id, key=one_time_key("cart-end"))
    sync_intent(hold, now=now)


def _finish_with_card(order: PreOrder, cart: Cart, *, now: datetime, close: bool) -> None:
    too_late = now >= order.offer.deadline + CHECKOUT_GRACE
    operation = authorizations(cart).filter(pre_order=order).first()
    if operation is None and not too_late:
        jobs.enqueue_operations(authorize_items(cart.pk, now=now), restaurant_id=cart.restaurant_id)
        operation = authorizations(cart).filter(pre_order=order).first()
    waits = operation is not None and operation.state == OperationStatus.PENDING
    if not close or (waits and not too_late):
        return
    if waits:
        # An attempt may have held the card and its answer got lost; a hold from now on is too late.
        hold = live_intent(order, IntentStatus.HELD, customer_id=cart.payment_customer_id)
        if hold is not None:
            sync_intent(hold, now=now)
            return
    give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))
    _end_setup(cart)


def _end_setup(cart: Cart) -> None:
    """Cancel the setup intent once no order needs a card. It holds nothing, so one that cannot be
    canceled does no harm."""
    if not cart.setup_intent_id or PreOrder.objects.filter(cart=cart).in_checkout().exists():
        return
    try:
        gateway.cancel_setup(cart.setup_intent_id)
    except GatewayError as error:
        logger.warning("the card of %s was not called off: %s", cart, error)
