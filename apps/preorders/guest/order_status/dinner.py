"""The dinner an order is about: whether it is today, and what the guest waits for until then."""

from datetime import date, datetime

from django.utils.translation import gettext as _

from apps.offers.presentation import Special
from apps.preorders.guest.order_status.text import NextMoment, next_moment
from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, PreOrderStatus


def decision_moment(order: PreOrder, special: Special) -> NextMoment | None:
    """The decision an order waits for; None once orders have closed, and for an order that has
    ended or waits for a card."""
    if order.payment_status not in COUNTED_PAYMENTS or order.status != PreOrderStatus.PENDING:
        return None
    if not special.is_open:
        return None
    return next_moment(_("We'll know by %(moment)s"), special.offer.deadline, special)


def is_the_day(order: PreOrder, now: datetime) -> bool:
    """Whether the order is served today, where the restaurant is, and its guest still comes."""
    today = now.astimezone(order.offer.restaurant.zone).date()
    return order.status == PreOrderStatus.CONFIRMED and order.offer.serve_date == today


def is_day_over(order: PreOrder, now: datetime) -> bool:
    """Whether the day it is served is over, where the restaurant is."""
    served: date = order.offer.serve_date
    return served < now.astimezone(order.offer.restaurant.zone).date()
