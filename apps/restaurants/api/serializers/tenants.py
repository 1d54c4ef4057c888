"""Serializers of a business with its restaurant, and of the directory."""

import re
from typing import Any

from rest_framework import serializers

from apps.accounts.api.serializers import FormProofInput
from apps.accounts.services.passwords import TOO_SHORT_AT_REGISTRATION
from apps.restaurants import subdomains
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import tier_type

SHORTEST, LONGEST_SLUG = 3, 100  # characters
SLUG_CHARACTERS = "URL slug can only contain lowercase letters, numbers, and dashes"
SLUG_TOO_SHORT = "URL slug must be at least 3 characters"
SLUG_TOO_LONG = "URL slug must be at most 100 characters"
SUBDOMAIN_LENGTH = "Subdomain must be 3 to 63 characters"  # DECISIONS X49
SUBDOMAIN_CHARACTERS = "Subdomain can only contain lowercase letters, numbers, and dashes"
INVALID_EMAIL = "Invalid email format"
NO_AGREEMENT = "You must agree to the Terms of Service to register"
TOO_LONG = "Use at most {max_length} characters."
_MISSING = ("required", "null", "blank", "invalid")
_ALLOWED = re.compile(r"[a-z0-9-]*")


def _required(message: str, longest: int, **options: Any) -> serializers.CharField:
    words: Any = dict.fromkeys(_MISSING, message) | {"max_length": TOO_LONG}
    return serializers.CharField(max_length=longest, error_messages=words, **options)


def _optional(longest: int, **options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=longest,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": TOO_LONG},
        **options,
    )


class TenantInput(FormProofInput):
    """A business with its restaurant.

    The account fields are required only of new users: a signed-in user adds the restaurant to
    their own account.
    """

    tenantSlug = _required(SLUG_TOO_SHORT, 1000)
    tenantName = _required("Business name is required", 255)
    subdomain = serializers.CharField(
        max_length=1000,
        required=False,
        allow_blank=True,
        allow_null=True,
        default="",
        error_messages={"max_length": SUBDOMAIN_LENGTH},
    )
    email = serializers.EmailField(
        max_length=255,
        required=False,
        allow_blank=True,
        default="",
        error_messages=dict.fromkeys((*_MISSING, "max_length"), INVALID_EMAIL),
    )
    password = serializers.CharField(
        trim_whitespace=False,
        required=False,
        allow_blank=True,
        default="",
        error_messages=dict.fromkeys(_MISSING, TOO_SHORT_AT_REGISTRATION),
        help_text="6 to 128 characters.",
    )
    name = _optional(100)
    restaurantName = _required("Restaurant name is required", 255)
    streetAddress = _required("Street address is required", 255)
    city = _required("City is required", 100)
    state = _optional(50)
    zipCode = _optional(20)
    phone = _required("Phone is required", 50)
    country = _optional(50)
    hasAgreedToTerms = serializers.BooleanField(
        error_messages=dict.fromkeys(_MISSING, NO_AGREEMENT)
    )

    def validate_tenantSlug(self, slug: str) -> str:
        if len(slug) < SHORTEST:
            raise serializers.ValidationError(SLUG_TOO_SHORT)
        if len(slug) > LONGEST_SLUG:
            raise serializers.ValidationError(SLUG_TOO_LONG)
        if not _ALLOWED.fullmatch(slug):
            raise serializers.ValidationError(SLUG_CHARACTERS)
        return slug

    def validate_subdomain(self, subdomain: str | None) -> str:
        if not subdomain:
            return ""
        if not SHORTEST <= len(subdomain) <= subdomains.LONGEST_LABEL:
            raise serializers.ValidationError(SUBDOMAIN_LENGTH)
        if not _ALLOWED.fullmatch(subdomain):
            raise serializers.ValidationError(SUBDOMAIN_CHARACTERS)
        errors = subdomains.validate_subdomain(subdomain, longest=subdomains.LONGEST_LABEL)
        if errors:
            raise serializers.ValidationError(subdomains.describe_errors(errors))
        return subdomain

    def validate_hasAgreedToTerms(self, agreed: bool) -> bool:
        if not agreed:
            raise serializers.ValidationError(NO_AGREEMENT)
        return agreed

    def to_internal_value(self, data: Any) -> Any:
        values: Any = None
        errors: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors = error.detail
        if not self.context["signed_in"]:
            errors = {**self._missing_of_the_account(data, errors), **errors}
        if errors:
            in_order = {str(name): errors[name] for name in self.fields if name in errors}
            raise serializers.ValidationError(in_order)
        return values

    @staticmethod
    def _missing_of_the_account(data: Any, errors: Any) -> dict[str, list[str]]:
        words = {
            "name": "Your name is required",
            "email": INVALID_EMAIL,
            "password": TOO_SHORT_AT_REGISTRATION,
        }
        return {
            field: [message]
            for field, message in words.items()
            if field not in errors and not str(data.get(field) or "").strip()
        }


class TenantSerializer(serializers.Serializer[Restaurant]):
    id = serializers.UUIDField()
    name = serializers.SerializerMethodField()
    slug = serializers.CharField()
    subdomain = serializers.CharField()
    domain = serializers.CharField(help_text="The restaurant's own domain, if any.")
    status = serializers.ChoiceField(choices=Restaurant.Status.choices)
    subscriptionTier = serializers.SerializerMethodField(
        help_text="premium or basic (DECISIONS X6)."
    )
    createdAt = serializers.DateTimeField(source="created_at")

    def get_name(self, restaurant: Restaurant) -> str:
        return restaurant.business_name or restaurant.name

    def get_subscriptionTier(self, restaurant: Restaurant) -> str:
        return tier_type(restaurant.subscription_tier)


class RegisteredTenantSerializer(serializers.Serializer[Any]):
    tenant = TenantSerializer()
    token = serializers.CharField(
        allow_null=True, help_text="For API clients. Null for a page, which has a session."
    )


class TenantsSerializer(serializers.Serializer[Any]):
    tenants = TenantSerializer(many=True)
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class RestaurantNameSerializer(serializers.Serializer[Restaurant]):
    id = serializers.UUIDField()
    name = serializers.CharField()
