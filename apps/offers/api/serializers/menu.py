"""Serializers of the menu and its dishes, with the error message of each field."""

from typing import Any

from rest_framework import serializers

from apps.common.api.fields import NameField, currency_field
from apps.offers import menu
from apps.offers.api import fields
from apps.offers.api.fields import MarksField
from apps.offers.api.serializers.translations import DishTranslationsSerializer
from apps.offers.dietary import Allergen, Diet
from apps.offers.images import photo_jpeg, photo_srcset
from apps.offers.models import Dish


class DishSerializer(serializers.Serializer[Dish]):
    """A dish of the regular menu."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    price = serializers.DecimalField(10, 2)
    currency = currency_field("restaurant.currency")
    imageUrl = serializers.SerializerMethodField()
    imageSrcset = serializers.SerializerMethodField()
    allergens = MarksField(Allergen)
    dietary = MarksField(Diet)
    translations = DishTranslationsSerializer()
    hidden = serializers.SerializerMethodField(
        help_text="Whether the dish is hidden from guests; only the team sees hidden dishes."
    )
    isSpecialOffer = serializers.SerializerMethodField()
    specialOfferPrice = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField(
        help_text="Changes whenever somebody edits the dish; send it with `PATCH`."
    )

    def get_version(self, dish: Dish) -> str:
        return menu.dish_version(dish)

    def get_imageUrl(self, dish: Dish) -> str | None:
        return photo_jpeg(dish.photo) if dish.photo else None

    def get_imageSrcset(self, dish: Dish) -> str | None:
        return photo_srcset(dish.photo) if dish.photo else None

    def get_hidden(self, dish: Dish) -> bool:
        return dish.hidden_at is not None

    def get_isSpecialOffer(self, dish: Dish) -> bool:
        return False

    def get_specialOfferPrice(self, dish: Dish) -> str | None:
        return None


class DishesSerializer(serializers.Serializer[Any]):
    dishes = DishSerializer(many=True)


class AddedToMenuSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    added = serializers.BooleanField(help_text="False if the menu already had a dish of that name.")
    dish = DishSerializer()


NOTHING_TO_CHANGE = "Send at least one field to change, such as name, price, or hidden."


class DishInput(serializers.Serializer[Any]):
    """A dish of the regular menu. The price can be a number or a string."""

    name = NameField(
        max_length=200,
        error_messages=dict.fromkeys(("required", "null", "blank"), "Name is required"),
    )
    description = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, allow_null=True
    )
    price = fields.AmountField(**fields.amount("Price", missing="Price is required"))
    allergens = fields.MarksField(Allergen, required=False)
    dietary = fields.MarksField(Diet, required=False)
    translations = DishTranslationsSerializer(
        required=False, help_text="For guests of these languages; replaces all of them."
    )
    hidden = serializers.BooleanField(required=False)
    imageUrl = serializers.CharField(
        source="image_url", max_length=2048, required=False, allow_null=True, allow_blank=True
    )

    def validate_description(self, value: str | None) -> str:
        return value or ""


class DishEditInput(DishInput):
    """Fields to change; fields that are left out stay as they are. With `version`, the answer is
    409 if somebody edited the dish since."""

    version = serializers.CharField(
        required=False, max_length=16, help_text="The dish's `version` that the change is of."
    )

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
    """The dishes' ids in menu order."""

    ids = serializers.ListField(
        child=serializers.UUIDField(
            error_messages={"invalid": "Send the dishes' ids in menu order"}
        ),
        max_length=menu.MAX_DISHES,
        error_messages=dict.fromkeys(
            ("required", "null", "not_a_list"), "Send the dishes' ids in menu order"
        ),
    )


class AddToMenuInput(serializers.Serializer[Any]):
    """`dishId` is a special's id."""

    dishId = serializers.UUIDField(
        error_messages=dict.fromkeys(
            ("required", "null", "invalid"), "Send the special's id as dishId"
        )
    )
