"""The history's endpoint (A11) and its shapes (D2, D3)."""

from datetime import datetime
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.offers import history
from apps.offers.api.fields import MarksField
from apps.offers.api.serializers import NOON
from apps.offers.dietary import Allergen, Diet
from apps.offers.history import History, PastOffer
from apps.offers.images import photo_jpeg, photo_srcset
from apps.offers.states import EXPIRED_LABEL, OfferStatus, was_successful
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission

SORT_BY = (history.NAME, history.DATE_ENTERED)
SORT_ORDER = (history.ASCENDING, history.DESCENDING)


class HistoryEntrySerializer(serializers.Serializer[PastOffer]):
    """One special of the past, with all that publishing it anew needs."""

    id = serializers.UUIDField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    description = serializers.CharField(source="offer.description")
    regularPrice = serializers.DecimalField(10, 2, source="offer.regular_price")
    specialOfferPrice = serializers.DecimalField(10, 2, source="offer.special_price")
    createdAt = serializers.DateTimeField(source="offer.created_at")
    specialServeDate = serializers.SerializerMethodField(
        help_text="Noon of the serve day in the restaurant's zone."
    )
    preorderExpiresAt = serializers.DateTimeField(source="offer.deadline")
    validPreorders = serializers.IntegerField(
        source="valid", help_text="Portions whose cards were charged, or are held."
    )
    totalPreorders = serializers.IntegerField(
        source="ordered", help_text="Portions ever ordered, whatever became of them."
    )
    minPreordersRequired = serializers.IntegerField(source="offer.min_preorders")
    maxPreorders = serializers.IntegerField(source="offer.max_preorders", allow_null=True)
    maxPerOrder = serializers.IntegerField(source="offer.max_per_order")
    wasSuccessful = serializers.SerializerMethodField(
        help_text="Whether it went ahead; null while that is being decided, or when it was deleted."
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
        source="counts.expired", help_text="All that ended at their deadline, successful or not."
    )
    deletedOffers = serializers.IntegerField(source="counts.deleted")
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class HistoryQuery(serializers.Serializer[Any]):
    """How the history is to be sorted (R76)."""

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
        error_messages={"invalid_choice": "The order is asc or desc"},
    )
    cursor = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=400, trim_whitespace=False
    )


def first_page(restaurant: Restaurant, *, now: datetime) -> Any:
    """The history as a page shows it first, in the API's shape."""
    return HistorySerializer(history.history_of(restaurant=restaurant, now=now)).data


class HistoryView(RestaurantView):
    """Specials that ended or were deleted, a page at a time, and how many there were."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(
        parameters=[
            OpenApiParameter("sort_by", str, enum=SORT_BY, default=history.DATE_ENTERED),
            OpenApiParameter("sort_order", str, enum=SORT_ORDER, default=history.DESCENDING),
            OpenApiParameter(
                "cursor", str, description="`nextCursor` of the page before, in the same order."
            ),
        ],
        responses=HistorySerializer,
    )
    def get(self, request: Request) -> Response:
        query = HistoryQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = history.history_of(
            restaurant=self.restaurant, now=clock.now(), **query.validated_data
        )
        return Response(HistorySerializer(found).data)
