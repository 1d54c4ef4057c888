"""The subscription API: upgrading, the subscription's status, and the billing portal."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.billing import subscriptions
from apps.billing.api.serializers import (
    BillingPortalSerializer,
    LinkSerializer,
    SubscriptionSerializer,
)
from apps.billing.api.views.connect import LINK_LIMIT
from apps.common.error_codes import ErrorCode
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.hosts import absolute_url
from apps.restaurants.views.onboarding import BRANDED_SETUP


class SubscriptionStatusView(RestaurantView):
    """The status of the restaurant's subscription."""

    refusals: ClassVar = {
        "GET": (ErrorCode.UNAVAILABLE,),
    }

    @extend_schema(responses=SubscriptionSerializer)
    def get(self, request: Request) -> Response:
        status = subscriptions.subscription_status(self.restaurant)
        return Response(SubscriptionSerializer(status).data)


class CreateCheckoutSessionView(RestaurantView):
    """The URL where an upgrade continues.

    It is our own plan selection: no plan has a monthly fee, so there is nothing to check out
    (DECISIONS X1).
    """

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        return Response(LinkSerializer({"url": absolute_url(BRANDED_SETUP)}).data)


class BillingPortalView(RestaurantView):
    """A link to Stripe's billing portal; 409 if the restaurant has no bills."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=None, responses=BillingPortalSerializer)
    def post(self, request: Request) -> Response:
        LINK_LIMIT.count(str(self.restaurant.pk))
        url = subscriptions.billing_portal(self.restaurant)
        return Response(BillingPortalSerializer({"portalUrl": url}).data)
