"""API of past specials."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode
from apps.offers import history
from apps.offers.api.serializers.history import (
    SORT_BY,
    SORT_ORDER,
    HistoryEntrySerializer,
    HistoryQuery,
    HistorySerializer,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission


def first_page(restaurant: Restaurant, *, now: datetime) -> Any:
    """The first page of the history, serialized as in the API."""
    return HistorySerializer(history.history_of(restaurant=restaurant, now=now)).data


def entry_to_run_again(restaurant: Restaurant, asked: str, *, now: datetime) -> Any:
    """The special with this id, serialized as in the history; None if it isn't the restaurant's."""
    try:
        offer_id = UUID(asked)
    except ValueError:
        return None
    past = history.offer_to_run_again(restaurant=restaurant, offer_id=offer_id, now=now)
    return HistoryEntrySerializer(past).data if past else None


class HistoryView(RestaurantView):
    """Specials that ended or were deleted, a page at a time, with totals."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}
    refusals: ClassVar = {
        "GET": (ErrorCode.INVALID_CURSOR,),
    }

    @extend_schema(
        parameters=[
            OpenApiParameter("sort_by", str, enum=SORT_BY, default=history.DATE_ENTERED),
            OpenApiParameter("sort_order", str, enum=SORT_ORDER, default=history.DESCENDING),
            CURSOR,
            limit_parameter(),
        ],
        responses=HistorySerializer,
    )
    def get(self, request: Request) -> Response:
        query = HistoryQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        page = history.history_of(
            restaurant=self.restaurant,
            now=clock.now(),
            limit=read_limit(request),
            **query.validated_data,
        )
        return Response(HistorySerializer(page).data)
