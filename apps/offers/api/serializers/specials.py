"""Serializers of specials and uploads, with the error message of each field."""

from datetime import datetime, time
from typing import Any, ClassVar

from rest_framework import serializers

from apps.common import formats
from apps.common.api.fields import NameField, currency_field
from apps.offers.api import fields
from apps.offers.api.fields import MarksField
from apps.offers.api.serializers.translations import SpecialTranslationsSerializer
from apps.offers.dietary import Allergen, Diet
from apps.offers.images import photo_jpeg, photo_srcset
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.serving import ServiceMode
from apps.offers.states import OfferStatus, was_successful, wire_status
from apps.offers.validation import (
    INVALID_ALTERNATIVE,
    MAX_FRIEND_HOURS,
    MAX_MORE_PHOTOS,
    terms_version,
)

NOON = time(12)


class SpecialSerializer(serializers.Serializer[Special]):
    """A special as everybody sees it; contains nothing about who ordered."""

    id = serializers.UUIDField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    description = serializers.CharField(source="offer.description")
    price = serializers.DecimalField(10, 2, source="offer.regular_price")
    regularPrice = serializers.DecimalField(10, 2, source="offer.regular_price")
    specialOfferPrice = serializers.DecimalField(10, 2, source="offer.special_price")
    currency = currency_field("restaurant.currency")
    isSpecialOffer = serializers.SerializerMethodField()
    specialServeDate = serializers.SerializerMethodField(
        help_text="Noon of the serve day in the restaurant's zone; the first 10 characters are "
        "the day."
    )
    preorderExpiresAt = serializers.DateTimeField(source="offer.deadline")
    minPreordersRequired = serializers.IntegerField(source="offer.min_preorders")
    maxPreorders = serializers.IntegerField(source="offer.max_preorders", allow_null=True)
    maxPerOrder = serializers.IntegerField(source="offer.max_per_order")
    friendHours = serializers.IntegerField(
        source="offer.friend_hours",
        help_text="For how many hours a guest can reserve portions for friends; 0 for not at all.",
    )
    hasAlternative = serializers.BooleanField(source="offer.has_alternative")
    alternativeDishId = serializers.UUIDField(source="offer.alternative_dish_id", allow_null=True)
    alternativeDishName = serializers.SerializerMethodField()
    allergens = MarksField(Allergen, source="offer.allergens")
    dietary = MarksField(Diet, source="offer.dietary")
    serviceMode = serializers.ChoiceField(source="offer.service_mode", choices=ServiceMode.choices)
    serveFrom = fields.clock_field(source="offer.serve_from", read_only=True)
    serveUntil = fields.clock_field(source="offer.serve_until", read_only=True)
    servingText = serializers.CharField(
        source="serving.text", help_text="The day, the times, and how it is eaten, in words."
    )
    story = serializers.CharField(source="offer.story", help_text="The cook's own words.")
    translations = SpecialTranslationsSerializer(source="offer.translations")
    imageUrl = serializers.SerializerMethodField()
    imageSrcset = serializers.SerializerMethodField()
    moreImageUrls = serializers.SerializerMethodField(help_text="Photos other than the first one.")
    currentPreorders = serializers.IntegerField(
        source="offer.ordered_portions", help_text="Portions whose cards are held or charged."
    )
    status = serializers.SerializerMethodField()
    isActive = serializers.BooleanField(source="is_open")
    wasSuccessful = serializers.SerializerMethodField()
    timeRemaining = serializers.SerializerMethodField(
        help_text="Milliseconds until the deadline; 0 once it has passed."
    )
    portionsLeft = serializers.IntegerField(source="portions_left", allow_null=True)
    portionsBeingOrdered = serializers.IntegerField(
        source="being_ordered",
        help_text="Portions reserved in open checkouts, for friends, or for the waitlist.",
    )
    perOrderLimit = serializers.IntegerField(source="per_order_limit")
    seatsSentence = serializers.CharField(source="seats.live_sentence")
    seatsState = serializers.ChoiceField(source="state", choices=[str(each) for each in SeatsState])
    cardTerms = serializers.CharField(
        source="card_terms",
        help_text="What happens to the card of a guest who orders now, in words.",
    )
    shareableUrl = serializers.CharField(source="url")
    restaurantId = serializers.UUIDField(source="offer.restaurant_id")
    restaurantName = serializers.CharField(source="restaurant.name")
    restaurantAddress = serializers.CharField(source="restaurant.address")
    restaurantPhone = serializers.CharField(source="restaurant.phone")
    timezone = serializers.CharField(source="restaurant.timezone")
    preordersOpen = serializers.BooleanField(
        source="preorders_open", help_text="Whether the restaurant can be paid."
    )
    hasPreorders = serializers.SerializerMethodField(
        help_text="Whether anybody has ordered or is in checkout."
    )
    createdAt = serializers.DateTimeField(source="offer.created_at")
    version = serializers.SerializerMethodField(
        help_text="Changes whenever the restaurant changes the special; send it with `PUT`."
    )

    def get_version(self, special: Special) -> str:
        return terms_version(special.offer, special.more_photos)

    def get_isSpecialOffer(self, special: Special) -> bool:
        return True

    def get_specialServeDate(self, special: Special) -> str:
        noon = datetime.combine(special.offer.serve_date, NOON, special.restaurant.zone)
        return noon.isoformat()

    def get_alternativeDishName(self, special: Special) -> str | None:
        dish = special.offer.alternative_dish
        return dish.name if special.offer.has_alternative and dish else None

    def get_imageUrl(self, special: Special) -> str | None:
        photo = special.offer.photo
        return photo_jpeg(photo) if photo else None

    def get_imageSrcset(self, special: Special) -> str | None:
        photo = special.offer.photo
        return photo_srcset(photo) if photo else None

    def get_moreImageUrls(self, special: Special) -> list[str]:
        return [photo_jpeg(photo) for photo in special.more_photos]

    def get_status(self, special: Special) -> str:
        # Expired from the deadline on, even before the offer is closed (DECISIONS X22).
        closed = special.offer.status == OfferStatus.ACTIVE and not special.is_open
        return wire_status(OfferStatus.CLOSING if closed else special.offer.status)

    def get_wasSuccessful(self, special: Special) -> bool | None:
        return was_successful(special.offer.status)

    def get_timeRemaining(self, special: Special) -> int:
        left = special.offer.deadline - special.now
        return max(0, int(left.total_seconds() * 1000))

    def get_hasPreorders(self, special: Special) -> bool:
        taken = max(special.offer.ordered_portions, special.offer.reserved_portions)
        return taken > special.offer.restaurant_portions


PROGRESS_FIELDS = (
    "id",
    "currentPreorders",
    "minPreordersRequired",
    "maxPreorders",
    "portionsLeft",
    "portionsBeingOrdered",
    "perOrderLimit",
    "seatsState",
    "seatsSentence",
    "status",
    "isActive",
)


class ProgressSerializer(SpecialSerializer):
    """The fields of a special that change while people look at it. None of them changes with the
    clock alone, so a client that polls gets 304 as long as nothing is new."""

    remaining = serializers.CharField(
        help_text="Text of the column 'Specials Remaining' in the list of specials."
    )

    def get_fields(self) -> Any:
        declared = super().get_fields()
        return {name: declared[name] for name in (*PROGRESS_FIELDS, "remaining")}


class AllProgressSerializer(serializers.Serializer[Any]):
    specials = ProgressSerializer(many=True)


class SpecialsSerializer(serializers.Serializer[Any]):
    specials = SpecialSerializer(many=True)
    nextCursor = serializers.CharField(allow_null=True)


class DeletedSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    hasPreorders = serializers.BooleanField()
    offerName = serializers.CharField()


class NotDeletedSerializer(DeletedSerializer):
    errors = serializers.ListField(child=serializers.DictField())  # type: ignore[assignment]


class PictureSerializer(serializers.Serializer[Any]):
    url = serializers.CharField()
    srcset = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class UploadedSerializer(serializers.Serializer[Any]):
    data = PictureSerializer()  # type: ignore[assignment]


class UploadedUrlSerializer(serializers.Serializer[Any]):
    url = serializers.CharField()


# Input serializers for publishing and editing a special.


MAX_PORTIONS_PER_ORDER = 50


class OfferInput(serializers.Serializer[Any]):
    """A new special. `isSpecialOffer` must be true if sent; `alternativeDishId` is used only with
    `hasAlternative`. Prices and counts can be numbers or strings."""

    name = NameField(
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
    friendHours = serializers.IntegerField(
        source="friend_hours",
        required=False,
        min_value=0,
        max_value=MAX_FRIEND_HOURS,
        error_messages=dict.fromkeys(
            ("invalid", "null", "min_value", "max_value"),
            f"Choose 0 to {MAX_FRIEND_HOURS} hours for friends; 0 turns it off",
        ),
        help_text="For how many hours a guest can reserve portions for friends.",
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

    moreImageUrls = serializers.ListField(
        source="more_image_urls",
        child=serializers.CharField(max_length=2048),
        max_length=MAX_MORE_PHOTOS,
        required=False,
        error_messages={"max_length": f"Choose at most {MAX_MORE_PHOTOS} more photos"},
        help_text="Photos beside the first one, in order; left out, they stay as they are.",
    )
    allergens = fields.MarksField(Allergen, required=False)
    dietary = fields.MarksField(Diet, required=False)
    serviceMode = serializers.ChoiceField(
        source="service_mode",
        choices=ServiceMode.choices,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid_choice", "null"), "Choose from: dine_in, pickup, both"
        ),
    )
    serveFrom = fields.clock_field(source="serve_from", required=False)
    serveUntil = fields.clock_field(source="serve_until", required=False)
    story = serializers.CharField(
        max_length=1000, required=False, allow_blank=True, help_text="The cook's own words."
    )
    translations = SpecialTranslationsSerializer(
        required=False, help_text="For guests of these languages; replaces all of them."
    )

    def to_internal_value(self, data: Any) -> Any:
        # An empty field means no value.
        if data.get("maxPreorders") == "":
            data = {**data, "maxPreorders": None}
        for name in ("alternativeDishId", "serveFrom", "serveUntil"):
            if data.get(name) == "":
                data = {**data, name: None}
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
        least = self.context["least"].amount
        if attrs.get("special_price", least) < least:
            raise serializers.ValidationError(
                {
                    "specialOfferPrice": "Special offer price must be at least "
                    f"{formats.money(least, currency)}, the smallest amount a card can be charged"
                }
            )
        return attrs


class OfferEditInput(OfferInput):
    """An edited special. With `version`, only what changes is sent, and the answer is 409 if
    somebody changed the special since. Without it, the fields that the form always sends are
    required; other fields that are left out stay as they are."""

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
    version = serializers.CharField(
        required=False, max_length=16, help_text="The special's `version` that the change is of."
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
