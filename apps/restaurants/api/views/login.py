"""Signing in through the API."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.api.authentication import token_for_client
from apps.accounts.known_devices import remember_device
from apps.accounts.services import sign_in
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.restaurants.api.serializers.sign_in import SignedInSerializer, SignInInput
from apps.restaurants.permissions import default_membership, memberships_of


class LoginView(APIView):
    """Start a session and issue a bearer token.

    An account with a second factor gets 401 with `codeRequired`; repeat the request with `code`.
    """

    refusals: ClassVar = {
        "POST": (
            ErrorCode.INVALID_LOGIN,
            ErrorCode.CODE_NEEDED,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    # An old session or a revoked token must not prevent signing in.
    authentication_classes = []

    @extend_schema(request=SignInInput, responses=SignedInSerializer)
    def post(self, request: Request) -> Response:
        form = SignInInput(data=request.data)
        form.is_valid(raise_exception=True)
        user = sign_in(
            request=request._request,
            address=client_address(request._request),
            **form.validated_data,
        )
        membership = default_membership(memberships_of(user))
        answer = {
            "user": user,
            "restaurant": membership.restaurant if membership else None,
            "token": token_for_client(request, user, now=clock.now()),
        }
        response = Response(SignedInSerializer(answer).data)
        remember_device(request._request, response, user)
        return response
