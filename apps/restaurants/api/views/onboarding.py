"""Onboarding endpoints: choose the plan, finish the welcome, switch restaurants."""

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import Invalid
from apps.restaurants.api.serializers.onboarding import (
    RestaurantSerializer,
    TierInput,
    UserSerializer,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Membership
from apps.restaurants.permissions import Permission, choose_restaurant, enter_restaurant
from apps.restaurants.services import onboarding, plans

NO_SESSION = "With a token, name the restaurant in each request: ?restaurant=…"


def _account(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class UpgradeTierView(RestaurantView):
    """Choose the plan, which sets the fees. A plan that includes less takes effect next month:
     `nextTier` and `nextTierFrom` announce it, and choosing the current plan again cancels
    it."""

    @extend_schema(request=TierInput, responses=RestaurantSerializer)
    def put(self, request: Request) -> Response:
        form = TierInput(data=request.data)
        form.is_valid(raise_exception=True)
        restaurant = plans.choose_plan(
            restaurant=self.restaurant,
            tier=form.validated_data["subscriptionTier"],
            now=clock.now(),
            by=str(request.user),
        )
        return Response(RestaurantSerializer({"restaurant": restaurant}).data)


class CompleteOnboardingView(RestaurantView):
    """Mark the welcome as read; it won't be shown to this user again."""

    rights = {"POST": Permission.SEE_OFFERS}

    @extend_schema(request=None, responses=UserSerializer)
    def post(self, request: Request) -> Response:
        user = onboarding.complete_onboarding(
            user=_account(request),
            restaurant=self.restaurant,
            is_owner=self.membership.role == Membership.Role.OWNER,
            now=clock.now(),
        )
        return Response(UserSerializer({"user": user}).data)


class ChooseRestaurantView(APIView):
    """Switch this browser session to another restaurant."""

    permission_classes = [IsAuthenticated]
    refusals: ClassVar = {
        "POST": (
            ErrorCode.INVALID,
            ErrorCode.FORBIDDEN,
            ErrorCode.RESTAURANT_CLOSED,
            ErrorCode.TWO_FACTOR_REQUIRED,
        ),
    }

    @extend_schema(request=None, responses=RestaurantSerializer)
    def post(self, request: Request, restaurant_id: UUID) -> Response:
        membership = enter_restaurant(request._request, _account(request), restaurant_id)
        if request.auth is not None:
            raise Invalid(NO_SESSION)
        choose_restaurant(request._request, restaurant_id)
        return Response(RestaurantSerializer({"restaurant": membership.restaurant}).data)
