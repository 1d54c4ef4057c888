"""What a guest reads about an order and the card: a text for every state an order can be in.

One module for each part of an order's life.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from apps.offers.presentation import Special
from apps.preorders.core.selectors import cancellation_of_order
from apps.preorders.guest.order_status.charged import capture_failed, charged, refunded
from apps.preorders.guest.order_status.checkout import (
    canceled_unfinished,
    in_checkout,
    item_in_checkout,
    not_finished,
)
from apps.preorders.guest.order_status.held import held
from apps.preorders.guest.order_status.released import released
from apps.preorders.guest.order_status.text import OrderStatus, in_currency
from apps.preorders.guest.order_status.text import canceled as canceled_headline
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES, PaymentStatus

__all__ = ["OrderStatus", "order_status"]


def order_status(order: PreOrder, special: Special) -> OrderStatus:
    """What the guest's pages say about the order."""
    status = _status_by_payment(order, special)
    canceled = cancellation_of_order(order)
    if canceled.by_guest and order.payment_status in CHECKOUT_STATUSES:
        return canceled_unfinished(order)
    if not canceled.reason:
        return status
    speaker = canceled.speaker(special.restaurant)
    why = _("%(name)s canceled the special") % {"name": speaker} + "."
    if order.payment_status in CHECKOUT_STATUSES:
        status = not_finished("")
    elif status.headline == canceled_headline(order, special):  # which names who canceled
        why = ""
    return replace(status, why=why, reason=canceled.reason, speaker=speaker)


def _status_by_payment(order: PreOrder, special: Special) -> OrderStatus:
    total = in_currency(special, order.total_amount)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            return (
                item_in_checkout(order, special) if order.cart_id else in_checkout(order, special)
            )
        case PaymentStatus.AUTHORIZED:
            return held(order, special, total)
        case PaymentStatus.CAPTURED:
            return charged(order, special, total)
        case PaymentStatus.CAPTURE_FAILED:
            return capture_failed(order, special, total)
        case PaymentStatus.RELEASED:
            return released(order, special)
        case PaymentStatus.REFUNDED:
            return refunded(total)
