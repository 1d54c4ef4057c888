"""Signing in over the API (A50)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.addresses import client_address
from apps.accounts.services import issue_token, sign_in
from apps.common import clock
from apps.restaurants.api import serializers
from apps.restaurants.roles import memberships_of


class LoginView(APIView):
    """Start a session and issue a bearer token."""

    # An older session or a revoked token must not stand in the way of signing in.
    authentication_classes = []

    @extend_schema(request=serializers.LoginInput, responses=serializers.SignedInSerializer)
    def post(self, request: Request) -> Response:
        form = serializers.LoginInput(data=request.data)
        form.is_valid(raise_exception=True)
        user = sign_in(
            request=request._request,
            address=client_address(request._request),
            **form.validated_data,
        )
        memberships = memberships_of(user)
        answer = {
            "user": user,
            "restaurant": memberships[0].restaurant if memberships else None,
            "token": issue_token(user=user, now=clock.now()),
        }
        return Response(serializers.SignedInSerializer(answer).data)
