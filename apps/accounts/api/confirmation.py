"""Email confirmation requests, and the bot check in front of them."""

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import bots, limits
from apps.accounts.addresses import client_address
from apps.accounts.api import inputs, serializers
from apps.accounts.services import confirmation
from apps.common import clock


class HcaptchaConfigView(APIView):
    authentication_classes = []

    @extend_schema(responses=serializers.HcaptchaConfigSerializer)
    def get(self, request: Request) -> Response:
        return Response({"siteKey": settings.HCAPTCHA_SITE_KEY})


class VerifyHcaptchaView(APIView):
    """Whether hCaptcha accepts a token. While the check is off, every token is valid."""

    authentication_classes = []

    @extend_schema(request=inputs.HcaptchaInput, responses=serializers.HcaptchaAnswerSerializer)
    def post(self, request: Request) -> Response:
        form = inputs.HcaptchaInput(data=request.data)
        form.is_valid(raise_exception=True)
        address = client_address(request._request)
        limits.REGISTRATION_BY_ADDRESS.count(address)
        token = form.validated_data["token"]
        valid = bots.is_person(token, address=address)
        if valid:
            bots.remember(token)
        return Response({"valid": valid, "message": bots.PASSED if valid else bots.FAILED})


class SendEmailConfirmationView(APIView):
    """Send a link that confirms the email; 409 if it already has an account."""

    authentication_classes = []

    @extend_schema(request=inputs.ConfirmationRequestInput, responses=serializers.MessageSerializer)
    def post(self, request: Request) -> Response:
        form = inputs.ConfirmationRequestInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent, now = form.validated_data, clock.now()
        bots.check_form(
            token=sent.get("hcaptchaToken") or "",
            website=sent.get("website") or "",
            started=sent.get("startedAt") or "",
            address=client_address(request._request),
            is_repeat=confirmation.is_awaited(sent["email"]),
            now=now,
        )
        limits.LETTERS_PER_EMAIL.count(sent["email"])
        confirmation.ask_for_confirmation(email=sent["email"], now=now)
        return Response({"message": confirmation.SENT})
