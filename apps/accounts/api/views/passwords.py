"""Password endpoints: forgot, reset, and change."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import emails as accounts_emails
from apps.accounts import rate_limits
from apps.accounts.api import serializers as api_serializers
from apps.accounts.api.views.account import AccountView
from apps.accounts.services import passwords
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode

# The same whether or not the email has an account (DECISIONS X41).
EMAIL_SENT = (
    "If this email has an account, we sent it a link to choose a new password. "
    "The link works for one hour."
)
RESET = "Password changed. Sign in with your new password."
CHANGED = "Password Updated"


class ForgotPasswordView(APIView):
    """Send a link to choose a new password, if the email has an account. Always 200."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(
        request=api_serializers.ForgotPasswordInput, responses=api_serializers.MessageSerializer
    )
    def post(self, request: Request) -> Response:
        form = api_serializers.ForgotPasswordInput(data=request.data)
        form.is_valid(raise_exception=True)
        email = form.validated_data["email"]
        rate_limits.EMAILS_BY_ADDRESS.count(client_address(request._request))
        rate_limits.EMAILS_PER_RECIPIENT.count(email)
        accounts_emails.queue_password_reset(email)
        return Response({"message": EMAIL_SENT})


class ValidateResetTokenView(APIView):
    """Whether a reset link still works."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (ErrorCode.TOO_MANY_ATTEMPTS,),
    }

    @extend_schema(
        request=api_serializers.ResetTokenInput, responses=api_serializers.ValiditySerializer
    )
    def post(self, request: Request) -> Response:
        form = api_serializers.ResetTokenInput(data=request.data)
        form.is_valid(raise_exception=True)
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        user = passwords.user_for_reset_token(form.validated_data["token"])
        return Response({"valid": user is not None})


class ResetPasswordView(APIView):
    """Choose a new password with a link. Ends every session and bearer token of the account."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (
            ErrorCode.INVALID_LINK,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(
        request=api_serializers.ResetPasswordInput, responses=api_serializers.MessageSerializer
    )
    def post(self, request: Request) -> Response:
        form = api_serializers.ResetPasswordInput(data=request.data)
        form.is_valid(raise_exception=True)
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        passwords.reset_password(request=request._request, **form.validated_data)
        return Response({"message": RESET})


class PasswordView(AccountView):
    """Set or change your own password. Ends all other sessions and all bearer tokens.

    403 `reauthenticate` without the current password or a recent step-up, and for bearer tokens.
    """

    refusals: ClassVar = {
        "PUT": (
            ErrorCode.REAUTHENTICATE,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(
        request=api_serializers.PasswordInput, responses=api_serializers.MessageSerializer
    )
    def put(self, request: Request) -> Response:
        form = api_serializers.PasswordInput(data=request.data)
        form.is_valid(raise_exception=True)
        passwords.set_password(
            request=request._request,
            user=self.account,
            password=form.validated_data.get("password") or "",
            current_password=form.validated_data.get("currentPassword") or "",
        )
        return Response({"message": CHANGED})
