"""The dinner an order is about: when it is, and what the guest waits for next."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from apps.offers.presentation import Special
from apps.offers.states import DECIDED
from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, PreOrderStatus


@dataclass(frozen=True, slots=True)
class NextMoment:
    """What happens next, `We'll know by Tue, Nov 24, 6:00 PM EST`; `counts_down_to` is that
    moment in UTC, or empty for a day."""

    text: str
    counts_down_to: str = ""


def next_moment(order: PreOrder, special: Special) -> NextMoment | None:
    """The next moment of an order that is on its way; None for one that has ended, was picked up,
    or waits for a card."""
    if order.payment_status not in COUNTED_PAYMENTS:
        return None
    if order.status not in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED):
        return None
    if special.offer.status in DECIDED:
        return NextMoment(_when(order, special))
    if not special.is_open:
        return None
    text = _("We'll know by %(moment)s") % {"moment": special.deadline}
    return NextMoment(text, special.deadline_iso)


def is_the_day(order: PreOrder, now: datetime) -> bool:
    """Whether the order is served today, where the restaurant is, and its guest still comes."""
    today = now.astimezone(order.offer.restaurant.zone).date()
    return order.status == PreOrderStatus.CONFIRMED and order.offer.serve_date == today


def _when(order: PreOrder, special: Special) -> str:
    serving = order.serving
    if not is_the_day(order, special.now):
        return serving.when
    today = _("Today")
    return f"{today}, {serving.time}" if serving.time else today
