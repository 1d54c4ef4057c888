"""Serializers of past specials."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.common.api.fields import currency_field
from apps.offers import history
from apps.offers.api.fields import MarksField
from apps.offers.api.serializers.specials import NOON
from apps.offers.dietary import Allergen, Diet
from apps.offers.history import History, PastOffer
from apps.offers.images import photo_jpeg, photo_srcset
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
    validPreorders = serializers.IntegerField(
        source="valid", help_text="Portions whose cards are held or were charged."
    )
    totalPreorders = serializers.IntegerField(
        source="ordered", help_text="All portions ever ordered, including canceled ones."
    )
    minPreordersRequired = serializers.IntegerField(source="offer.min_preorders")
    maxPreorders = serializers.IntegerField(source="offer.max_preorders", allow_null=True)
    maxPerOrder = serializers.IntegerField(source="offer.max_per_order")
    wasSuccessful = serializers.SerializerMethodField(
        help_text="Whether it went ahead; null before the decision and for a deleted special."
    )
    status = serializers.SerializerMethodField()
    hasAlternative = serializers.BooleanField(source="offer.has_alternative")
    alternativeDishName = serializers.SerializerMethodField()
    alternativeDishId = serializers.UUIDField(source="offer.alternative_dish_id", allow_null=True)
    allergens = MarksField(Allergen, source="offer.allergens")
    dietary = MarksField(Diet, source="offer.dietary")
    imageUrl = serializers.SerializerMethodField()
    imageSrcset = serializers.SerializerMethodField()

    def get_specialServeDate(self, past: PastOffer) -> str:
        zone = past.offer.restaurant.zone
        return datetime.combine(past.offer.serve_date, NOON, zone).isoformat()

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

    def get_imageSrcset(self, past: PastOffer) -> str | None:
        return photo_srcset(past.offer.photo) if past.offer.photo else None


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
