"""What the demo's page tells us (A54)."""

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

BY_ADDRESS = Limit("demo-leads", times=30, window=60)
INVALID_EMAIL = "Please enter a valid email address"
WRONG_STEPS = "Send the names of the steps as a list."
SAVED = "Thank you. Your progress is saved."
LONGEST_STEP = 100


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
            max_length=LONGEST_STEP,
            error_messages=dict.fromkeys(("null", "blank", "invalid", "max_length"), WRONG_STEPS),
        ),
        max_length=demo_leads.MOST_STEPS,
        required=False,
        default=list,
        error_messages=dict.fromkeys(("null", "not_a_list", "max_length"), WRONG_STEPS),
    )


class LeadSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()


class TrackDemoView(APIView):
    """Keep a visitor's address and how far they came in the demo."""

    authentication_classes = []

    @extend_schema(request=LeadInput, responses=LeadSerializer)
    def post(self, request: Request) -> Response:
        address = client_address(request._request)
        BY_ADDRESS.count(address)
        form = LeadInput(data=request.data)
        form.is_valid(raise_exception=True)
        demo_leads.record_lead(
            address=address,
            user_agent=request.headers.get("User-Agent", ""),
            referrer=request.headers.get("Referer", ""),
            now=clock.now(),
            **form.validated_data,
        )
        return Response(LeadSerializer({"message": SAVED}).data)
