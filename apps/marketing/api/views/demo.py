"""Endpoint that records visitors of the demo."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.client_address import client_address
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.marketing import demo_leads

LEADS_PER_ADDRESS = Limit("demo-leads", times=30, window=60)
INVALID_EMAIL = "Please enter a valid email address"
INVALID_STEPS = "Send the names of the completed steps as a list."
PROGRESS_SAVED = "Thanks! Your progress is saved."
MAX_STEP_LENGTH = 100  # characters


class LeadInput(serializers.Serializer[Any]):
    email = serializers.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), INVALID_EMAIL
        ),
    )
    completedSteps = serializers.ListField(
        source="completed_steps",
        child=serializers.CharField(
            max_length=MAX_STEP_LENGTH,
            error_messages=dict.fromkeys(("null", "blank", "invalid", "max_length"), INVALID_STEPS),
        ),
        max_length=demo_leads.MAX_STEPS,
        required=False,
        default=list,
        error_messages=dict.fromkeys(("null", "not_a_list", "max_length"), INVALID_STEPS),
    )


class LeadSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


class TrackDemoView(APIView):
    """Record a visitor's email and the demo steps they completed."""

    authentication_classes = []

    @extend_schema(request=LeadInput, responses=LeadSerializer)
    def post(self, request: Request) -> Response:
        address = client_address(request._request)
        LEADS_PER_ADDRESS.count(address)
        form = LeadInput(data=request.data)
        form.is_valid(raise_exception=True)
        demo_leads.record_lead(
            address=address,
            user_agent=request.headers.get("User-Agent", ""),
            referrer=request.headers.get("Referer", ""),
            now=clock.now(),
            **form.validated_data,
        )
        return Response(LeadSerializer({"message": PROGRESS_SAVED}).data)
