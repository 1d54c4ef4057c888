"""Nudges: an automatic email when a special is close to its minimum, or to its deadline.

A special gets one nudge, so nobody gets two emails about it. It goes to followers who have not
ordered it. An owner can turn nudges off (decision 157).
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.marketing.campaigns.segments import recipients
from apps.marketing.campaigns.services import has_address
from apps.marketing.models import Campaign
from apps.offers.models import SpecialOffer
from apps.preorders.emails.reminders import announceable, is_daytime
from apps.restaurants.models import Restaurant

NEAR_PERCENT = 80  # of the minimum
LAST_HOURS = timedelta(hours=6)
SETTING = "nudges"  # in Restaurant.settings; on unless it is false


def nudges_are_on(restaurant: Restaurant) -> bool:
    return restaurant.settings.get(SETTING, True) is not False


@transaction.atomic
def set_nudges(*, restaurant: Restaurant, are_on: bool, now: datetime) -> None:
    """Turn nudges on or off for the restaurant."""
    own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
    if nudges_are_on(own) == are_on:
        return
    settings = {**own.settings, SETTING: are_on}
    Restaurant.objects.filter(pk=own.pk).update(settings=settings)
    record(Kind.SETTINGS_CHANGED, restaurant=own, fields=[SETTING], now=now)


def needing_a_nudge(*, now: datetime) -> QuerySet[SpecialOffer]:
    """Open specials without their minimum that are nearly there, or nearly over."""
    nearly_there = Q(ordered_portions__gte=F("min_preorders") * NEAR_PERCENT / 100.0)
    nearly_over = Q(deadline__lte=now + LAST_HOURS)
    short = announceable(now=now).filter(
        nearly_there | nearly_over,
        goes_ahead=False,
        ordered_portions__lt=F("min_preorders"),
    )
    return short.exclude(campaigns__kind=Campaign.Kind.NUDGE)


def queue_nudges(*, now: datetime) -> int:
    """Create the nudges that are due; returns how many. The caller acts as the platform."""
    found = needing_a_nudge(now=now).select_related("restaurant").order_by("deadline", "pk")
    queued = 0
    for offer in found[:200]:
        restaurant = offer.restaurant
        can_send = nudges_are_on(restaurant) and has_address(restaurant)
        if not can_send or not is_daytime(now, restaurant.zone):
            continue
        if recipients(
            restaurant, Campaign.Segment.ALL, special_offer=offer, kind=Campaign.Kind.NUDGE
        ).exists():
            queued += _queue(offer.restaurant_id, offer.pk, now=now)
    return queued


def _queue(restaurant_id: UUID, offer_id: UUID, *, now: datetime) -> int:
    """Create the nudge. If two workers try at once, a constraint lets one of them."""
    before = Campaign.objects.filter(special_offer=offer_id, kind=Campaign.Kind.NUDGE)
    if before.exists():
        return 0
    Campaign.objects.bulk_create(
        [
            Campaign(
                restaurant_id=restaurant_id,
                kind=Campaign.Kind.NUDGE,
                special_offer_id=offer_id,
                send_at=now,
                created_at=now,
            )
        ],
        ignore_conflicts=True,
    )
    return 1
