"""The analytics' endpoint and its shapes (decision 21)."""

from datetime import date, timedelta
from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.errors import Forbidden, NotFound
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.selectors import offer_for_display
from apps.offers.states import was_successful, wire_status
from apps.preorders.reports.analytics import (
    Analytics,
    Figures,
    OfferFigures,
    Period,
    Totals,
    analytics_for,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission
from apps.restaurants.tiers import can_analyze

USUAL_DAYS = 30
LONGEST_DAYS = 731
NOT_IN_THE_PLAN = "Analytics are part of the Branded plan. Upgrade to see how your specials do."
WRONG_DAY = "Send days as YYYY-MM-DD"
FIRST_IS_LATER = "The first day must not be after the last"
TOO_LONG = "Choose a period of at most two years"
EARLIEST = date(2000, 1, 1)
AHEAD = timedelta(days=366)
OUTSIDE = "Choose days from the year 2000 on, and at most a year ahead"


class FiguresSerializer(serializers.Serializer[Figures]):
    views = serializers.IntegerField()
    orders = serializers.IntegerField()
    portions = serializers.IntegerField()
    conversion = serializers.DecimalField(
        6, 1, allow_null=True, help_text="Online orders for each hundred visits."
    )
    revenue = serializers.DecimalField(
        12, 2, help_text="Charged less what was given back, by the day the money moved."
    )
    payout = serializers.DecimalField(12, 2, help_text="The revenue less both fees.")


class TotalsSerializer(serializers.Serializer[Totals]):
    figures = FiguresSerializer()
    decidedOffers = serializers.IntegerField(source="decided")
    successfulOffers = serializers.IntegerField(source="successful")
    successRate = serializers.DecimalField(4, 1, source="success_rate", allow_null=True)
    diners = serializers.IntegerField()
    repeatGuests = serializers.IntegerField(source="repeat_guests")
    repeatRate = serializers.DecimalField(4, 1, source="repeat_rate", allow_null=True)


class StepSerializer(serializers.Serializer[Any]):
    start = serializers.DateField()
    figures = FiguresSerializer()


class OfferFiguresSerializer(serializers.Serializer[OfferFigures]):
    id = serializers.UUIDField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    serveDate = serializers.DateField(source="offer.serve_date")
    status = serializers.SerializerMethodField()
    wasSuccessful = serializers.SerializerMethodField()
    figures = FiguresSerializer()

    def get_status(self, row: OfferFigures) -> str:
        return wire_status(row.offer.status)

    def get_wasSuccessful(self, row: OfferFigures) -> bool | None:
        return was_successful(row.offer.status)


class PeriodSerializer(serializers.Serializer[Period]):
    first = serializers.DateField()
    last = serializers.DateField()


class AnalyticsSerializer(serializers.Serializer[Analytics]):
    period = PeriodSerializer()
    totals = TotalsSerializer()
    periodBefore = PeriodSerializer(source="period.before")
    before = TotalsSerializer()
    unit = serializers.ChoiceField(["day", "week"])
    series = serializers.SerializerMethodField()
    offers = OfferFiguresSerializer(many=True)
    offersLeftOut = serializers.IntegerField(source="offers_left_out")

    @extend_schema_field(StepSerializer(many=True))
    def get_series(self, analytics: Analytics) -> Any:
        steps = [{"start": day, "figures": each} for day, each in analytics.series.items()]
        return StepSerializer(steps, many=True).data


class AnalyticsQuery(serializers.Serializer[Any]):
    """The period; without one the last thirty days, today included."""

    to = serializers.DateField(required=False, error_messages={"invalid": WRONG_DAY})
    offer = serializers.UUIDField(
        required=False, error_messages={"invalid": "Send the special's id"}
    )

    def get_fields(self) -> Any:
        # `from` is a word of Python's.
        first = serializers.DateField(required=False, error_messages={"invalid": WRONG_DAY})
        return {"from": first, **super().get_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        today = self.context["today"]
        last = attrs.get("to", today)
        # What is before the calendar's begin is outside anyway.
        usual = max(last, EARLIEST) - timedelta(days=USUAL_DAYS - 1)
        first = attrs.get("from", usual)
        for sentence, wrong in (
            (OUTSIDE, first < EARLIEST or last > today + AHEAD),
            (FIRST_IS_LATER, first > last),
            (TOO_LONG, (last - first).days >= LONGEST_DAYS),
        ):
            if wrong:
                raise serializers.ValidationError({"from": sentence})
        return {"period": Period(first, last), "offer_id": attrs.get("offer")}


def first_analytics(restaurant: Restaurant) -> Any:
    """What the page shows first, in the API's shape."""
    return _analytics(restaurant, {})


def _analytics(restaurant: Restaurant, query: Any) -> Any:
    today = clock.now().astimezone(restaurant.zone).date()
    asked = AnalyticsQuery(data=query, context={"today": today})
    asked.is_valid(raise_exception=True)
    wanted = asked.validated_data
    if wanted["offer_id"] and not offer_for_display(
        restaurant=restaurant, offer_id=wanted["offer_id"]
    ):
        raise NotFound(UNKNOWN_OFFER)
    found = analytics_for(restaurant=restaurant, **wanted)
    return AnalyticsSerializer(found).data


class AnalyticsView(RestaurantView):
    """How the specials did in a period, compared with as many days before it."""

    rights: ClassVar = {"GET": Permission.SEE_LEDGER}

    @extend_schema(
        parameters=[
            OpenApiParameter("from", OpenApiTypes.DATE, description="The first day."),
            OpenApiParameter("to", OpenApiTypes.DATE, description="The last day; else today."),
            OpenApiParameter("offer", OpenApiTypes.UUID, description="Of this special alone."),
        ],
        responses=AnalyticsSerializer,
    )
    def get(self, request: Request) -> Response:
        if not can_analyze(self.restaurant):
            raise Forbidden(NOT_IN_THE_PLAN)
        return Response(_analytics(self.restaurant, request.query_params))
