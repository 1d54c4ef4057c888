"""Signing out over the API; signing in answers with the restaurant, so it stands above this app."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import services
from apps.accounts.api.authentication import bearer_token


class LogoutView(APIView):
    """End the session, and revoke the bearer token the request carries."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        services.sign_out(request=request._request, token=bearer_token(request))
        return Response(status=204)
