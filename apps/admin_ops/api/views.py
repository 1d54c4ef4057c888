"""Health endpoint for operators and monitoring."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.admin_ops.api.serializers import Health
from apps.admin_ops.health import check_health
from apps.common import clock


class HealthView(APIView):
    """200 only if the database, cache, worker, and scheduler all respond; otherwise 503."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    @extend_schema(responses={200: Health, 503: Health})
    def get(self, request: Request) -> Response:
        parts = check_health(now=clock.now())
        healthy = all(state == "ok" for state in parts.values())
        answer = {"status": "ok" if healthy else "failing", **parts}
        return Response(answer, status=200 if healthy else 503)
