"""The upgrade, the subscription's state, and the way to its bills (A34–A36)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.billing import subscriptions
from apps.billing.api.views.connect import LINKS, LinkSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.hosts import absolute_url
from apps.restaurants.views.onboarding import BRANDED_SETUP


class SubscriptionSerializer(serializers.Serializer[subscriptions.SubscriptionStatus]):
    tier = serializers.CharField()
    status = serializers.CharField(help_text="The processor's word; `active` without one.")
    currentPeriodEnd = serializers.DateTimeField(source="current_period_end", allow_null=True)
    hasStripeCustomer = serializers.BooleanField(source="has_stripe_customer")


class BillingPortalSerializer(serializers.Serializer[Any]):
    portalUrl = serializers.URLField()


class SubscriptionStatusView(RestaurantView):
    """Where the restaurant's subscription stands."""

    @extend_schema(responses=SubscriptionSerializer)
    def get(self, request: Request) -> Response:
        status = subscriptions.subscription_status(self.restaurant)
        return Response(SubscriptionSerializer(status).data)


class CreateCheckoutSessionView(RestaurantView):
    """Where an upgrade goes on: at our own choice of the plan, since no plan costs a monthly fee
    and there is nothing to check out (DECISIONS X1)."""

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        return Response(LinkSerializer({"url": absolute_url(BRANDED_SETUP)}).data)


class BillingPortalView(RestaurantView):
    """A link to the restaurant's bills at the processor; 409 while there are none."""

    @extend_schema(request=None, responses=BillingPortalSerializer)
    def post(self, request: Request) -> Response:
        LINKS.count(str(self.restaurant.pk))
        url = subscriptions.billing_portal(self.restaurant)
        return Response(BillingPortalSerializer({"portalUrl": url}).data)
