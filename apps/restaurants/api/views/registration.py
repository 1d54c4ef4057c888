"""Registration endpoints: the confirmation link and the registration form."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import bot_check, rate_limits
from apps.accounts.api.authentication import token_for_client
from apps.accounts.api.serializers import take_proof
from apps.accounts.models import User
from apps.accounts.services.accounts import rate_limited_discovery
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.restaurants.api.serializers.registration import (
    ConfirmationInput,
    ConfirmedSerializer,
    RegistrationInput,
)
from apps.restaurants.api.serializers.sign_in import SignedInSerializer
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import default_membership, memberships_of
from apps.restaurants.services import registration


def _restaurant_of(user: User) -> Restaurant | None:
    membership = default_membership(memberships_of(user))
    return membership.restaurant if membership else None


class VerifyEmailConfirmationView(APIView):
    """Use a confirmation link. A new email gets an account and a restaurant, signed in."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.INVALID_LINK,
            ErrorCode.SIGN_IN_TO_CONFIRM,
            ErrorCode.ALREADY_REGISTERED,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(request=ConfirmationInput, responses=ConfirmedSerializer, auth=[])
    def post(self, request: Request) -> Response:
        form = ConfirmationInput(data=request.data)
        form.is_valid(raise_exception=True)
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        now = clock.now()
        user, is_signed_in = registration.confirm_email(
            request=request._request,
            signed_in=request.user if isinstance(request.user, User) else None,
            now=now,
            **form.validated_data,
        )
        answer = {
            "user": user,
            "restaurant": _restaurant_of(user),
            "signed_in": is_signed_in,
            "token": token_for_client(request, user, now=now) if is_signed_in else None,
        }
        return Response(ConfirmedSerializer(answer).data)


class RegisterView(APIView):
    """Create an account with a restaurant and sign in. Sends a confirmation email."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.BOT_SUSPECTED,
            ErrorCode.ALREADY_REGISTERED,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    # An old session or a revoked token must not prevent signing up.
    authentication_classes = []

    @extend_schema(request=RegistrationInput, responses={201: SignedInSerializer})
    def post(self, request: Request) -> Response:
        address = client_address(request._request)
        rate_limits.REGISTRATION_BY_ADDRESS.count(address)
        form = RegistrationInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        sent.pop("revenueSharePercentage", None)
        bot_check.check_form(take_proof(sent), address=address, now=now)
        with rate_limited_discovery(address):
            user, restaurant = registration.register_account(
                request=request._request, now=now, **sent
            )
        answer = {
            "user": user,
            "restaurant": restaurant,
            "token": token_for_client(request, user, now=now),
        }
        return Response(SignedInSerializer(answer).data, status=201)
