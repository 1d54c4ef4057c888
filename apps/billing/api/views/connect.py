"""The payment account API: its status, and links to Stripe's pages."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.rate_limits import Limit
from apps.billing import services
from apps.billing.api.serializers import ConnectStatusSerializer, LinkSerializer, OnboardingInput
from apps.billing.models import ConnectAccount
from apps.billing.services import AccountReading
from apps.common import clock
from apps.common.api.query import read_flag
from apps.common.error_codes import ErrorCode
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Restaurant

# Each link is a call to Stripe, which limits the rate of our calls.
LINK_LIMIT = Limit("connect-links", times=20, window=10 * 60)


def stored_status(restaurant: Restaurant) -> dict[str, Any]:
    """The stored status of the restaurant's account, without a call to Stripe."""
    account: ConnectAccount | None = getattr(restaurant, "connect_account", None)
    return dict(ConnectStatusSerializer(AccountReading(account, True, restaurant.country)).data)


class ConnectStatusView(RestaurantView):
    """The status of the payment account."""

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "refresh", bool, description="Read it from Stripe, even if it was read recently."
            )
        ],
        responses=ConnectStatusSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = read_flag(request, "refresh")
        reading = services.read_account(restaurant=self.restaurant, now=clock.now(), refresh=asked)
        return Response(ConnectStatusSerializer(reading).data)


class ConnectOnboardingView(RestaurantView):
    """A link to Stripe's onboarding pages, valid once and for a few minutes."""

    step_up = ("POST",)
    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=OnboardingInput, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        form = OnboardingInput(data=request.data)
        form.is_valid(raise_exception=True)
        return _onboarding(self.restaurant, form.validated_data["returnTo"])


class StripeOnboardingView(RestaurantView):
    """The same link under its other path (DECISIONS X36)."""

    step_up = ("POST",)
    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        return _onboarding(self.restaurant, services.SETTINGS_PATH)


def _onboarding(restaurant: Restaurant, return_to: str) -> Response:
    LINK_LIMIT.count(str(restaurant.pk))
    url = services.begin_onboarding(restaurant=restaurant, now=clock.now(), return_to=return_to)
    return Response(LinkSerializer({"url": url}).data)


class ConnectDashboardView(RestaurantView):
    """A link to the restaurant's Stripe dashboard; 409 with `needsOnboarding` until it exists."""

    step_up = ("POST",)
    refusals: ClassVar = {
        "POST": (
            ErrorCode.NEEDS_ONBOARDING,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        LINK_LIMIT.count(str(self.restaurant.pk))
        url = services.open_dashboard(restaurant=self.restaurant, now=clock.now())
        return Response(LinkSerializer({"url": url}).data)
