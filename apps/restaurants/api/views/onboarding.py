"""Setting a restaurant up: its plan, the welcome, and which of several is at work."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common import clock
from apps.common.errors import Invalid
from apps.restaurants.api.serializers.sign_in import AccountSerializer, OwnRestaurantSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.permissions import Permission, choose_restaurant, enter_restaurant
from apps.restaurants.services import onboarding

UNKNOWN_TIER = "Choose one of the tiers: free, branded or enterprise."
NO_SESSION = "With a token, name the restaurant in each call: ?restaurant=…"


def _account(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class RestaurantSerializer(serializers.Serializer[Any]):
    restaurant = OwnRestaurantSerializer()


class UserSerializer(serializers.Serializer[Any]):
    user = AccountSerializer()


class TierInput(serializers.Serializer[Any]):
    subscriptionTier = serializers.ChoiceField(
        choices=Restaurant.Tier.choices,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), UNKNOWN_TIER),
    )
    # Taken and not used: the rate is the tier's (DECISIONS X7).
    revenueSharePercentage = serializers.JSONField(required=False, write_only=True)


class UpgradeTierView(RestaurantView):
    """Choose the tier; what it costs follows from it."""

    @extend_schema(request=TierInput, responses=RestaurantSerializer)
    def put(self, request: Request) -> Response:
        form = TierInput(data=request.data)
        form.is_valid(raise_exception=True)
        restaurant = onboarding.change_tier(
            restaurant=self.restaurant,
            tier=form.validated_data["subscriptionTier"],
            now=clock.now(),
            by=str(request.user),
        )
        return Response(RestaurantSerializer({"restaurant": restaurant}).data)


class CompleteOnboardingView(RestaurantView):
    """The welcome was read and will not be shown to this person again."""

    rights = {"POST": Permission.SEE_OFFERS}

    @extend_schema(request=None, responses=UserSerializer)
    def post(self, request: Request) -> Response:
        user = onboarding.complete_onboarding(
            user=_account(request),
            restaurant=self.restaurant,
            is_owner=self.held.role == Membership.Role.OWNER,
            now=clock.now(),
        )
        return Response(UserSerializer({"user": user}).data)


class ChooseRestaurantView(APIView):
    """Work in this restaurant from now on, in this browser."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses=RestaurantSerializer)
    def post(self, request: Request, restaurant_id: UUID) -> Response:
        post = enter_restaurant(_account(request), restaurant_id)
        if request.auth is not None:
            raise Invalid(NO_SESSION)
        choose_restaurant(request._request, restaurant_id)
        return Response(RestaurantSerializer({"restaurant": post.restaurant}).data)
