"""Serializers of sign-up, with the error message of each field."""

from typing import Any

from rest_framework import serializers

from apps.accounts.api.serializers import FormProofInput
from apps.accounts.services.passwords import TOO_SHORT_AT_REGISTRATION
from apps.common.api.fields import NameField
from apps.restaurants.api.serializers.sign_in import SignedInSerializer
from apps.restaurants.models import Restaurant

INVALID_LINK = "Invalid Confirmation Link"
INVALID_EMAIL = "Invalid email format"
NAME_REQUIRED = "Name is required"
TOO_LONG = "Use at most {max_length} characters."
UNKNOWN_TIER = "Choose a plan: free, branded, or enterprise."
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


class RegistrationInput(FormProofInput):
    name = NameField(
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
    # Accepted and ignored: the tier sets the rate (DECISIONS X7).
    revenueSharePercentage = serializers.JSONField(required=False, write_only=True)


class ConfirmedSerializer(SignedInSerializer):
    signedIn = serializers.BooleanField(
        source="signed_in",
        help_text="False if the account already existed, because the link doesn't sign it in.",
    )
    token = serializers.CharField(
        allow_null=True,
        help_text="For a program that was signed in; null for our own pages.",
    )
