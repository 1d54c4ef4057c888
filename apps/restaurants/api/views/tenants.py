"""Tenants: registering a business with its restaurant, and the list of them (A48, A49, X35)."""

import re
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import rate_limits
from apps.accounts.client_address import client_address
from apps.accounts.models import User
from apps.accounts.services import issue_token
from apps.accounts.services.passwords import TOO_SHORT_AT_REGISTRATION
from apps.common import clock
from apps.restaurants import selectors, subdomains
from apps.restaurants.models import Restaurant
from apps.restaurants.services import businesses
from apps.restaurants.tiers import tier_type

SHORTEST, LONGEST_SLUG = 3, 100
SLUG_CHARACTERS = "URL slug can only contain lowercase letters, numbers, and dashes"  # V27
SLUG_TOO_SHORT = "URL slug must be at least 3 characters"  # V28
SLUG_TOO_LONG = "URL slug must be at most 100 characters"
SUBDOMAIN_LENGTH = "Subdomain must be 3 to 63 characters"  # V30, X49
SUBDOMAIN_CHARACTERS = "Subdomain can only contain lowercase letters, numbers, and dashes"
INVALID_EMAIL = "Invalid email format"  # V31
NO_AGREEMENT = "You must agree to the Terms of Service to register"  # V34
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


class TenantInput(serializers.Serializer[Any]):
    """A business with its restaurant. Of the account only what is asked of newcomers is required:
    whoever is signed in adds the restaurant to their own."""

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
        faults = subdomains.validate_subdomain(subdomain, longest=subdomains.LONGEST_LABEL)
        if faults:
            raise serializers.ValidationError(subdomains.describe_errors(faults))
        return subdomain

    def validate_hasAgreedToTerms(self, agreed: bool) -> bool:
        if not agreed:
            raise serializers.ValidationError(NO_AGREEMENT)
        return agreed

    def to_internal_value(self, data: Any) -> Any:
        values: Any = None
        faults: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            faults = error.detail
        if not self.context["signed_in"]:
            faults = {**self._missing_of_the_account(data, faults), **faults}
        if faults:
            in_order = {str(name): faults[name] for name in self.fields if name in faults}
            raise serializers.ValidationError(in_order)
        return values

    @staticmethod
    def _missing_of_the_account(data: Any, faults: Any) -> dict[str, list[str]]:
        words = {
            "name": "Your name is required",
            "email": INVALID_EMAIL,
            "password": TOO_SHORT_AT_REGISTRATION,
        }
        return {
            field: [message]
            for field, message in words.items()
            if field not in faults and not str(data.get(field) or "").strip()
        }


class TenantSerializer(serializers.Serializer[Restaurant]):
    id = serializers.UUIDField()
    name = serializers.SerializerMethodField()
    slug = serializers.CharField()
    subdomain = serializers.CharField()
    domain = serializers.CharField(help_text="Of its own, when it has one.")
    status = serializers.ChoiceField(choices=Restaurant.Status.choices)
    subscriptionTier = serializers.SerializerMethodField(help_text="premium or basic (X6).")
    createdAt = serializers.DateTimeField(source="created_at")

    def get_name(self, restaurant: Restaurant) -> str:
        return restaurant.business_name or restaurant.name

    def get_subscriptionTier(self, restaurant: Restaurant) -> str:
        return tier_type(restaurant.subscription_tier)


class RegisteredTenantSerializer(serializers.Serializer[Any]):
    tenant = TenantSerializer()
    token = serializers.CharField()


class TenantsSerializer(serializers.Serializer[Any]):
    tenants = TenantSerializer(many=True)
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class RegisterTenantView(APIView):
    """Register a business with its restaurant; signed in, one more restaurant of one's own."""

    @extend_schema(request=TenantInput, responses={201: RegisteredTenantSerializer})
    def post(self, request: Request) -> Response:
        rate_limits.REGISTRATION_BY_ADDRESS.count(client_address(request._request))
        user = request.user if isinstance(request.user, User) else None
        form = TenantInput(data=request.data, context={"signed_in": user is not None})
        form.is_valid(raise_exception=True)
        sent, now = form.validated_data, clock.now()
        owner, restaurant = businesses.register_business(
            request=request._request,
            user=user,
            slug=sent["tenantSlug"],
            subdomain=sent["subdomain"] or None,
            email=sent["email"],
            password=sent["password"],
            name=sent["name"],
            restaurant_name=sent["restaurantName"],
            country=sent["country"],
            state=sent["state"],
            details={
                "business_name": sent["tenantName"],
                "street_address": sent["streetAddress"],
                "city": sent["city"],
                "zip_code": sent["zipCode"],
                "phone": sent["phone"],
            },
            now=now,
        )
        answer = {"tenant": restaurant, "token": issue_token(user=owner, now=now)}
        return Response(RegisteredTenantSerializer(answer).data, status=201)


class TenantsView(APIView):
    """Who is on the platform: the active tenants, for staff all of them; with `mine` one's own."""

    @extend_schema(
        parameters=[
            OpenApiParameter("search", str, description="Words of the name or the slug."),
            OpenApiParameter("mine", bool, description="Only those of the signed-in account."),
            OpenApiParameter("cursor", str, description="`nextCursor` of the page before."),
        ],
        responses=TenantsSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = request.query_params
        page = selectors.tenants_for(
            user=request.user if isinstance(request.user, User) else None,
            mine=asked.get("mine", "").lower() in ("1", "true"),
            search=asked.get("search", ""),
            cursor=asked.get("cursor"),
        )
        return Response(TenantsSerializer(page).data)
