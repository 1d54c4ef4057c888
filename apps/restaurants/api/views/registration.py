"""The doors a newcomer comes in by: the link of a letter (A46) and the form (A47)."""

from typing import Any

from drf_spectacular.utils import extend_schema
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
from apps.restaurants.api.serializers.sign_in import SignedInSerializer
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import memberships_of
from apps.restaurants.services import registration

INVALID_LINK = "Invalid Confirmation Link"  # T66
INVALID_EMAIL = "Invalid email format"  # V31
NAME_REQUIRED = "Name is required"
TOO_LONG = "Use at most {max_length} characters."
UNKNOWN_TIER = "Choose one of the tiers: free, branded or enterprise."
_MISSING = ("required", "null", "blank", "invalid")


class ConfirmationInput(serializers.Serializer[Any]):
    email = serializers.CharField(
        max_length=255,
        error_messages=dict.fromkeys((*_MISSING, "max_length"), INVALID_LINK),
    )
    token = serializers.CharField(
        max_length=200,
        error_messages=dict.fromkeys((*_MISSING, "max_length"), INVALID_LINK),
    )


class RegistrationInput(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=100,
        error_messages={**dict.fromkeys(_MISSING, NAME_REQUIRED), "max_length": TOO_LONG},
    )
    email = serializers.EmailField(
        max_length=255, error_messages=dict.fromkeys((*_MISSING, "max_length"), INVALID_EMAIL)
    )
    password = serializers.CharField(
        trim_whitespace=False,
        error_messages=dict.fromkeys(_MISSING, TOO_SHORT_AT_REGISTRATION),
        help_text="6 to 128 characters.",
    )
    country = serializers.CharField(
        max_length=50, required=False, allow_blank=True, error_messages={"max_length": TOO_LONG}
    )
    state = serializers.CharField(
        max_length=50, required=False, allow_blank=True, error_messages={"max_length": TOO_LONG}
    )
    subscriptionTier = serializers.ChoiceField(
        choices=Restaurant.Tier.choices,
        required=False,
        source="tier",
        error_messages={"invalid_choice": UNKNOWN_TIER},
    )
    # Taken and not used: the rate is the tier's (DECISIONS X7).
    revenueSharePercentage = serializers.JSONField(required=False, write_only=True)


class ConfirmedSerializer(SignedInSerializer):
    token = serializers.CharField(
        allow_null=True,
        help_text="Null when the account was there before and is not signed in by this.",
    )


def _restaurant_of(user: User) -> Restaurant | None:
    memberships = memberships_of(user)
    return memberships[0].restaurant if memberships else None


class VerifyEmailConfirmationView(APIView):
    """Spend a link. A new address gets an account and a restaurant and is signed in."""

    @extend_schema(request=ConfirmationInput, responses=ConfirmedSerializer, auth=[])
    def post(self, request: Request) -> Response:
        form = ConfirmationInput(data=request.data)
        form.is_valid(raise_exception=True)
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        now = clock.now()
        user, is_signed_in = registration.confirm_email(
            request=request._request,
            signed_in=request.user if isinstance(request.user, User) else None,
            now=now,
            **form.validated_data,
        )
        answer = {
            "user": user,
            "restaurant": _restaurant_of(user),
            "token": issue_token(user=user, now=now) if is_signed_in else None,
        }
        return Response(ConfirmedSerializer(answer).data)


class RegisterView(APIView):
    """Open an account with its restaurant, and sign in; the address is confirmed by letter."""

    # An older session or a revoked token must not stand in the way.
    authentication_classes = []

    @extend_schema(request=RegistrationInput, responses={201: SignedInSerializer})
    def post(self, request: Request) -> Response:
        rate_limits.REGISTRATION_BY_ADDRESS.count(client_address(request._request))
        form = RegistrationInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        sent.pop("revenueSharePercentage", None)
        user, restaurant = registration.register_account(request=request._request, now=now, **sent)
        answer = {
            "user": user,
            "restaurant": restaurant,
            "token": issue_token(user=user, now=now),
        }
        return Response(SignedInSerializer(answer).data, status=201)
