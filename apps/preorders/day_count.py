"""How far the day's hand-out has come."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from apps.preorders.models import PreOrder
from apps.preorders.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class DayCount:
    """Charged orders served on one day, and those of them that were picked up."""

    orders: int
    handed_out: int
    portions: int
    portions_handed_out: int


def day_count(*, restaurant: Restaurant, day: date) -> DayCount:
    """One statement; what was refunded whole is nobody's meal and not counted."""
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
