"""Endpoint that records visitors of the demo."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.marketing import demo_leads
from apps.marketing.api.serializers import LeadInput, LeadSerializer

LEADS_PER_ADDRESS = Limit("demo-leads", times=30, window=60)
PROGRESS_SAVED = "Thanks! Your progress is saved."


class TrackDemoView(APIView):
    """Record a visitor's email and the demo steps they completed."""

    authentication_classes = []
    refusals: ClassVar = {
        "POST": (ErrorCode.TOO_MANY_ATTEMPTS,),
    }

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
