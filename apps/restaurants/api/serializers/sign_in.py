"""Serializers shared by the restaurants API: sign-in, the user, and their restaurant."""

from typing import Any

from rest_framework import serializers

from apps.accounts.models import User
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.permissions import memberships_of


class LoginInput(serializers.Serializer[Any]):
    email = serializers.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"),
            "Please enter a valid email address",
        ),
    )
    # No length check: it applies when a password is chosen, not here (DECISIONS X39).
    password = serializers.CharField(
        trim_whitespace=False,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid"), "Please enter your password"
        ),
    )


class AccountSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.CharField()
    isRestaurantOwner = serializers.SerializerMethodField()
    hasCompletedOnboarding = serializers.BooleanField(source="has_completed_onboarding")

    def get_isRestaurantOwner(self, user: User) -> bool:
        return any(each.role == Membership.Role.OWNER for each in memberships_of(user))


class OwnRestaurantSerializer(serializers.Serializer[Restaurant]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    subdomain = serializers.CharField()
    slug = serializers.CharField()
    status = serializers.CharField()
    subscriptionTier = serializers.CharField(source="subscription_tier")
    nextTier = serializers.CharField(
        source="next_tier", help_text="The plan that follows; empty unless a change is scheduled."
    )
    nextTierFrom = serializers.DateField(
        source="next_tier_from", allow_null=True, help_text="Its first day where the restaurant is."
    )
    timezone = serializers.CharField()
    publicUrl = serializers.SerializerMethodField()

    def get_publicUrl(self, restaurant: Restaurant) -> str:
        return absolute_url("/", restaurant=restaurant)


class SignedInSerializer(serializers.Serializer[Any]):
    user = AccountSerializer()
    restaurant = OwnRestaurantSerializer(allow_null=True)
    token = serializers.CharField(
        allow_null=True,
        help_text="For API clients. Null for our own pages, which use the session cookie set by "
        "this response.",
    )


class SignInInput(LoginInput):
    code = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="The code of the second factor, after a 401 with `codeRequired`.",
    )
