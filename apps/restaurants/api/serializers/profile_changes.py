"""Request serializers of the profile, with the error message of each field.

Every field is optional: fields that aren't sent don't change.
"""

import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.services.passwords import password_error
from apps.common.api.fields import NameField
from apps.common.currencies import CURRENCIES
from apps.restaurants import opening_hours, regions, social_links
from apps.restaurants.models import ARRIVAL_NOTE_LENGTH, Restaurant
from apps.restaurants.services.profile import (
    HIGHEST_TAX_RATE,
    LOWEST_TAX_RATE,
    embed_sites_version,
)

NAME_REQUIRED = "Restaurant name is required"
OWNER_NAME = "Use 1 to 100 letters, spaces, hyphens, and apostrophes."
NOT_A_TEXT = "Send this field as text."
TOO_LONG = "Use at most {max_length} characters."
PHONE = "Enter a phone number that guests can call."
WEBSITE = "Must be a valid URL"
LINK = "Must be a valid URL or empty"
PLATFORMS = "You can link facebook, instagram, and twitter."
TAX_RATE = f"Sales tax must be between {LOWEST_TAX_RATE} and {HIGHEST_TAX_RATE} percent."
TAX_PLACES = "Sales tax can have at most four decimal places."
TIMEZONE = "Choose a time zone from the list."
CURRENCY = "Choose a currency from the list."
YES_OR_NO = "Send true or false."
DAY = "Enter a day as year, month, and day: 2026-11-24."
PASSWORD_TOO_SHORT = "Password must be at least 8 characters"
_COORDINATE_STEP = Decimal("0.0000001")  # degrees: about a centimeter
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{0,30})?", re.ASCII)
_is_url = URLValidator(schemes=["http", "https"])


def _words(required: str = NOT_A_TEXT) -> dict[str, Any]:
    return {"required": required, "null": required, "invalid": NOT_A_TEXT, "max_length": TOO_LONG}


def _line(longest: int, *, too_long: str = TOO_LONG, **options: Any) -> NameField:
    return NameField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=longest,
        error_messages={**_words(), "max_length": too_long},
        **options,
    )


def _text(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=2000,
        error_messages=_words(),
        **options,
    )


class _NumberField(serializers.Field[Any, Any, Any, Any]):
    """A decimal number, sent as a number or as a string such as "8.25"."""

    def _number(self, data: Any) -> Decimal:
        text = str(data).strip() if isinstance(data, (str, int, float, Decimal)) else ""
        if isinstance(data, bool) or (isinstance(data, str) and not _PLAIN_NUMBER.fullmatch(text)):
            self.fail("invalid")
        try:
            number = Decimal(text)
        except InvalidOperation:
            self.fail("invalid")
        if not number.is_finite():
            self.fail("invalid")
        return number


@extend_schema_field({"type": "number", "nullable": True})
class CoordinateField(_NumberField):
    """Degrees, stored with seven decimal places; empty and null clear the value."""

    def __init__(self, *, most: int, **options: Any) -> None:
        self.most = most
        super().__init__(**options)

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        return (True, None) if data == "" else super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Decimal:
        degrees = self._number(data)
        if abs(degrees) > self.most:
            self.fail("invalid")
        return degrees.quantize(_COORDINATE_STEP, ROUND_HALF_UP)


def _coordinate(name: str, most: int) -> CoordinateField:
    sentence = f"{name} must be between -{most} and {most}"
    return CoordinateField(
        most=most, required=False, allow_null=True, error_messages={"invalid": sentence}
    )


@extend_schema_field({"type": "string", "format": "decimal"})
class TaxRateField(_NumberField):
    """Sales tax in percent (DECISIONS X4)."""

    default_error_messages = {"invalid": TAX_RATE, "null": TAX_RATE, "decimals": TAX_PLACES}

    def to_internal_value(self, data: Any) -> Decimal:
        rate = self._number(data)
        if not LOWEST_TAX_RATE <= rate <= HIGHEST_TAX_RATE:
            self.fail("invalid")
        if rate != round(rate, 4):
            self.fail("decimals")
        return round(rate, 4)


HOURS_SCHEMA = {
    "oneOf": [
        {
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"opens": {"type": "string"}, "closes": {"type": "string"}},
                    "required": ["opens", "closes"],
                },
            },
        },
        {"type": "string"},
    ],
    "description": "By weekday, `monday` to `sunday`; or free text written by the owner.",
}


@extend_schema_field(HOURS_SCHEMA)
class HoursField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> opening_hours.Hours | str:
        try:
            return opening_hours.read_hours(data)
        except opening_hours.NotHours as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Any) -> Any:
        return value


def _is_character(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _version() -> serializers.CharField:
    return serializers.CharField(
        required=False,
        max_length=16,
        help_text="The profile's `version` that the change is of: 409 if it was edited since.",
    )


class ProfileInput(serializers.Serializer[Any]):
    version = _version()
    name = NameField(
        required=False,
        max_length=255,
        error_messages={**_words(NAME_REQUIRED), "blank": NAME_REQUIRED},
    )
    ownerName = _line(100, source="owner_name", too_long=OWNER_NAME)
    description = _text()
    spanishDescription = _text(
        source="spanish_description",
        help_text="`description` in Spanish; if it is empty, every guest reads that one.",
    )
    phone = _line(50)
    country = _line(50)
    streetAddress = _line(255, source="street_address")
    city = _line(100)
    state = _line(50)
    zipCode = _line(20, source="zip_code")
    latitude = _coordinate("Latitude", 90)
    longitude = _coordinate("Longitude", 180)
    timezone = serializers.CharField(
        required=False,
        max_length=64,
        error_messages=dict.fromkeys(("null", "blank", "invalid", "max_length"), TIMEZONE),
        help_text="An IANA time zone, such as America/New_York.",
    )
    website = serializers.CharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=500,
        error_messages={"invalid": WEBSITE, "max_length": TOO_LONG},
    )
    cuisineType = _line(100, source="cuisine_type")
    taxNumber = _line(
        50, source="tax_number", help_text="Printed on receipts and statements; empty for none."
    )
    hoursOfOperation = HoursField(source="hours_of_operation", required=False, allow_null=True)
    dineInNote = _line(
        ARRIVAL_NOTE_LENGTH,
        source="dine_in_note",
        help_text="What guests who dine in read about their table; empty for nothing.",
    )
    pickupNote = _line(
        ARRIVAL_NOTE_LENGTH,
        source="pickup_note",
        help_text="What guests who pick up read about the pickup; empty for nothing.",
    )
    spanishDineInNote = _line(
        ARRIVAL_NOTE_LENGTH,
        source="spanish_dine_in_note",
        help_text="`dineInNote` in Spanish; if it is empty, every guest reads that one.",
    )
    spanishPickupNote = _line(
        ARRIVAL_NOTE_LENGTH,
        source="spanish_pickup_note",
        help_text="`pickupNote` in Spanish; if it is empty, every guest reads that one.",
    )
    taxRate = TaxRateField(
        source="tax_rate", required=False, help_text="In percent; applies to new orders."
    )
    currency = serializers.ChoiceField(
        CURRENCIES,
        required=False,
        error_messages=dict.fromkeys(("null", "invalid_choice"), CURRENCY),
        help_text="ISO 4217 in lower case. Changing it returns 409 once there is an order.",
    )
    # Empty means no change.
    password = serializers.CharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        write_only=True,
        trim_whitespace=False,
        error_messages={"invalid": NOT_A_TEXT},
        help_text="A new password for the signed-in account.",
    )
    currentPassword = serializers.CharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        write_only=True,
        trim_whitespace=False,
        max_length=1000,
        help_text="With `password`: the current one, as in `PUT /api/restaurant/password`.",
    )

    def validate_password(self, password: str | None) -> str:
        if password and (sentence := password_error(password, too_short=PASSWORD_TOO_SHORT)):
            raise serializers.ValidationError(sentence)
        return password or ""

    def validate_ownerName(self, name: str | None) -> str:
        characters = (name or "").translate(dict.fromkeys(map(ord, " -'’")))
        if name and not (characters and all(map(_is_character, characters))):
            raise serializers.ValidationError(OWNER_NAME)
        return name or ""

    def validate_phone(self, phone: str | None) -> str:
        if phone and not any(map(str.isdecimal, phone)):
            raise serializers.ValidationError(PHONE)
        return phone or ""

    def validate_timezone(self, zone: str) -> str:
        if not regions.is_timezone(zone):
            raise serializers.ValidationError(TIMEZONE)
        return zone

    def validate_website(self, address: str | None) -> str:
        if address:
            try:
                _is_url(address)
            except ValidationError:
                raise serializers.ValidationError(WEBSITE) from None
        return address or ""

    def validate_hoursOfOperation(self, hours: Any) -> Any:
        return {} if hours is None else hours

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Turn null into an empty string, except for the coordinates."""
        nullable = {"latitude", "longitude"}
        return {
            name: "" if value is None and name not in nullable else value
            for name, value in attrs.items()
        }


class EmbedSitesInput(serializers.Serializer[Any]):
    version = serializers.CharField(
        required=False,
        max_length=16,
        help_text="The list's `version` that the change is of: 409 if it was changed since.",
    )
    sites = serializers.ListField(
        child=serializers.CharField(max_length=300, error_messages=_words()),
        max_length=50,
        error_messages=dict.fromkeys(
            ("required", "null", "not_a_list"), "Send a list of addresses; it can be empty."
        ),
        help_text="Addresses of your own sites, such as `www.example.com`.",
    )


class EmbedSitesSerializer(serializers.Serializer[Any]):
    sites = serializers.ListField(source="embed_sites", child=serializers.CharField())
    version = serializers.SerializerMethodField(
        help_text="Changes whenever a site is added or removed."
    )

    def get_version(self, restaurant: Restaurant) -> str:
        return embed_sites_version(restaurant)


class SocialLinksField(serializers.DictField):
    """A link for each platform; empty ones are dropped."""

    child = serializers.CharField(
        allow_blank=True, allow_null=True, error_messages={"invalid": LINK}
    )

    def to_internal_value(self, data: Any) -> dict[str, str]:
        links = super().to_internal_value(data)
        if set(links) - set(social_links.HOSTS):
            raise serializers.ValidationError(PLATFORMS)
        errors = {
            platform: [LINK]
            for platform, link in links.items()
            if link and not social_links.is_link_to(platform, link)
        }
        if errors:
            raise serializers.ValidationError(errors)
        return {platform: links[platform] for platform in social_links.HOSTS if links.get(platform)}


class SocialInput(serializers.Serializer[Any]):
    version = _version()
    socialMediaLinks = SocialLinksField(
        error_messages=dict.fromkeys(("required", "null", "not_a_dict"), PLATFORMS)
    )


class DisplayInput(serializers.Serializer[Any]):
    show_map_on_patron_menu = serializers.BooleanField(
        required=False, error_messages=dict.fromkeys(("null", "invalid"), YES_OR_NO)
    )
    showsRatings = serializers.BooleanField(
        source="shows_ratings",
        required=False,
        error_messages=dict.fromkeys(("null", "invalid"), YES_OR_NO),
        help_text="Show guests how many others would order again.",
    )
    asksForPhone = serializers.BooleanField(
        source="asks_for_phone",
        required=False,
        error_messages=dict.fromkeys(("null", "invalid"), YES_OR_NO),
        help_text="Whether guests must give a phone number to order.",
    )
    openingDay = serializers.DateField(
        source="opening_day",
        required=False,
        allow_null=True,
        error_messages={"invalid": DAY},
        help_text="When it plans to take orders: today or later, within a year; null for no plan.",
    )
    marketingOptOut = serializers.BooleanField(
        source="marketing_opt_out",
        required=False,
        error_messages=dict.fromkeys(("null", "invalid"), YES_OR_NO),
        help_text="No marketing wanted: its setup step counts as complete.",
    )
