"""The API by which browsers turn push on and off."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.throttles import AddressThrottle
from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.selectors import restaurant_of_offer
from apps.preorders.push import subscriptions
from apps.preorders.push.subscriptions import NOT_A_SUBSCRIPTION
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission


class FollowThrottle(AddressThrottle):
    """How many subscriptions one IP address can add."""

    limit = Limit("follow", times=30, window=10 * 60)


def _text(most: int) -> serializers.CharField:
    return serializers.CharField(
        max_length=most,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), NOT_A_SUBSCRIPTION
        ),
    )


class EndpointInput(serializers.Serializer[Any]):
    endpoint = _text(500)


class SubscriptionInput(EndpointInput):
    """A browser's `PushSubscription`, its keys in URL-safe Base64."""

    p256dh = _text(100)
    auth = _text(50)


def _valid(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


class _SpecialView(PublicRestaurantView):
    authentication_classes = []
    throttle_classes = [FollowThrottle]
    not_found = UNKNOWN_OFFER

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return restaurant_of_offer(self.kwargs["offer_id"])


class FollowView(_SpecialView):
    """Tell this browser when the special needs one more portion, and when it's on."""

    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT,)}

    @extend_schema(request=SubscriptionInput, responses={204: None})
    def post(self, request: Request, offer_id: UUID) -> Response:
        sent = _valid(SubscriptionInput(data=request.data))
        subscriptions.follow(restaurant=self.restaurant, offer_id=offer_id, now=clock.now(), **sent)
        return Response(status=204)


class UnfollowView(_SpecialView):
    """Stop telling this browser about the special."""

    @extend_schema(request=EndpointInput, responses={204: None})
    def post(self, request: Request, offer_id: UUID) -> Response:
        sent = _valid(EndpointInput(data=request.data))
        subscriptions.unfollow(restaurant=self.restaurant, offer_id=offer_id, **sent)
        return Response(status=204)


class _OwnerView(RestaurantView):
    rights: ClassVar = {"POST": Permission.MANAGE}

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)  # RestaurantView
        return self.request.user


class OwnerPushView(_OwnerView):
    """Tell this browser what the signed-in owner is emailed about specials."""

    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT,)}

    @extend_schema(request=SubscriptionInput, responses={204: None})
    def post(self, request: Request) -> Response:
        sent = _valid(SubscriptionInput(data=request.data))
        subscriptions.turn_on(restaurant=self.restaurant, user=self.user, now=clock.now(), **sent)
        return Response(status=204)


class OwnerPushStopView(_OwnerView):
    """Stop telling this browser anything."""

    @extend_schema(request=EndpointInput, responses={204: None})
    def post(self, request: Request) -> Response:
        sent = _valid(EndpointInput(data=request.data))
        subscriptions.turn_off(restaurant=self.restaurant, user=self.user, **sent)
        return Response(status=204)
