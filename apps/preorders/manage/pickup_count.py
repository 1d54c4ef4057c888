"""How far the day's hand-out has come."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class PickupCount:
    """Charged orders served on one day, and those of them that were picked up."""

    orders: int
    picked_up: int
    portions: int
    portions_picked_up: int


def pickup_count(*, restaurant: Restaurant, day: date) -> PickupCount:
    """One statement; what was refunded whole is nobody's meal and not counted."""
    served = PreOrder.objects.filter(
        restaurant=restaurant, offer__serve_date=day, payment_status=PaymentStatus.CAPTURED
    ).exclude(status=PreOrderStatus.CANCELLED)
    picked_up = Q(status=PreOrderStatus.FULFILLED)
    return PickupCount(
        **served.aggregate(
            orders=Count("pk"),
            picked_up=Count("pk", filter=picked_up),
            portions=Coalesce(Sum("quantity"), 0),
            portions_picked_up=Coalesce(Sum("quantity", filter=picked_up), 0),
        )
    )
