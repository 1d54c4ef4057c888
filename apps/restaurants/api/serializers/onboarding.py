"""Serializers of onboarding."""

from typing import Any

from rest_framework import serializers

from apps.restaurants.api.serializers.sign_in import AccountSerializer, OwnRestaurantSerializer
from apps.restaurants.models import Restaurant

UNKNOWN_TIER = "Choose a plan: free, branded, or enterprise."


class RestaurantSerializer(serializers.Serializer[Any]):
    restaurant = OwnRestaurantSerializer()


class UserSerializer(serializers.Serializer[Any]):
    user = AccountSerializer()


class TierInput(serializers.Serializer[Any]):
    subscriptionTier = serializers.ChoiceField(
        choices=Restaurant.Tier.choices,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), UNKNOWN_TIER),
    )
    # Accepted and ignored: the tier sets the rate (DECISIONS X7).
    revenueSharePercentage = serializers.JSONField(required=False, write_only=True)
