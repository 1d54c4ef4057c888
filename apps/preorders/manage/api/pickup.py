"""The pickup progress API."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.preorders.manage.pickup_count import pickup_count
from apps.preorders.manage.serializers.orders import PickupCountSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class PickUpTodayView(RestaurantView):
    """Today's pickup progress, in the restaurant's time zone."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}

    @extend_schema(responses=PickupCountSerializer)
    def get(self, request: Request) -> Response:
        today = clock.now().astimezone(self.restaurant.zone).date()
        return Response(
            PickupCountSerializer(pickup_count(restaurant=self.restaurant, day=today)).data
        )
