"""Base class for endpoints of the signed-in account, and signing out.

Signing in returns the restaurant, so its endpoint is in the restaurants app.
"""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import services
from apps.accounts.api.authentication import bearer_token
from apps.accounts.models import BearerToken, User


class AccountView(APIView):
    """An endpoint about the signed-in account; 401 for anyone else."""

    permission_classes = [IsAuthenticated]

    @property
    def account(self) -> User:
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user


class LogoutView(APIView):
    """End the session and revoke the bearer token the request carries."""

    @staticmethod
    def token_scope(method: str) -> str:
        """Every token can revoke itself."""
        return BearerToken.Scope.READ

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        services.sign_out(request=request._request, token=bearer_token(request))
        return Response(status=204)
