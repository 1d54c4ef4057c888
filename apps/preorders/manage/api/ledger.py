"""The staff API for the restaurant's ledger."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.preorders.manage.ledger import ledger_for_restaurant
from apps.preorders.manage.serializers.ledger import LedgerSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class LedgerView(RestaurantView):
    """The restaurant's ledger: the newest entries, and totals over all of them."""

    rights: ClassVar = {"GET": Permission.SEE_LEDGER}

    @extend_schema(responses=LedgerSerializer)
    def get(self, request: Request) -> Response:
        ledger = ledger_for_restaurant(restaurant=self.restaurant)
        return Response(LedgerSerializer(ledger).data)
