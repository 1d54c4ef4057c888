"""Offers and dishes as others look for them, each in one statement."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from apps.common import rls
from apps.offers.models import Dish, PickupSlot, SpecialOffer
from apps.offers.states import DECIDED, UNDECIDED, OfferStatus
from apps.restaurants.models import Restaurant

SHOWN_AFTER_DEADLINE = timedelta(days=7)
WATCHED_AFTER = timedelta(hours=1)
MOST_AT_ONCE = 500
RECORD_FROM = 5  # decided specials; fewer say nothing about a restaurant
RECORD_CACHE_SECONDS = 300  # seconds


@dataclass(frozen=True, slots=True)
class ReliabilityRecord:
    """Of so many specials the restaurant has had decided, so many went ahead."""

    decided: int
    succeeded: int


def offers_for_guests(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """Open for pre-orders, the next deadline first; nothing deleted or expired (DECISIONS X32)."""
    offers = SpecialOffer.objects.open(now).filter(restaurant=restaurant)
    return offers.for_display().order_by("deadline", "pk")[:MOST_AT_ONCE]


def offers_being_watched(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """What a list of specials may still show to somebody who opened it a while ago: the open ones,
    and those whose deadline passed within the last hour."""
    offers = SpecialOffer.objects.filter(restaurant=restaurant, deadline__gt=now - WATCHED_AFTER)
    offers = offers.exclude(status=OfferStatus.DELETED)
    return offers.for_display().order_by("deadline", "pk")[:MOST_AT_ONCE]


def offers_for_dashboard(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """What concerns the owner now: active, being decided, or ended within the last 7 days; the
    newest deadline first."""
    current = Q(status__in=sorted(UNDECIDED)) | Q(
        status__in=sorted(DECIDED), deadline__gt=now - SHOWN_AFTER_DEADLINE
    )
    offers = SpecialOffer.objects.filter(current, restaurant=restaurant)
    return offers.for_display().order_by("-deadline", "pk")[:MOST_AT_ONCE]


def offer_for_display(*, restaurant: Restaurant, offer_id: UUID) -> SpecialOffer | None:
    """One offer of the restaurant, whatever its state; None when it is not the restaurant's.

    It knows whether it `has_slots`, which most offers do not.
    """
    return _with_slot_flag(restaurant).filter(pk=offer_id).first()


def offers_by_ids(*, restaurant: Restaurant, offer_ids: Collection[UUID]) -> list[SpecialOffer]:
    """Those of the restaurant's offers, like `offer_for_display`."""
    return list(_with_slot_flag(restaurant).filter(pk__in=offer_ids).order_by("deadline", "pk"))


def _with_slot_flag(restaurant: Restaurant) -> QuerySet[SpecialOffer]:
    slots = PickupSlot.objects.filter(offer=OuterRef("pk"))
    offers = SpecialOffer.objects.for_display().filter(restaurant=restaurant)
    return offers.annotate(has_slots=Exists(slots))


def restaurant_of_offer(offer_id: UUID) -> Restaurant | None:
    """Whose offer this is; asked acting as the platform, since nobody knows yet whom to act as."""
    offer = SpecialOffer.objects.select_related("restaurant").filter(pk=offer_id).first()
    return offer.restaurant if offer else None


def dishes_on_the_menu(*, restaurant: Restaurant) -> QuerySet[Dish]:
    """The regular menu with its photos, in the owner's order, as guests see it: nothing hidden."""
    dishes = Dish.objects.shown_to_guests().filter(restaurant=restaurant)
    return dishes.select_related("photo")[:MOST_AT_ONCE]


def dishes_for_owner(*, restaurant: Restaurant) -> QuerySet[Dish]:
    """The same with what is hidden from guests (A13)."""
    dishes = Dish.objects.on_the_menu().filter(restaurant=restaurant)
    return dishes.select_related("photo")[:MOST_AT_ONCE]


def record_of(restaurant: Restaurant) -> ReliabilityRecord:
    """How reliably the restaurant's specials go ahead, from its first one on."""
    decided = SpecialOffer.objects.filter(restaurant=restaurant, status__in=sorted(DECIDED))
    counted = decided.aggregate(
        decided=Count("pk"), succeeded=Count("pk", filter=Q(status=OfferStatus.SUCCEEDED))
    )
    return ReliabilityRecord(counted["decided"], counted["succeeded"])


def record_for_guests(restaurant: Restaurant) -> ReliabilityRecord | None:
    """The same for the public pages; None while there is too little to go by. Kept for a few
    minutes, because it changes with a deadline at most."""
    key = f"record:{restaurant.pk}"
    record: ReliabilityRecord | None = cache.get(key)
    if record is None:
        with rls.acting_as(restaurant):
            record = record_of(restaurant)
        cache.set(key, record, RECORD_CACHE_SECONDS)
    return record if record.decided >= RECORD_FROM else None


def restaurants_with_specials(*, now: datetime) -> list[Restaurant]:
    """Whoever has something to order now, by name; asked across all restaurants."""
    with rls.acting_as(rls.PLATFORM):
        offering = SpecialOffer.objects.open(now).values("restaurant")
        found = Restaurant.objects.filter(pk__in=offering, status=Restaurant.Status.ACTIVE)
        return list(found.order_by("name", "pk")[:MOST_AT_ONCE])
