"""The pick-up page's count: how many of today's orders are out."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.preorders.manage.pickup_count import pickup_count
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class PickupCountSerializer(serializers.Serializer[Any]):
    """Charged orders served on one day, and those of them that were picked up."""

    orders = serializers.IntegerField()
    pickedUp = serializers.IntegerField(source="picked_up")
    portions = serializers.IntegerField()
    portionsPickedUp = serializers.IntegerField(source="portions_picked_up")


class PickUpTodayView(RestaurantView):
    """How far today's hand-out has come, by the restaurant's clock."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}

    @extend_schema(responses=PickupCountSerializer)
    def get(self, request: Request) -> Response:
        today = clock.now().astimezone(self.restaurant.zone).date()
        return Response(
            PickupCountSerializer(pickup_count(restaurant=self.restaurant, day=today)).data
        )
