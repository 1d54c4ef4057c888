"""Authorizing or ending a cart's orders (DECISIONS X23).

The browser's confirmation, the webhook, the sweep, and the deadline all end here. Each reads the
payment provider first, so it doesn't matter in which order they come, or whether one comes twice or
never.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    CardSetup,
    CardSetupStatus,
    GatewayError,
    IntentSnapshot,
    IntentStatus,
)
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


def authorize_items(cart_id: UUID, *, now: datetime, setup: CardSetup | None = None) -> list[int]:
    """Once the cart has a card: queue the authorization of each order, once.

    Returns the cart's pending operations for the caller to carry out or hand over; the sweep finds
    them otherwise. Skips orders that have ended, whose offer is decided, or whose guest is unknown.
    `setup` is the cart's saved card if it was read already.
    Raises GatewayError when the payment provider does not answer.
    """
    cart = Cart.objects.filter(pk=cart_id).first()
    if cart is None or not cart.setup_intent_id:
        return []
    setup = setup or gateway.retrieve_setup(cart.setup_intent_id)
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


@dataclass(frozen=True, slots=True)
class CartItemReading:
    """What Stripe says about an order in checkout: its intent, or its cart's saved card and a hold
    that an attempt placed without our knowing."""

    intent: IntentSnapshot | None = None
    setup: CardSetup | None = None
    hold: IntentSnapshot | None = None


def read_cart_item(order: PreOrder, *, now: datetime, close: bool) -> CartItemReading:
    """Read an order of a cart from Stripe; with `close`, cancel an intent that has no card.

    Uses no database, so that several can be read at once. Raises GatewayError.
    """
    cart = order.cart
    assert cart is not None
    if order.payment_intent_id:
        return CartItemReading(intent=_read_intent(order.payment_intent_id, close=close))
    setup = hold = None
    if cart.setup_intent_id and not _is_too_late(order, now):
        setup = gateway.retrieve_setup(cart.setup_intent_id)
    if cart.setup_intent_id and close:
        hold = live_intent(order, IntentStatus.HELD, customer_id=cart.payment_customer_id)
    return CartItemReading(setup=setup, hold=hold)


def _is_too_late(order: PreOrder, now: datetime) -> bool:
    """Whether a hold placed now wouldn't count anymore."""
    return now >= order.offer.deadline + CHECKOUT_GRACE


def _read_intent(intent_id: str, *, close: bool) -> IntentSnapshot:
    found = gateway.retrieve_intent(intent_id)
    if close and found.state in (IntentStatus.OPEN, IntentStatus.NEEDS_ACTION):
        return gateway.release(intent_id, key=one_time_key("cart-end"))
    return found


def finish_cart_item(
    order: PreOrder, reading: CartItemReading, *, now: datetime, close: bool
) -> None:
    """Sync an order in checkout with what was just read; with `close`, end it if it has no card.

    The caller ends the cart's setup intent. Raises GatewayError when the payment provider does not
    answer.
    """
    cart = order.cart
    assert cart is not None
    if reading.intent:
        _finish_intent(order, reading.intent, now=now, close=close)
    elif cart.setup_intent_id:
        _finish_with_card(order, cart, reading, now=now, close=close)
    elif close or is_page_overdue(order, now):
        give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_NOT_OPENED), unopened=True)


def close_cart_item(order: PreOrder, *, now: datetime) -> None:
    """Stop accepting a card for an order that was canceled. An intent that cannot be closed does
    no harm: a hold placed on it finds its order canceled and is released."""
    if not order.payment_intent_id:
        if order.cart:
            end_setups([order.cart])
        return
    try:
        found = _read_intent(order.payment_intent_id, close=True)
        _finish_intent(order, found, now=now, close=True)
    except GatewayError as error:
        logger.warning("the intent of order %s was not ended: %s", order.pk, error)


def _finish_intent(order: PreOrder, hold: IntentSnapshot, *, now: datetime, close: bool) -> None:
    if close and hold.state is IntentStatus.HELD and not order.customer_name:
        # Ended first, so that the hold is recorded as too late and released.
        give_up(order.pk, now=now, cause=Cause(ReasonCode.GUEST_UNKNOWN))
    elif close and hold.state is IntentStatus.PROCESSING:
        # It may not be canceled; a hold that comes of it is too late and released.
        give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))
    sync_intent(hold, now=now)


def _finish_with_card(
    order: PreOrder, cart: Cart, reading: CartItemReading, *, now: datetime, close: bool
) -> None:
    too_late = _is_too_late(order, now)
    operation = authorizations(cart).filter(pre_order=order).first()
    if operation is None and not too_late:
        waiting = authorize_items(cart.pk, now=now, setup=reading.setup)
        jobs.enqueue_operations(waiting, restaurant_id=cart.restaurant_id)
        operation = authorizations(cart).filter(pre_order=order).first()
    waits = operation is not None and operation.state == OperationStatus.PENDING
    if not close or (waits and not too_late):
        return
    if reading.hold:
        # An attempt held the card and its answer got lost; a hold from now on is too late.
        sync_intent(reading.hold, now=now)
        return
    give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))


def end_setups(carts: Iterable[Cart]) -> None:
    """Cancel the setup intents of carts in which no order needs a card anymore. They hold nothing,
    so one that can't be canceled does no harm."""
    with_setup = {str(cart.setup_intent_id): cart for cart in carts if cart.setup_intent_id}
    waiting = PreOrder.objects.in_checkout().filter(cart__in=list(with_setup.values()))
    still_open = set(waiting.values_list("cart", flat=True))
    ended = [setup_id for setup_id, cart in with_setup.items() if cart.pk not in still_open]
    canceled = gateway.in_parallel([partial(gateway.cancel_setup, each) for each in ended])
    for setup_id, call in zip(ended, canceled, strict=True):
        try:
            call.result()
        except GatewayError as error:
            logger.warning("setup intent %s was not canceled: %s", setup_id, error)
