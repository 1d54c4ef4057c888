"""Restaurants as guests' pages look them up (A28, A29)."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common import clock
from apps.common.errors import NotFound
from apps.restaurants import selectors
from apps.restaurants.models import Restaurant

NOT_FOUND = "This restaurant could not be found or is not available."  # T59


class RestaurantNameSerializer(serializers.Serializer[Restaurant]):
    id = serializers.UUIDField()
    name = serializers.CharField()


def _answer(restaurant: Restaurant | None) -> Response:
    if restaurant is None:
        raise NotFound(NOT_FOUND)
    return Response(RestaurantNameSerializer(restaurant).data)


class RestaurantByIdView(APIView):
    """The restaurant with this id, when it is open to the public."""

    authentication_classes = []

    @extend_schema(responses=RestaurantNameSerializer)
    def get(self, request: Request, restaurant_id: UUID) -> Response:
        return _answer(selectors.active_restaurant_by_id(restaurant_id))


class RestaurantBySubdomainView(APIView):
    """The restaurant at this subdomain, or at whose former one it is."""

    authentication_classes = []

    @extend_schema(responses=RestaurantNameSerializer)
    def get(self, request: Request, subdomain: str) -> Response:
        return _answer(selectors.active_restaurant_by_subdomain(subdomain, now=clock.now()))
