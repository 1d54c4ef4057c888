"""Serializers of past specials."""

from datetime import date, datetime
from typing import Any

from rest_framework import serializers

from apps.common.api.fields import currency_field
from apps.offers import history
from apps.offers.api.fields import MarksField, clock_field
from apps.offers.api.serializers.specials import NOON
from apps.offers.api.serializers.translations import SpecialTranslationsSerializer
from apps.offers.dietary import Allergen, Diet
from apps.offers.history import History, PastOffer
from apps.offers.images import photo_jpeg, photo_srcset
from apps.offers.presentation import Special
from apps.offers.series.schedule import next_dates
from apps.offers.serving import ServiceMode
from apps.offers.states import EXPIRED_LABEL, OfferStatus, was_successful

SORT_BY = (history.NAME, history.DATE_ENTERED)
SORT_ORDER = (history.ASCENDING, history.DESCENDING)


class HistoryEntrySerializer(serializers.Serializer[PastOffer]):
    """A past special, with everything needed to publish it again."""

    id = serializers.UUIDField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    description = serializers.CharField(source="offer.description")
    regularPrice = serializers.DecimalField(10, 2, source="offer.regular_price")
    specialOfferPrice = serializers.DecimalField(10, 2, source="offer.special_price")
    currency = currency_field("offer.restaurant.currency")
    createdAt = serializers.DateTimeField(source="offer.created_at")
    specialServeDate = serializers.SerializerMethodField(
        help_text="Noon of the serve day in the restaurant's zone."
    )
    preorderExpiresAt = serializers.DateTimeField(source="offer.deadline")
    nextServeDate = serializers.SerializerMethodField(
        help_text="When it is served next if it runs again on its old weekday: noon, as above."
    )
    nextDeadline = serializers.SerializerMethodField(
        help_text="When it closes next if it runs again with its old hours."
    )
    validPreorders = serializers.IntegerField(
        source="valid", help_text="Portions whose cards are held or were charged."
    )
    totalPreorders = serializers.IntegerField(
        source="ordered", help_text="All portions ever ordered, including canceled ones."
    )
    minPreordersRequired = serializers.IntegerField(source="offer.min_preorders")
    maxPreorders = serializers.IntegerField(source="offer.max_preorders", allow_null=True)
    maxPerOrder = serializers.IntegerField(source="offer.max_per_order")
    friendHours = serializers.IntegerField(source="offer.friend_hours")
    wasSuccessful = serializers.SerializerMethodField(
        help_text="Whether it went ahead; null before the decision and for a deleted special."
    )
    status = serializers.SerializerMethodField()
    hasAlternative = serializers.BooleanField(source="offer.has_alternative")
    alternativeDishName = serializers.SerializerMethodField()
    alternativeDishId = serializers.UUIDField(source="offer.alternative_dish_id", allow_null=True)
    allergens = MarksField(Allergen, source="offer.allergens")
    dietary = MarksField(Diet, source="offer.dietary")
    serviceMode = serializers.ChoiceField(source="offer.service_mode", choices=ServiceMode.choices)
    serveFrom = clock_field(source="offer.serve_from", read_only=True)
    serveUntil = clock_field(source="offer.serve_until", read_only=True)
    story = serializers.CharField(source="offer.story")
    translations = SpecialTranslationsSerializer(source="offer.translations")
    imageUrl = serializers.SerializerMethodField()
    moreImageUrls = serializers.SerializerMethodField(help_text="Photos other than the first one.")
    imageSrcset = serializers.SerializerMethodField()

    def get_specialServeDate(self, past: PastOffer) -> str:
        return _noon(past, past.offer.serve_date)

    def get_nextServeDate(self, past: PastOffer) -> str:
        zone = past.offer.restaurant.zone
        return _noon(past, next_dates(past.offer, now=past.now, zone=zone)[0])

    def get_nextDeadline(self, past: PastOffer) -> datetime:
        return next_dates(past.offer, now=past.now, zone=past.offer.restaurant.zone)[1]

    def get_wasSuccessful(self, past: PastOffer) -> bool | None:
        return was_successful(past.offer.status)

    def get_status(self, past: PastOffer) -> str:
        deleted = past.offer.status == OfferStatus.DELETED
        return str(OfferStatus.DELETED) if deleted else EXPIRED_LABEL

    def get_alternativeDishName(self, past: PastOffer) -> str | None:
        dish = past.offer.alternative_dish
        return dish.name if past.offer.has_alternative and dish else None

    def get_imageUrl(self, past: PastOffer) -> str | None:
        return photo_jpeg(past.offer.photo) if past.offer.photo else None

    def get_moreImageUrls(self, past: PastOffer) -> list[str]:
        return [photo_jpeg(photo) for photo in Special(past.offer, past.now).more_photos]

    def get_imageSrcset(self, past: PastOffer) -> str | None:
        return photo_srcset(past.offer.photo) if past.offer.photo else None


def _noon(past: PastOffer, day: date) -> str:
    return datetime.combine(day, NOON, past.offer.restaurant.zone).isoformat()


class HistorySerializer(serializers.Serializer[History]):
    history = HistoryEntrySerializer(many=True, source="entries")
    totalOffers = serializers.IntegerField(source="counts.total")
    successfulOffers = serializers.IntegerField(source="counts.successful")
    expiredOffers = serializers.IntegerField(
        source="counts.expired",
        help_text="All specials that ended at their deadline, successful or not.",
    )
    deletedOffers = serializers.IntegerField(source="counts.deleted")
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class HistoryQuery(serializers.Serializer[Any]):
    """Sort order and page of the history."""

    sort_by = serializers.ChoiceField(
        SORT_BY,
        required=False,
        default=history.DATE_ENTERED,
        error_messages={"invalid_choice": "Sort by name or date_entered"},
    )
    sort_order = serializers.ChoiceField(
        SORT_ORDER,
        required=False,
        default=history.DESCENDING,
        error_messages={"invalid_choice": "Choose asc or desc"},
    )
    cursor = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=400, trim_whitespace=False
    )
