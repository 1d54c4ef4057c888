"""The analytics API (decision 21)."""

from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import NotFound
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.selectors import offer_for_display
from apps.preorders.reports.analytics import (
    analytics_for,
)
from apps.preorders.reports.serializers import AnalyticsQuery, AnalyticsSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.entitlements import Feature, require
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission


def first_analytics(restaurant: Restaurant) -> Any:
    """The default period's analytics, in the API's format, for the page."""
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
    return AnalyticsSerializer(found, context={"currency": restaurant.currency}).data


class AnalyticsView(RestaurantView):
    """Analytics of a period, compared with the period of the same length before it."""

    rights: ClassVar = {"GET": Permission.SEE_LEDGER}
    refusals: ClassVar = {
        "GET": (ErrorCode.NOT_IN_PLAN,),
    }

    @extend_schema(
        parameters=[
            OpenApiParameter("from", OpenApiTypes.DATE, description="The first day."),
            OpenApiParameter(
                "to", OpenApiTypes.DATE, description="The last day; today by default."
            ),
            OpenApiParameter("offer", OpenApiTypes.UUID, description="Only this special."),
        ],
        responses=AnalyticsSerializer,
    )
    def get(self, request: Request) -> Response:
        require(self.restaurant, Feature.ANALYTICS)
        return Response(_analytics(self.restaurant, request.query_params))
