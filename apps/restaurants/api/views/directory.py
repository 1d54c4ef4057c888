"""Public look-up of a restaurant by id or subdomain."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common import clock
from apps.common.errors import NotFound
from apps.restaurants import selectors
from apps.restaurants.api.serializers.tenants import RestaurantNameSerializer
from apps.restaurants.models import Restaurant

NOT_FOUND = "This restaurant could not be found or is not available."


def _answer(restaurant: Restaurant | None) -> Response:
    if restaurant is None:
        raise NotFound(NOT_FOUND)
    return Response(RestaurantNameSerializer(restaurant).data)


class RestaurantByIdView(APIView):
    """The active restaurant with this id."""

    authentication_classes = []

    @extend_schema(responses=RestaurantNameSerializer)
    def get(self, request: Request, restaurant_id: UUID) -> Response:
        return _answer(selectors.active_restaurant_by_id(restaurant_id))


class RestaurantBySubdomainView(APIView):
    """The active restaurant at this subdomain, current or former."""

    authentication_classes = []

    @extend_schema(responses=RestaurantNameSerializer)
    def get(self, request: Request, subdomain: str) -> Response:
        return _answer(selectors.active_restaurant_by_subdomain(subdomain, now=clock.now()))
