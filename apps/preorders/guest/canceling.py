"""Canceling an order for its guest."""

from datetime import datetime

from django.utils.translation import gettext_lazy

from apps.common.errors import Conflict
from apps.preorders.guest.changes import DEADLINE_PASSED
from apps.preorders.models import PreOrder
from apps.preorders.models.states import GUEST
from apps.preorders.settlement import cancellation

CANNOT_CANCEL = {
    cancellation.ALREADY_CHARGED: gettext_lazy(
        "We already charged your card, so you can't cancel anymore. "
        "Ask the restaurant about a refund."
    ),
    cancellation.BEING_CHARGED: gettext_lazy(
        "We're charging your card right now, so you can't cancel anymore. "
        "Ask the restaurant about a refund."
    ),
    cancellation.BEING_RELEASED: gettext_lazy(
        "We're already releasing the hold on your card. You pay nothing, so you don't need to "
        "cancel."
    ),
    cancellation.ASKED_TO_PAY: gettext_lazy(
        "Your payment didn't go through, and nothing was charged. You don't need to cancel: if you "
        "don't pay, this order is canceled automatically."
    ),
    cancellation.BEING_DECIDED: gettext_lazy(
        "The deadline has passed, so you can't cancel anymore. We're counting the orders now and "
        "will email you the result."
    ),
    cancellation.ALREADY_ENDED: gettext_lazy(
        "This order has already ended, so there's nothing to cancel."
    ),
}


def cancel_own_order(*, order: PreOrder, now: datetime) -> PreOrder:
    """Cancel the order for its guest, who reads a refusal in the guest's own words.

    Raises Conflict when it is too late.
    """
    try:
        return cancellation.cancel_order(order=order, reason="", by=GUEST, now=now)
    except Conflict as refusal:
        raise Conflict(str(CANNOT_CANCEL.get(refusal.message, DEADLINE_PASSED))) from refusal
