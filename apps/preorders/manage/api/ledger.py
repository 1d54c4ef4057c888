"""The staff API for the restaurant's ledger."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode
from apps.preorders.manage.ledger import ledger_by_order, ledger_for_restaurant
from apps.preorders.manage.serializers.ledger import LedgerByOrderSerializer, LedgerSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class LedgerView(RestaurantView):
    """The restaurant's ledger: the newest entries, and the totals of all entries."""

    rights: ClassVar = {"GET": Permission.SEE_LEDGER}
    refusals: ClassVar = {"GET": (ErrorCode.INVALID_CURSOR,)}

    @extend_schema(parameters=[CURSOR, limit_parameter()], responses=LedgerSerializer)
    def get(self, request: Request) -> Response:
        ledger = ledger_for_restaurant(
            restaurant=self.restaurant,
            cursor=request.query_params.get("cursor"),
            limit=read_limit(request),
        )
        return Response(LedgerSerializer(ledger).data)


class LedgerByOrderView(RestaurantView):
    """The ledger's sums by order, the latest change first, and its totals."""

    rights: ClassVar = {"GET": Permission.SEE_LEDGER}
    refusals: ClassVar = {"GET": (ErrorCode.INVALID_CURSOR,)}

    @extend_schema(parameters=[CURSOR, limit_parameter()], responses=LedgerByOrderSerializer)
    def get(self, request: Request) -> Response:
        ledger = ledger_by_order(
            restaurant=self.restaurant,
            cursor=request.query_params.get("cursor"),
            limit=read_limit(request),
        )
        return Response(LedgerByOrderSerializer(ledger).data)
