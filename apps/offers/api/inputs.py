"""Input serializers for publishing and editing a special."""

from typing import Any, ClassVar

from rest_framework import serializers

from apps.common import formats
from apps.common.currencies import least_charge
from apps.offers.api import fields
from apps.offers.diets import Allergen, Diet
from apps.offers.rules import INVALID_ALTERNATIVE

MAX_PORTIONS_PER_ORDER = 50


class OfferInput(serializers.Serializer[Any]):
    """A new special. `isSpecialOffer` must be true if sent; `alternativeDishId` is used only with
    `hasAlternative`. Prices and counts can be numbers or strings."""

    name = serializers.CharField(
        max_length=200,
        error_messages=dict.fromkeys(("required", "null", "blank"), "Name is required"),
    )
    description = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, allow_null=True, default=""
    )
    price = fields.AmountField(
        source="regular_price",
        **fields.amount("Price", missing="Price must be a positive number"),
    )
    isSpecialOffer = serializers.BooleanField(required=False, default=True)
    specialOfferPrice = fields.AmountField(
        source="special_price",
        **fields.amount(
            "Special offer price", missing="Special offer price must be a positive number"
        ),
    )
    specialServeDate = fields.ServeDayField(
        source="serve_date",
        error_messages=dict.fromkeys(("required", "null"), fields.INVALID_DAY),
    )
    minPreordersRequired = fields.PortionsField(
        source="min_preorders",
        **fields.portions("Minimum pre-orders must be at least 1"),
    )
    preorderExpiresAt = fields.MomentField(
        source="deadline",
        error_messages=dict.fromkeys(("required", "null"), fields.INVALID_MOMENT),
    )
    maxPreorders = fields.PortionsField(
        source="max_preorders",
        **fields.portions(
            "Maximum pre-orders must be at least 1, or leave it empty for no maximum",
            required=False,
            allow_null=True,
        ),
    )
    maxPerOrder = fields.PortionsField(
        source="max_per_order",
        **fields.portions(
            "The limit per order must be at least 1", most=MAX_PORTIONS_PER_ORDER, required=False
        ),
    )
    hasAlternative = serializers.BooleanField(source="has_alternative", required=False)
    alternativeDishId = serializers.UUIDField(
        source="alternative_dish_id",
        required=False,
        allow_null=True,
        error_messages={"invalid": INVALID_ALTERNATIVE},
    )
    imageUrl = serializers.CharField(
        source="image_url", max_length=2048, required=False, allow_null=True, allow_blank=True
    )

    allergens = fields.MarksField(Allergen, required=False)
    dietary = fields.MarksField(Diet, required=False)

    def to_internal_value(self, data: Any) -> Any:
        # An empty field means no value.
        if data.get("maxPreorders") == "":
            data = {**data, "maxPreorders": None}
        if data.get("alternativeDishId") == "":
            data = {**data, "alternativeDishId": None}
        return super().to_internal_value(data)

    def validate_description(self, value: str | None) -> str:
        return value or ""

    def validate_isSpecialOffer(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError(
                "This endpoint publishes special offers only; send true."
            )
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.pop("isSpecialOffer", None)
        currency = self.context["currency"]
        least = least_charge(currency).amount
        if attrs.get("special_price", least) < least:
            raise serializers.ValidationError(
                {
                    "specialOfferPrice": "Special offer price must be at least "
                    f"{formats.money(least, currency)}, the smallest amount a card can be charged"
                }
            )
        return attrs


class OfferEditInput(OfferInput):
    """An edited special. The fields that the form always sends are required; other fields that are
    left out stay as they are."""

    _MISSING: ClassVar[dict[str, str]] = {
        "price": "Price is required",
        "specialOfferPrice": "Special offer price is required",
        "specialServeDate": "Serve date is required",
        "preorderExpiresAt": "Expiration date is required",
    }
    minPreordersRequired = fields.PortionsField(
        source="min_preorders",
        **fields.portions("Minimum preorders must be at least 1"),
    )
    description = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, allow_null=True
    )

    def get_fields(self) -> Any:
        declared = super().get_fields()
        for name, message in self._MISSING.items():
            declared[name].error_messages.update(required=message, null=message)
        return declared

    def to_internal_value(self, data: Any) -> Any:
        # An empty field counts as missing, not as malformed.
        emptied = {name for name in self._MISSING if data.get(name) == ""}
        return super().to_internal_value({k: v for k, v in data.items() if k not in emptied})
