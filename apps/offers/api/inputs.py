"""What publishing and editing a special takes, with the specification's words for each fault."""

from typing import Any, ClassVar

from rest_framework import serializers

from apps.common import formats
from apps.common.currencies import least_charge
from apps.offers.api import fields
from apps.offers.diets import Allergen, Diet
from apps.offers.rules import INVALID_ALTERNATIVE

MOST_PER_ORDER = 50


class OfferInput(serializers.Serializer[Any]):
    """A new special. `isSpecialOffer` may only be true; `alternativeDishId` counts only with
    `hasAlternative`. Prices and counts may be numbers or strings."""

    name = serializers.CharField(
        max_length=200,
        error_messages=dict.fromkeys(("required", "null", "blank"), "Name is required"),  # V1
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
        **fields.portions("Minimum pre-orders must be at least 1"),  # V6
    )
    preorderExpiresAt = fields.MomentField(
        source="deadline",
        error_messages=dict.fromkeys(("required", "null"), fields.INVALID_MOMENT),
    )
    maxPreorders = fields.PortionsField(
        source="max_preorders",
        **fields.portions(
            "Maximum pre-orders must be at least 1, or empty for no maximum",
            required=False,
            allow_null=True,
        ),
    )
    maxPerOrder = fields.PortionsField(
        source="max_per_order",
        **fields.portions(
            "The maximum per order must be at least 1", most=MOST_PER_ORDER, required=False
        ),
    )
    hasAlternative = serializers.BooleanField(source="has_alternative", required=False)
    alternativeDishId = serializers.UUIDField(
        source="alternative_dish_id",
        required=False,
        allow_null=True,
        error_messages={"invalid": INVALID_ALTERNATIVE},  # V9
    )
    imageUrl = serializers.CharField(
        source="image_url", max_length=2048, required=False, allow_null=True, allow_blank=True
    )

    allergens = fields.MarksField(Allergen, required=False)
    dietary = fields.MarksField(Diet, required=False)

    def to_internal_value(self, data: Any) -> Any:
        # An emptied number field of a form means "none".
        if data.get("maxPreorders") == "":
            data = {**data, "maxPreorders": None}
        if data.get("alternativeDishId") == "":
            data = {**data, "alternativeDishId": None}
        return super().to_internal_value(data)

    def validate_description(self, value: str | None) -> str:
        return value or ""

    def validate_isSpecialOffer(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Special offers are published here; send true.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.pop("isSpecialOffer", None)
        currency = self.context["currency"]
        least = least_charge(currency).amount
        if attrs.get("special_price", least) < least:
            raise serializers.ValidationError(
                {
                    "specialOfferPrice": "Special offer price must be at least "
                    f"{formats.money(least, currency)}, the least a card can be charged"
                }
            )
        return attrs


class OfferEditInput(OfferInput):
    """The edit form's words. Every field it always sends is required; what else is left out
    stays as it is."""

    _MISSING: ClassVar[dict[str, str]] = {
        "price": "Price is required",  # V12
        "specialOfferPrice": "Special offer price is required",  # V13
        "specialServeDate": "Serve date is required",  # V14
        "preorderExpiresAt": "Expiration date is required",  # V15
    }
    # V16
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
        # An emptied field is a missing one, not a malformed one.
        emptied = {name for name in self._MISSING if data.get(name) == ""}
        return super().to_internal_value({k: v for k, v in data.items() if k not in emptied})
