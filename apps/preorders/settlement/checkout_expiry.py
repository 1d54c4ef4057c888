"""How a checkout ends: paid, closed or abandoned (R135, DECISIONS X25)."""

import logging
from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CheckoutState, GatewayError
from apps.preorders.checkout.services import give_up
from apps.preorders.models import PreOrder
from apps.preorders.settlement.cart_items import finish_cart_item
from apps.preorders.settlement.payments import apply_payment_intent

logger = logging.getLogger(__name__)


def finish_checkout(order: PreOrder, *, now: datetime, close: bool) -> None:
    """See what became of an order's checkout; with `close`, end it if it is still open.

    Looks before it acts: a page that was completed meanwhile is an order, not an abandoned cart.
    Raises GatewayError when the processor cannot be read; nothing is decided then.
    """
    if order.cart_id:
        finish_cart_item(order, now=now, close=close)
        return
    if not order.checkout_session_id:
        # Nobody was ever given a page to pay on. A page still being opened is caught by
        # `open_checkout` itself.
        if close or now >= order.offer.deadline:
            give_up(order.pk, now=now, reason="checkout was never opened", unopened=True)
        return
    checkout = gateway.retrieve_checkout(order.checkout_session_id)
    if checkout.state is CheckoutState.OPEN and close:
        checkout = gateway.expire_checkout(order.checkout_session_id)
    if checkout.intent_id:
        apply_payment_intent(checkout.intent_id, now=now)
    if checkout.state is CheckoutState.EXPIRED:
        give_up(order.pk, now=now, reason="checkout was abandoned")


def abandoned_checkouts(*, now: datetime, limit: int = 500) -> list[PreOrder]:
    """Orders whose page has ended by its own clock, whoever closed it."""
    return list(
        PreOrder.objects.in_checkout()
        .filter(checkout_expires_at__lte=now)
        .select_related("offer", "cart")
        .order_by("checkout_expires_at")[:limit]
    )


def end_abandoned_checkouts(*, now: datetime) -> None:
    """Close what `abandoned_checkouts` finds; one that cannot be read waits for the next pass."""
    for order in abandoned_checkouts(now=now):
        try:
            finish_checkout(order, now=now, close=True)
        except GatewayError as error:
            logger.warning("checkout of order %s cannot be read: %s", order.pk, error)
