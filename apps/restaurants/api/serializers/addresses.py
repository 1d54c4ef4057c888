"""Serializers of a restaurant's subdomain."""

from typing import Any

from rest_framework import serializers

from apps.restaurants.services import addresses

OTHER_EMAIL = "Enter the email you're signed in with."


class AvailabilitySerializer(serializers.Serializer[Any]):
    available = serializers.BooleanField()
    message = serializers.CharField(allow_blank=True, help_text="Why it isn't available.")
    suggestion = serializers.CharField(
        allow_blank=True, help_text="A similar subdomain that is available."
    )


class SubdomainInput(serializers.Serializer[Any]):
    subdomain = serializers.CharField(
        max_length=100,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), addresses.NOT_AVAILABLE
        ),
        help_text="3 to 50 letters, digits, and hyphens; upper case is converted to lower case.",
    )
    email = serializers.CharField(
        max_length=255,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), OTHER_EMAIL
        ),
        help_text="The signed-in account's own (X47).",
    )


class ChosenSubdomainSerializer(serializers.Serializer[Any]):
    subdomain = serializers.CharField()
    publicUrl = serializers.URLField()
