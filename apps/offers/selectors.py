"""Reads of offers and dishes, one query each."""

import re
from collections.abc import Collection
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from apps.common import rls
from apps.common.cursors import cursor_after, moment_and_key
from apps.offers.models import Dish, PickupSlot, SpecialOffer
from apps.offers.querysets import SpecialOfferQuerySet
from apps.offers.states import DECIDED, UNDECIDED, OfferStatus
from apps.restaurants.models import Restaurant

DASHBOARD_SHOWS_AFTER_DEADLINE = timedelta(days=7)
PROGRESS_AFTER_DEADLINE = timedelta(hours=1)
MAX_ROWS = 500
SHORT_CODE = re.compile(r"[0-9a-f]{8}")  # of a short link: the first characters of the id
RECORD_MIN_SPECIALS = 5  # fewer decided specials say nothing about a restaurant
RATINGS_MIN = 5  # fewer answers say nothing about a restaurant
RECORD_CACHE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class ReliabilityRecord:
    """How many of a restaurant's specials were decided, and how many of those went ahead; how many
    guests said how it was, and how many of those would order it again."""

    decided: int
    succeeded: int
    ratings: int = 0
    good_ratings: int = 0

    @property
    def says_enough(self) -> bool:
        """Whether enough guests said how it was to show it."""
        return self.ratings >= RATINGS_MIN


def offers_for_guests(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """The restaurant's open specials, next deadline first (DECISIONS X32)."""
    return _open_offers(restaurant, now).with_more_photos()[:MAX_ROWS]


def _open_offers(restaurant: Restaurant, now: datetime) -> SpecialOfferQuerySet:
    offers = SpecialOffer.objects.open(now).filter(restaurant=restaurant)
    return offers.for_display().order_by("deadline", "pk")


def offers_being_watched(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """Specials that a page opened a while ago may still show: the open ones, and those whose
    deadline passed within the last hour."""
    offers = SpecialOffer.objects.filter(
        restaurant=restaurant, deadline__gt=now - PROGRESS_AFTER_DEADLINE
    )
    offers = offers.exclude(status=OfferStatus.DELETED)
    return offers.for_display().order_by("deadline", "pk")[:MAX_ROWS]


def offers_for_dashboard(*, restaurant: Restaurant, now: datetime) -> QuerySet[SpecialOffer]:
    """Specials that are open, closing, or ended within the last 7 days, latest deadline first."""
    return _current_offers(restaurant, now).with_more_photos()[:MAX_ROWS]


def _current_offers(restaurant: Restaurant, now: datetime) -> SpecialOfferQuerySet:
    current = Q(status__in=sorted(UNDECIDED)) | Q(
        status__in=sorted(DECIDED), deadline__gt=now - DASHBOARD_SHOWS_AFTER_DEADLINE
    )
    offers = SpecialOffer.objects.filter(current, restaurant=restaurant)
    return offers.for_display().order_by("-deadline", "pk")


@dataclass(frozen=True, slots=True)
class OfferPage:
    offers: list[SpecialOffer]
    next_cursor: str | None


def offer_page(
    *, restaurant: Restaurant, now: datetime, for_team: bool, cursor: str | None, limit: int
) -> OfferPage:
    """One page of the dashboard's specials, or of those that guests see. Raises InvalidCursor."""
    offers = (_current_offers if for_team else _open_offers)(restaurant, now)
    if place := moment_and_key(cursor):
        deadline, key = place
        beyond = Q(deadline__lt=deadline) if for_team else Q(deadline__gt=deadline)
        offers = offers.filter(beyond | Q(deadline=deadline, pk__gt=key))
    page = list(offers.with_more_photos()[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    return OfferPage(page[:limit], cursor_after(last.deadline, last.pk) if last else None)


def offer_for_display(*, restaurant: Restaurant, offer_id: UUID) -> SpecialOffer | None:
    """One of the restaurant's offers in any state; None if it isn't theirs.

    Annotated with `has_slots`, because most offers have none and need no second query.
    """
    shown = _with_has_slots(restaurant).select_related("alternative_dish__photo")
    return shown.filter(pk=offer_id).first()


def offer_by_short_code(*, restaurant: Restaurant, code: str) -> UUID | None:
    """The id of the restaurant's offer whose id begins with these hexadecimal characters; the
    latest if there are several, None if there is none."""
    if not SHORT_CODE.fullmatch(code):
        return None
    first, last = UUID(code.ljust(32, "0")), UUID(code.ljust(32, "f"))
    offers = SpecialOffer.objects.filter(restaurant=restaurant, pk__range=(first, last))
    found = offers.exclude(status=OfferStatus.DELETED).order_by("-created_at")
    return found.values_list("pk", flat=True).first()


def offers_by_ids(*, restaurant: Restaurant, offer_ids: Collection[UUID]) -> list[SpecialOffer]:
    """The restaurant's offers among these ids, like `offer_for_display`, in the order in which they
    are served."""
    offers = _with_has_slots(restaurant).filter(pk__in=offer_ids)
    return list(offers.order_by("serve_date", "name", "pk"))


def _with_has_slots(restaurant: Restaurant) -> QuerySet[SpecialOffer]:
    slots = PickupSlot.objects.filter(offer=OuterRef("pk"))
    offers = SpecialOffer.objects.for_display().with_more_photos().filter(restaurant=restaurant)
    return offers.annotate(has_slots=Exists(slots))


def restaurant_of_offer(offer_id: UUID) -> Restaurant | None:
    """The restaurant an offer belongs to. Call it as the platform: before it answers, there is no
    restaurant to act as."""
    offer = SpecialOffer.objects.select_related("restaurant").filter(pk=offer_id).first()
    return offer.restaurant if offer else None


def dishes_on_the_menu(*, restaurant: Restaurant) -> QuerySet[Dish]:
    """The regular menu as guests see it, with photos, in the owner's order."""
    dishes = restaurant.dishes.shown_to_guests()
    return dishes.select_related("photo")[:MAX_ROWS]


def dishes_for_owner(*, restaurant: Restaurant) -> QuerySet[Dish]:
    """The regular menu including dishes hidden from guests."""
    dishes = restaurant.dishes.on_the_menu()
    return dishes.select_related("photo")[:MAX_ROWS]


def record_of(restaurant: Restaurant) -> ReliabilityRecord:
    """How many of the restaurant's specials went ahead, over all time."""
    decided = SpecialOffer.objects.filter(restaurant=restaurant, status__in=sorted(DECIDED))
    counted = decided.aggregate(
        decided=Count("pk"),
        succeeded=Count("pk", filter=Q(status=OfferStatus.SUCCEEDED)),
        ratings=Coalesce(Sum("ratings"), 0),
        good_ratings=Coalesce(Sum("good_ratings"), 0),
    )
    return ReliabilityRecord(**counted)


def record_for_guests(restaurant: Restaurant) -> ReliabilityRecord | None:
    """The record for public pages; None with too few decided specials.

    Cached for 5 minutes, because it changes only at deadlines.
    """
    key = f"record:{restaurant.pk}"
    cached: list[int] | None = cache.get(key)
    if cached is not None:
        record = ReliabilityRecord(*cached)
    else:
        with rls.acting_as(restaurant):
            record = record_of(restaurant)
        cache.set(key, astuple(record), RECORD_CACHE_SECONDS)
    return record if record.decided >= RECORD_MIN_SPECIALS else None


def restaurants_with_specials(*, now: datetime) -> list[Restaurant]:
    """Active restaurants with an open special, by name. Reads across all restaurants."""
    with rls.acting_as(rls.PLATFORM):
        offering = SpecialOffer.objects.open(now).values("restaurant")
        found = Restaurant.objects.filter(pk__in=offering, status=Restaurant.Status.ACTIVE)
        return list(found.order_by("name", "pk")[:MAX_ROWS])
