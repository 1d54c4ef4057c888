"""What the browser that remembers an order says of its state, in a few words."""

from django.utils.translation import gettext as _

from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from apps.preorders.guest.order_status.dinner import fell_short
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES, PaymentStatus, PreOrderStatus


def state_in_short(order: PreOrder, special: Special, *, is_coming: bool) -> str:
    """Empty for what can change at any moment."""
    if is_coming:
        return order.in_short
    match PreOrderStatus(order.status):
        case PreOrderStatus.FULFILLED:
            return _("Served") if order.is_eaten_there else _("Picked up")
        case PreOrderStatus.NO_SHOW:
            return _("You weren't there") if order.is_eaten_there else _("Not picked up")
        case PreOrderStatus.PENDING if order.payment_status in CHECKOUT_STATUSES:
            return ""
    if order.payment_status == PaymentStatus.REFUNDED:
        return _("Refunded")
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        return str(PaymentStatus.CAPTURE_FAILED.label)
    has_failed = special.offer.status == OfferStatus.FAILED
    return _("Not enough orders") if has_failed and fell_short(order, special) else _("Canceled")
