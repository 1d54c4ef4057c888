"""Check-ins: orders that a device marked as picked up, perhaps while it was offline.

A device names each check-in, stores it, and sends it until it is answered. So one that arrives
twice counts once; and of two devices that handed over the same order, the first to arrive is
counted, and the second is told by whom and when it was (decision 140).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery

from apps.common import formats
from apps.common.errors import DomainError, NotFound
from apps.preorders.manage.fulfillment import lock_own_order, mark_picked_up
from apps.preorders.manage.order_list import for_people
from apps.preorders.manage.pickup import PickUp, judge
from apps.preorders.models import PickupCheckIn, PreOrder, PreOrderTransition
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

MAX_LISTED = 1000  # orders of a day
# A device's clock can be wrong. An older time than this is replaced by the time of arrival.
MAX_AGE = timedelta(hours=36)


class CheckInStatus(StrEnum):
    PICKED_UP = "picked_up"  # this check-in is the one that counts
    ALREADY = "already"  # the order was picked up before
    REFUSED = "refused"  # it can't be picked up: canceled, not paid, or not found


@dataclass(frozen=True, slots=True)
class CheckIn:
    """What a device sends. `made_at` is by its clock."""

    key: UUID
    order_id: UUID
    made_at: datetime


@dataclass(frozen=True, slots=True)
class CheckInResult:
    """The result of a check-in; `sentence` is for the person at the device."""

    key: UUID
    status: CheckInStatus
    sentence: str


def pickup_list(*, restaurant: Restaurant, day: date, now: datetime) -> list[PickUp]:
    """Every order served on `day` that somebody could ask for, judged as a look-up would, by name.

    In one query. Orders that were never paid for are left out.
    """
    asked_for = Q(
        payment_status__in=[
            PaymentStatus.CAPTURED,
            PaymentStatus.CAPTURE_FAILED,
            PaymentStatus.REFUNDED,
        ]
    )
    orders = PreOrder.objects.filter(asked_for, restaurant=restaurant, offer__serve_date=day)
    fetched = PreOrderTransition.objects.filter(
        pre_order=OuterRef("pk"), field="status", new=PreOrderStatus.FULFILLED
    )
    listed = for_people(orders).select_related("offer__alternative_dish", "offer__photo")
    listed = listed.annotate(fetched_at=Subquery(fetched.order_by("-pk").values("at")[:1]))
    found = list(listed.order_by("customer_name", "pk")[:MAX_LISTED])
    for order in found:
        order.restaurant = order.offer.restaurant = restaurant
    return [judge(order, now) for order in found]


def check_in(
    *, restaurant: Restaurant, check_ins: Sequence[CheckIn], by: str, now: datetime
) -> list[CheckInResult]:
    """Record what a device sent, each check-in in a transaction of its own, in this order.

    `by` is the name of whoever is signed in on the device.
    """
    return [_check_in(restaurant, each, by=by, now=now) for each in check_ins]


@transaction.atomic
def _check_in(restaurant: Restaurant, made: CheckIn, *, by: str, now: datetime) -> CheckInResult:
    try:
        order = lock_own_order(restaurant, made.order_id)
    except NotFound as refusal:
        return CheckInResult(made.key, CheckInStatus.REFUSED, refusal.message)
    known = PickupCheckIn.objects.filter(restaurant=restaurant, key=made.key).first()
    if known is not None and known.pre_order_id == order.pk:
        return CheckInResult(made.key, CheckInStatus.PICKED_UP, "Picked up.")
    if order.status == PreOrderStatus.FULFILLED:
        return CheckInResult(made.key, CheckInStatus.ALREADY, _already(order))
    at = made.made_at if now - MAX_AGE < made.made_at < now else now
    try:
        mark_picked_up(restaurant=restaurant, order_id=order.pk, by=by, now=at)
    except DomainError as refusal:
        return CheckInResult(made.key, CheckInStatus.REFUSED, refusal.message)
    if known is None:
        PickupCheckIn.objects.create(
            restaurant=restaurant, pre_order=order, key=made.key, made_at=made.made_at, at=now
        )
    return CheckInResult(made.key, CheckInStatus.PICKED_UP, "Picked up.")


def _already(order: PreOrder) -> str:
    """By whom and when it was picked up."""
    last = order.transitions.filter(field="status", new=PreOrderStatus.FULFILLED)
    row = last.order_by("-pk").first()
    if row is None:
        return "This order was picked up before."
    who = f" by {row.actor}" if row.actor else ""
    when = formats.moment(row.at, order.offer.restaurant.zone)
    return f"This order was already marked as picked up{who}, {when}."
