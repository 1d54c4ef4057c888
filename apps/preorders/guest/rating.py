"""What a guest says after the meal: whether they would order it again (decision 149)."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from apps.common.errors import Conflict
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus

# How long after the serve date a guest can say it, or change their mind.
RATING_PERIOD = timedelta(days=30)


def can_rate(order: PreOrder, *, now: datetime) -> bool:
    """Whether the meal is over, and was had and paid."""
    today: date = now.astimezone(order.offer.restaurant.zone).date()
    served = order.offer.serve_date
    return (
        order.status in (PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED)
        and order.payment_status == PaymentStatus.CAPTURED
        and (served < today or (served == today and order.status == PreOrderStatus.FULFILLED))
        and today <= served + RATING_PERIOD
    )


@transaction.atomic
def rate_order(*, order: PreOrder, would_order_again: bool, now: datetime) -> PreOrder:
    """Store the guest's answer; the last one counts. The special's figures are counted again from
    its orders. Raises Conflict before the meal, and for an order that wasn't had."""
    # The special's row first, so that two guests who answer at once are both counted.
    SpecialOffer.objects.select_for_update(of=("self",)).get(pk=order.offer_id)
    locked = PreOrder.objects.select_for_update(of=("self",)).get(pk=order.pk)
    locked.offer = order.offer
    if not can_rate(locked, now=now):
        raise Conflict(_("You can say how it was after you've had your meal."))
    locked.would_order_again, locked.rated_at = would_order_again, now
    locked.save(update_fields=["would_order_again", "rated_at"])
    has_answer = Q(would_order_again__isnull=False)
    counted = PreOrder.objects.filter(has_answer, offer=order.offer_id).aggregate(
        ratings=Count("pk"), good_ratings=Count("pk", filter=Q(would_order_again=True))
    )
    SpecialOffer.objects.filter(pk=order.offer_id).update(**counted)
    return locked
