"""Ending a checkout: finished, closed, or abandoned (DECISIONS X25)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError, IntentSnapshot
from apps.billing.hosted_checkout import Checkout, CheckoutState
from apps.common.transitions import Cause
from apps.preorders.checkout.endings import give_up
from apps.preorders.core.cart_items import is_page_overdue
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PreOrderStatus, ReasonCode
from apps.preorders.settlement.cart_items import (
    CartItemReading,
    end_setups,
    finish_cart_item,
    read_cart_item,
)
from apps.preorders.settlement.payments import sync_intent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckoutReading:
    """A checkout page as Stripe has it, and the intent of a page where a card was entered."""

    checkout: Checkout
    intent: IntentSnapshot | None


Reading = CheckoutReading | CartItemReading | None


def read_checkout(session_id: str, *, close: bool) -> CheckoutReading:
    """Read a page from Stripe; with `close`, end it if it is still open.

    Reads before it acts: a page completed meanwhile is an order, not an abandoned checkout. Uses
    no database, so that several can be read at once. Raises GatewayError.
    """
    checkout = gateway.retrieve_checkout(session_id)
    if checkout.state is CheckoutState.OPEN and close:
        checkout = gateway.expire_checkout(session_id)
    intent = gateway.retrieve_intent(checkout.intent_id) if checkout.intent_id else None
    return CheckoutReading(checkout, intent)


def read_order(order: PreOrder, *, now: datetime, close: bool) -> Reading:
    """Read an order's page or cart item from Stripe; None if it has neither yet.

    Uses no database if `order` was loaded with its offer, restaurant, and cart. Raises
    GatewayError.
    """
    if order.cart_id:
        return read_cart_item(order, now=now, close=close)
    if order.checkout_session_id:
        return read_checkout(order.checkout_session_id, close=close)
    return None


def finish_checkout(
    order: PreOrder, *, now: datetime, close: bool, read: Callable[[], Reading] | None = None
) -> None:
    """Sync an order's checkout; with `close`, end it if it is still open.

    `read` returns what was read already. Raises GatewayError when the payment provider does not
    answer; nothing is decided then.
    """
    reading = read() if read else read_order(order, now=now, close=close)
    if isinstance(reading, CartItemReading):
        finish_cart_item(order, reading, now=now, close=close)
    elif reading is None:
        # The guest never got a page. One still being created is handled by `open_checkout`.
        if close or is_page_overdue(order, now):
            give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_NOT_OPENED), unopened=True)
    else:
        if reading.intent:
            sync_intent(reading.intent, now=now)
        if reading.checkout.state is CheckoutState.EXPIRED:
            give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))


def finish_checkouts(
    orders: Sequence[PreOrder],
    *,
    now: datetime,
    close: bool,
    on_error: Callable[[PreOrder, Exception], None],
) -> None:
    """`finish_checkout` for orders loaded as for `read_order`: reads them all at once.

    One that fails is passed to `on_error` and doesn't stop the others.
    """
    reading = gateway.in_parallel(
        [partial(read_order, order, now=now, close=close) for order in orders]
    )
    for order, future in zip(orders, reading, strict=True):
        try:
            finish_checkout(order, now=now, close=close, read=future.result)
        except Exception as error:
            on_error(order, error)
    if close:
        ended = PreOrder.objects.filter(
            pk__in=[order.pk for order in orders], status=PreOrderStatus.CANCELLED
        ).values_list("pk", flat=True)
        gone = set(ended)
        end_setups(order.cart for order in orders if order.cart and order.pk in gone)


def abandoned_checkouts(*, now: datetime, limit: int = 500) -> list[PreOrder]:
    """Orders whose checkout page has expired."""
    return list(
        PreOrder.objects.in_checkout()
        .filter(checkout_expires_at__lte=now)
        .select_related("offer__restaurant", "cart")
        .order_by("checkout_expires_at")[:limit]
    )


def end_abandoned_checkouts(*, now: datetime) -> None:
    """End the orders of `abandoned_checkouts`; one that cannot be read waits for the next pass."""
    finish_checkouts(
        abandoned_checkouts(now=now), now=now, close=True, on_error=_wait_for_next_pass
    )


def _wait_for_next_pass(order: PreOrder, error: Exception) -> None:
    if isinstance(error, GatewayError):
        logger.warning("checkout of order %s cannot be read: %s", order.pk, error)
    else:
        logger.error("checkout of order %s cannot be ended", order.pk, exc_info=error)
