"""The API of signing up for a subscription: the payment, then the restaurant (decision 126)."""

from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import bot_check, rate_limits
from apps.accounts.api.authentication import token_for_client
from apps.accounts.api.serializers import take_proof
from apps.accounts.models import User
from apps.accounts.services.accounts import rate_limited_discovery, welcome
from apps.billing.api.serializers import (
    RegisterSubscriberInput,
    SubscriberSerializer,
    SubscriptionPaymentInput,
    SubscriptionPaymentSerializer,
)
from apps.billing.subscriptions import registration, sign_up
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.common.ids import parse_uuid
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission, current_membership, memberships_of

# Names the sign-up in the browser's session.
SESSION_KEY = "subscription_sign_up"
DASHBOARD = "/restaurant"


def opened_sign_up(request: HttpRequest) -> UUID | None:
    """The sign-up that this browser began, or came back to with the link in an email."""
    return parse_uuid(request.session.get(SESSION_KEY))


def subscriber(request: HttpRequest) -> tuple[User | None, Restaurant | None]:
    """Who subscribes: nobody who is signed in, or a user, with their restaurant if there is one.

    Raises Forbidden for a member who can't manage it.
    """
    if not isinstance(request.user, User):
        return None, None
    if not memberships_of(request.user):
        return request.user, None
    membership = current_membership(request, request.user, by_name=True)
    membership.require(Permission.MANAGE)
    return request.user, membership.restaurant


def _details(sent: dict[str, Any], request: Request) -> sign_up.SignUpDetails:
    return sign_up.SignUpDetails(
        email=sent.get("email", ""),
        name=sent.get("name", ""),
        has_agreed=sent.get("has_agreed", False),
        agreed_from=client_address(request._request),
    )


class SubscriptionPaymentView(APIView):
    """Begin the first month's payment: the browser confirms `clientSecret` with a card.

    Repeating it continues with the same payment.
    """

    refusals: ClassVar = {
        "POST": (
            ErrorCode.PRICE_CHANGED,
            ErrorCode.BOT_SUSPECTED,
            ErrorCode.FORBIDDEN,
            ErrorCode.RESTAURANT_CLOSED,
            ErrorCode.RESTAURANT_REQUIRED,
            ErrorCode.TWO_FACTOR_REQUIRED,
            ErrorCode.NOT_FOUND,
            ErrorCode.CONFLICT,
            ErrorCode.ALREADY_REGISTERED,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=SubscriptionPaymentInput, responses=SubscriptionPaymentSerializer)
    def post(self, request: Request) -> Response:
        address = client_address(request._request)
        form = SubscriptionPaymentInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        proof = take_proof(sent)
        sign_up.check_price(cents=sent["amount"], currency=sent["currency"])
        user, restaurant = subscriber(request._request)
        rate_limits.SUBSCRIPTIONS_BY_ADDRESS.count(address)
        if user is None:
            bot_check.check_form(proof, address=address, now=now)
        with rate_limited_discovery(address):
            started = sign_up.start_sign_up(
                details=_details(sent, request),
                user=user,
                restaurant=restaurant,
                opened_id=opened_sign_up(request._request),
                now=now,
            )
        request._request.session[SESSION_KEY] = str(started.sign_up.pk)
        return Response(SubscriptionPaymentSerializer(started).data)


class RegisterSubscriberView(APIView):
    """Register the restaurant that the first month was paid for, and sign in. Safe to repeat."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.FORBIDDEN,
            ErrorCode.RESTAURANT_CLOSED,
            ErrorCode.RESTAURANT_REQUIRED,
            ErrorCode.TWO_FACTOR_REQUIRED,
            ErrorCode.NOT_FOUND,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=RegisterSubscriberInput, responses={201: SubscriberSerializer})
    def post(self, request: Request) -> Response:
        rate_limits.REGISTRATION_BY_ADDRESS.count(client_address(request._request))
        form = RegisterSubscriberInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        user, restaurant = subscriber(request._request)
        found = registration.sign_up_of_payment(
            sent["paymentIntentId"], user=user, opened_id=opened_sign_up(request._request)
        )
        registered = registration.register_sign_up(
            found, details=_details(sent, request), user=user, restaurant=restaurant, now=now
        )
        request._request.session.pop(SESSION_KEY, None)
        token = None
        if user is None:
            user = registration.new_owner(registered)
            welcome(request=request._request, user=user)
            token = token_for_client(request, user, now=now)
        elif user.pk != registered.user_id:
            raise registration.OwnerHasToSignIn
        answer = {
            "user": user,
            "restaurant": registered.restaurant,
            "token": token,
            "next_url": DASHBOARD,
        }
        return Response(SubscriberSerializer(answer).data, status=201)
