"""The email that asks how the meal was, the day after: once per order (decision 149)."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

# From this time of the day after, in the restaurant's time zone, for two days.
ASK_FROM = time(10)
ASK_DAYS = 2


def just_served(*, now: datetime) -> QuerySet[PreOrder]:
    """Charged orders whose guests had their meal yesterday or the day before, and haven't said how
    it was: not those that weren't picked up, were refunded, or are disputed."""
    due = Q(pk__in=[])
    zones = Restaurant.objects.order_by().values_list("timezone", flat=True).distinct()
    for name in zones:
        local = now.astimezone(ZoneInfo(name))
        if local.time() < ASK_FROM:
            continue
        days = [local.date() - timedelta(days=ago) for ago in range(1, ASK_DAYS + 1)]
        due |= Q(offer__restaurant__timezone=name, offer__serve_date__in=days)
    return PreOrder.objects.filter(
        due,
        status__in=[PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED],
        payment_status=PaymentStatus.CAPTURED,
        refunded_amount=0,
        disputed_amount=0,
        would_order_again=None,
        offer__restaurant__status=Restaurant.Status.ACTIVE,
    )
