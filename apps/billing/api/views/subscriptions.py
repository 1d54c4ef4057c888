"""The subscription API: upgrading, the subscription's status, its end, and the billing portal."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.billing.api.serializers import (
    BillingPortalSerializer,
    LinkSerializer,
    SubscriptionSerializer,
)
from apps.billing.api.views.connect import LINK_LIMIT
from apps.billing.subscriptions import portal, terms
from apps.billing.subscriptions.renewal import set_cancellation
from apps.billing.subscriptions.sign_up import SIGN_UP_PATH
from apps.common import clock
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
        status = portal.subscription_status(self.restaurant, now=clock.now())
        return Response(SubscriptionSerializer(status).data)


class CreateCheckoutSessionView(RestaurantView):
    """The URL of the page where an upgrade continues.

    It is our own page: the plans, or the subscription's where one is sold.
    """

    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request) -> Response:
        page = SIGN_UP_PATH if terms.is_sold() else BRANDED_SETUP
        return Response(LinkSerializer({"url": absolute_url(page)}).data)


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
        url = portal.billing_portal(self.restaurant)
        return Response(BillingPortalSerializer({"portalUrl": url}).data)


class _CancellationView(RestaurantView):
    at_period_end: ClassVar[bool]
    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT, ErrorCode.UNAVAILABLE)}

    def _change(self) -> Response:
        now = clock.now()
        set_cancellation(self.restaurant, at_period_end=self.at_period_end, now=now)
        status = portal.subscription_status(self.restaurant, now=now)
        return Response(SubscriptionSerializer(status).data)


class CancelView(_CancellationView):
    """End the subscription with the month that is paid. Safe to repeat."""

    at_period_end = True

    @extend_schema(
        operation_id="cancelSubscription", request=None, responses=SubscriptionSerializer
    )
    def post(self, request: Request) -> Response:
        return self._change()


class ResumeView(_CancellationView):
    """Resume a canceled subscription while its month isn't over. Safe to repeat."""

    at_period_end = False

    @extend_schema(
        operation_id="resumeSubscription", request=None, responses=SubscriptionSerializer
    )
    def post(self, request: Request) -> Response:
        return self._change()
