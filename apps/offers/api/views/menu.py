"""Endpoints for managing the regular menu."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.offers import menu, selectors
from apps.offers.api.serializers.menu import (
    AddedToMenuSerializer,
    AddToMenuInput,
    DishesSerializer,
    DishInput,
    DishSerializer,
    MenuOrderInput,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission


def _valid(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


def whole_menu(restaurant: Restaurant) -> Any:
    """The menu including hidden dishes, serialized as in the API."""
    dishes = selectors.dishes_for_owner(restaurant=restaurant)
    return DishesSerializer({"dishes": dishes}).data


class ManagedDishesView(RestaurantView):
    """The regular menu including dishes hidden from guests."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=DishesSerializer)
    def get(self, request: Request) -> Response:
        return Response(whole_menu(self.restaurant))


class AddToMenuView(RestaurantView):
    """Add a special's dish to the regular menu at its regular price, unless it is already on it."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(
        request=AddToMenuInput, responses={200: AddedToMenuSerializer, 201: AddedToMenuSerializer}
    )
    def post(self, request: Request) -> Response:
        offer_id = _valid(AddToMenuInput(data=request.data))["dishId"]
        dish, added = menu.add_offer_to_menu(restaurant=self.restaurant, offer_id=offer_id)
        state = "has been added to" if added else "is already on"
        answer = {
            "message": f'"{dish.name}" {state} your regular menu.',
            "added": added,
            "dish": dish,
        }
        return Response(AddedToMenuSerializer(answer).data, status=201 if added else 200)


class MenuDishesView(RestaurantView):
    """Add a dish at the end of the regular menu."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=DishInput, responses={201: DishSerializer})
    def post(self, request: Request) -> Response:
        terms = _valid(DishInput(data=request.data))
        dish = menu.create_dish(restaurant=self.restaurant, terms=terms, now=clock.now())
        return Response(DishSerializer(dish).data, status=201)


class MenuOrderView(RestaurantView):
    """Reorder the regular menu; dishes that are left out follow in their previous order."""

    rights: ClassVar = {"PUT": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "PUT": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=MenuOrderInput, responses=DishesSerializer)
    def put(self, request: Request) -> Response:
        ids = _valid(MenuOrderInput(data=request.data))["ids"]
        menu.order_dishes(restaurant=self.restaurant, ids=ids)
        return Response(whole_menu(self.restaurant))
