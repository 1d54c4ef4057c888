"""Pickup progress of one day."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from apps.preorders.models import PreOrder
from apps.preorders.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class DayCount:
    """Charged orders served on one day, and how many of them were picked up."""

    orders: int
    handed_out: int
    portions: int
    portions_handed_out: int


def day_count(*, restaurant: Restaurant, day: date) -> DayCount:
    """The day's pickup progress, in one query; fully refunded orders don't count."""
    served = PreOrder.objects.filter(
        restaurant=restaurant, offer__serve_date=day, payment_status=PaymentStatus.CAPTURED
    ).exclude(status=PreOrderStatus.CANCELLED)
    picked_up = Q(status=PreOrderStatus.FULFILLED)
    return DayCount(
        **served.aggregate(
            orders=Count("pk"),
            handed_out=Count("pk", filter=picked_up),
            portions=Coalesce(Sum("quantity"), 0),
            portions_handed_out=Coalesce(Sum("quantity", filter=picked_up), 0),
        )
    )
