"""What endpoints of the signed-in account share, and signing out. Signing in answers with the
restaurant, so it stands above this app."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import services
from apps.accounts.api.authentication import bearer_token
from apps.accounts.models import User


class AccountView(APIView):
    """An endpoint about the account that asks; 401 for a passer-by."""

    permission_classes = [IsAuthenticated]

    @property
    def account(self) -> User:
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user


class LogoutView(APIView):
    """End the session, and revoke the bearer token the request carries."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        services.sign_out(request=request._request, token=bearer_token(request))
        return Response(status=204)
