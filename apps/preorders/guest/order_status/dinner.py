"""The dinner an order is about: whether it is today, and whether it is certain."""

from datetime import date, datetime

from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.preorders.core.selectors import cancellation_of_order
from apps.preorders.documents.qr import shows_code
from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, PreOrderStatus


def awaits_decision(order: PreOrder, special: Special) -> bool:
    """Whether the order counts toward the decision and orders are still open; not for an order that
    has ended or waits for a card."""
    counts = order.payment_status in COUNTED_PAYMENTS and order.status == PreOrderStatus.PENDING
    return counts and special.is_open


def is_made_by_guests(order: PreOrder, special: Special) -> bool:
    """Whether enough was ordered, so this order's special, not its alternative, is being cooked,
    and its day is still to come."""
    is_met = special.offer.ordered_portions >= special.offer.min_preorders
    is_cooked = special.state == SeatsState.SUCCEEDED and not order.serves_alternative
    is_day = is_the_day(order, special.now) or is_day_over(order, special.now)
    return is_met and is_cooked and shows_code(order) and not is_day


def fell_short(order: PreOrder, special: Special) -> bool:
    """Whether too few guests ordered, and nobody canceled the order before that was decided."""
    is_short = special.state == SeatsState.FAILED and special.needed > 0
    return is_short and not cancellation_of_order(order).by_somebody


def is_the_day(order: PreOrder, now: datetime) -> bool:
    """Whether the order is served today, where the restaurant is, and its guest still comes."""
    today = now.astimezone(order.offer.restaurant.zone).date()
    return order.status == PreOrderStatus.CONFIRMED and order.offer.serve_date == today


def is_day_over(order: PreOrder, now: datetime) -> bool:
    """Whether the day it is served is over, where the restaurant is."""
    served: date = order.offer.serve_date
    return served < now.astimezone(order.offer.restaurant.zone).date()
