"""The pickup progress API."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.preorders.day_count import day_count
from apps.restaurants.api.views import RestaurantView
from apps.restaurants.roles import Right


class DayCountShape(serializers.Serializer[Any]):
    """Charged orders served on one day, and how many of them were picked up."""

    orders = serializers.IntegerField()
    handedOut = serializers.IntegerField(source="handed_out")
    portions = serializers.IntegerField()
    portionsHandedOut = serializers.IntegerField(source="portions_handed_out")


class PickUpTodayView(RestaurantView):
    """Today's pickup progress, in the restaurant's time zone."""

    rights: ClassVar = {"GET": Right.HAND_OUT_ORDERS}

    @extend_schema(responses=DayCountShape)
    def get(self, request: Request) -> Response:
        today = clock.now().astimezone(self.restaurant.zone).date()
        return Response(DayCountShape(day_count(restaurant=self.restaurant, day=today)).data)
