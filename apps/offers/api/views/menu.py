"""The regular menu's endpoints for the restaurant's own people (A13, A14, and our own)."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.offers import menu, selectors
from apps.offers.api import fields
from apps.offers.api.serializers import (
    AddedToMenuSerializer,
    DishesSerializer,
    DishSerializer,
)
from apps.offers.dietary import Allergen, Diet
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission

NOTHING_TO_CHANGE = "Send what is to change: name, price, hidden, …"


class DishInput(serializers.Serializer[Any]):
    """A dish of the regular menu. The price may be a number or a string."""

    name = serializers.CharField(
        max_length=200,
        error_messages=dict.fromkeys(("required", "null", "blank"), "Name is required"),
    )
    description = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, allow_null=True
    )
    price = fields.AmountField(**fields.amount("Price", missing="Price is required"))
    allergens = fields.MarksField(Allergen, required=False)
    dietary = fields.MarksField(Diet, required=False)
    hidden = serializers.BooleanField(required=False)
    imageUrl = serializers.CharField(
        source="image_url", max_length=2048, required=False, allow_null=True, allow_blank=True
    )

    def validate_description(self, value: str | None) -> str:
        return value or ""


class DishEditInput(DishInput):
    """What is to change; what is left out stays."""

    def get_fields(self) -> Any:
        declared = super().get_fields()
        for field in declared.values():
            field.required = False
        return declared

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError(NOTHING_TO_CHANGE)
        return attrs


class MenuOrderInput(serializers.Serializer[Any]):
    """Dishes by id, first to last."""

    ids = serializers.ListField(
        child=serializers.UUIDField(
            error_messages={"invalid": "Send the dishes' ids, first to last"}
        ),
        max_length=menu.MOST_DISHES,
        error_messages=dict.fromkeys(
            ("required", "null", "not_a_list"), "Send the dishes' ids, first to last"
        ),
    )


class AddToMenuInput(serializers.Serializer[Any]):
    """`dishId` is a special's id."""

    dishId = serializers.UUIDField(
        error_messages=dict.fromkeys(
            ("required", "null", "invalid"), "Say which special: send its id as dishId"
        )
    )


class DeletedDishSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


def _valid(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


def whole_menu(restaurant: Restaurant) -> Any:
    """The menu as its owner sees it, in the API's shape; the page prints the same."""
    dishes = selectors.dishes_for_owner(restaurant=restaurant)
    return DishesSerializer({"dishes": dishes}).data


class ManagedDishesView(RestaurantView):
    """The regular menu with what is hidden from guests."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=DishesSerializer)
    def get(self, request: Request) -> Response:
        return Response(whole_menu(self.restaurant))


class AddToMenuView(RestaurantView):
    """Put a special's dish on the regular menu at its regular price; twice makes no second one."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=AddToMenuInput, responses=AddedToMenuSerializer)
    def post(self, request: Request) -> Response:
        offer_id = _valid(AddToMenuInput(data=request.data))["dishId"]
        dish, added = menu.add_offer_to_menu(restaurant=self.restaurant, offer_id=offer_id)
        said = "has been added to" if added else "is already on"  # T43
        answer = {
            "message": f'"{dish.name}" {said} your regular menu.',
            "added": added,
            "dish": dish,
        }
        return Response(AddedToMenuSerializer(answer).data)


class MenuDishesView(RestaurantView):
    """Add a dish at the end of the regular menu."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=DishInput, responses={201: DishSerializer})
    def post(self, request: Request) -> Response:
        terms = _valid(DishInput(data=request.data))
        dish = menu.create_dish(restaurant=self.restaurant, terms=terms, now=clock.now())
        return Response(DishSerializer(dish).data, status=201)


class MenuDishView(RestaurantView):
    """Change a dish of the regular menu, or take it off."""

    rights: ClassVar = {"PUT": Permission.EDIT_OFFERS, "DELETE": Permission.EDIT_OFFERS}

    @extend_schema(request=DishEditInput, responses=DishSerializer)
    def put(self, request: Request, dish_id: UUID) -> Response:
        changes = _valid(DishEditInput(data=request.data))
        dish = menu.edit_dish(
            restaurant=self.restaurant, dish_id=dish_id, changes=changes, now=clock.now()
        )
        return Response(DishSerializer(dish).data)

    @extend_schema(responses=DeletedDishSerializer)
    def delete(self, request: Request, dish_id: UUID) -> Response:
        dish = menu.delete_dish(restaurant=self.restaurant, dish_id=dish_id, now=clock.now())
        answer = {"message": f"{dish.name} was taken off your menu."}
        return Response(DeletedDishSerializer(answer).data)


class MenuOrderView(RestaurantView):
    """Put the regular menu in order; dishes that are not named follow as they stood."""

    rights: ClassVar = {"PUT": Permission.EDIT_OFFERS}

    @extend_schema(request=MenuOrderInput, responses=DishesSerializer)
    def put(self, request: Request) -> Response:
        ids = _valid(MenuOrderInput(data=request.data))["ids"]
        menu.order_dishes(restaurant=self.restaurant, ids=ids)
        return Response(whole_menu(self.restaurant))
