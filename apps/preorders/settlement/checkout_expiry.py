"""Ending a checkout: finished, closed or abandoned (DECISIONS X25)."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Checkout, CheckoutState, GatewayError, IntentSnapshot
from apps.common.transitions import Cause
from apps.preorders.checkout.endings import give_up
from apps.preorders.core.cart_items import is_page_overdue
from apps.preorders.models import PreOrder
from apps.preorders.models.states import ReasonCode
from apps.preorders.settlement.cart_items import finish_cart_item
from apps.preorders.settlement.payments import sync_intent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckoutReading:
    """A checkout page as Stripe has it, and the intent of a page where a card was entered."""

    checkout: Checkout
    intent: IntentSnapshot | None


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


def finish_checkout(
    order: PreOrder,
    *,
    now: datetime,
    close: bool,
    read: Callable[[], CheckoutReading] | None = None,
) -> None:
    """Sync an order's checkout; with `close`, end it if it is still open.

    `read` returns what was read already. Raises GatewayError when the payment provider does not
    answer; nothing is decided then.
    """
    if order.cart_id:
        finish_cart_item(order, now=now, close=close)
        return
    if not order.checkout_session_id:
        # The guest never got a page. One still being created is handled by `open_checkout`.
        if close or is_page_overdue(order, now):
            give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_NOT_OPENED), unopened=True)
        return
    reading = read() if read else read_checkout(order.checkout_session_id, close=close)
    if reading.intent:
        sync_intent(reading.intent, now=now)
    if reading.checkout.state is CheckoutState.EXPIRED:
        give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED))


def abandoned_checkouts(*, now: datetime, limit: int = 500) -> list[PreOrder]:
    """Orders whose checkout page has expired."""
    return list(
        PreOrder.objects.in_checkout()
        .filter(checkout_expires_at__lte=now)
        .select_related("offer", "cart")
        .order_by("checkout_expires_at")[:limit]
    )


def end_abandoned_checkouts(*, now: datetime) -> None:
    """End the orders of `abandoned_checkouts`; one that cannot be read waits for the next pass."""
    for order in abandoned_checkouts(now=now):
        try:
            finish_checkout(order, now=now, close=True)
        except GatewayError as error:
            logger.warning("checkout of order %s cannot be read: %s", order.pk, error)
