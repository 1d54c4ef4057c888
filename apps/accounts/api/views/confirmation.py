"""Email confirmation requests, and the bot check in front of them."""

from typing import ClassVar

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import bot_check, rate_limits
from apps.accounts.api import serializers as api_serializers
from apps.accounts.services import confirmation
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode


class HcaptchaConfigView(APIView):
    authentication_classes = []

    @extend_schema(responses=api_serializers.HcaptchaConfigSerializer)
    def get(self, request: Request) -> Response:
        return Response({"siteKey": settings.HCAPTCHA_SITE_KEY})


class VerifyHcaptchaView(APIView):
    """Whether hCaptcha accepts a token. While the check is off, every token is valid."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (ErrorCode.TOO_MANY_ATTEMPTS,),
    }

    @extend_schema(
        request=api_serializers.HcaptchaInput, responses=api_serializers.HcaptchaAnswerSerializer
    )
    def post(self, request: Request) -> Response:
        form = api_serializers.HcaptchaInput(data=request.data)
        form.is_valid(raise_exception=True)
        address = client_address(request._request)
        rate_limits.REGISTRATION_BY_ADDRESS.count(address)
        token = form.validated_data["token"]
        valid = bot_check.is_person(token, address=address)
        if valid:
            bot_check.remember(token)
        return Response(
            {"valid": valid, "message": bot_check.PASSED if valid else bot_check.FAILED}
        )


class SendEmailConfirmationView(APIView):
    """Send a link that confirms the email; 409 if it already has an account."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (
            ErrorCode.BOT_SUSPECTED,
            ErrorCode.ALREADY_REGISTERED,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(
        request=api_serializers.ConfirmationRequestInput,
        responses=api_serializers.MessageSerializer,
    )
    def post(self, request: Request) -> Response:
        form = api_serializers.ConfirmationRequestInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        address = client_address(request._request)
        rate_limits.REGISTRATION_BY_ADDRESS.count(address)
        bot_check.check_form(
            api_serializers.take_proof(sent),
            address=address,
            is_repeat=confirmation.is_pending(sent["email"]),
            now=now,
        )
        rate_limits.EMAILS_PER_RECIPIENT.count(sent["email"])
        confirmation.request_confirmation(email=sent["email"], now=now)
        return Response({"message": confirmation.SENT})
