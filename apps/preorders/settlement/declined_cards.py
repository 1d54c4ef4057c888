"""Declined cards of checkouts: counted, and stopped when they look like card testing (decision 51).

Every way to enter a card ends here, because the news is Stripe's own event, whether the card was
entered on its page, in the cart, for a retry or on a payment link.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.core.cache import cache

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import Discrepancy
from apps.common.transitions import Cause
from apps.preorders.checkout.endings import give_up
from apps.preorders.checkout.limits import is_card_testing, record_decline
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES, OperationStatus, ReasonCode
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.cart_items import close_cart_item

logger = logging.getLogger(__name__)

# Stripe delivers an event for three days at most, perhaps more than once:
# https://docs.stripe.com/webhooks#automatic-retries
_SEEN_SECONDS = 4 * 24 * 60 * 60


def count_declined_card(
    *, order_id: str = "", cart_id: str = "", event_id: str, now: datetime
) -> None:
    """Count one declined card, once for each event, and end a checkout that had too many.

    An order with a payment link that had too many loses the link's page; then it ends as if nobody
    had paid.
    """
    if not cache.add(f"declined:{event_id}", 1, _SEEN_SECONDS):
        return
    orders = _orders(order_id, cart_id)
    if not orders:
        return
    first = orders[0]
    if first.payment_status not in CHECKOUT_STATUSES and not _link_of(first):
        return  # a card on file that was charged without the guest
    too_many = record_decline(first)
    if is_card_testing(first.restaurant_id):
        raise_alarm(first, Discrepancy.Kind.CARD_TESTING, "Many cards were declined", now=now)
    if too_many:
        for order in orders:
            _stop(order, now)


def _orders(order_id: str, cart_id: str) -> Sequence[PreOrder]:
    """The order of the intent, with the others of its cart, because they share the card."""
    orders = PreOrder.objects.select_related("offer", "cart")
    try:
        if cart_id:
            return list(orders.filter(cart=UUID(cart_id)).order_by("pk"))
        return list(orders.filter(pk=UUID(order_id)))
    except ValueError:
        return []


def _link_of(order: PreOrder) -> PaymentOperation | None:
    """The operation whose payment page waits for the guest's card."""
    waiting = PaymentOperation.objects.filter(pre_order=order, state=OperationStatus.PENDING)
    return waiting.exclude(reference="").first()


def _stop(order: PreOrder, now: datetime) -> None:
    logger.warning("order %s: no more cards after too many declines", order.pk)
    if order.payment_status not in CHECKOUT_STATUSES:
        link = _link_of(order)
        if link is not None and link.reference.startswith("cs_"):
            with suppress(GatewayError):
                gateway.expire_checkout(link.reference)
        return
    # First here, so that a hold placed meanwhile comes too late and is released.
    if not give_up(order.pk, now=now, cause=Cause(ReasonCode.TOO_MANY_DECLINES)):
        return
    if order.cart_id:
        close_cart_item(order, now=now)
    elif order.checkout_session_id:
        with suppress(GatewayError):
            gateway.expire_checkout(order.checkout_session_id)
