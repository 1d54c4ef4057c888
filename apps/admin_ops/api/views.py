"""Health, for operators and monitoring, and a restaurant's activity log."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.activity.selectors import EventFilter
from apps.admin_ops.activity import activity_of_restaurant
from apps.admin_ops.api.serializers import (
    ActivityQuery,
    ActivitySerializer,
    Health,
    Liveness,
    Readiness,
)
from apps.admin_ops.health import check_readiness, report_health
from apps.common import clock
from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode
from apps.restaurants.api.views.base import RestaurantView


class HealthView(APIView):
    """200 only if the database, cache, worker, and scheduler all respond; otherwise 503.

    It also reports how the comparison with Stripe is doing, which doesn't change the status.
    """

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    @extend_schema(responses={200: Health, 503: Health})
    def get(self, request: Request) -> Response:
        parts, reconciliation = report_health(now=clock.now())
        healthy = all(state == "ok" for state in parts.values())
        status = "ok" if healthy else "failing"
        answer = Health({"status": status, **parts, "reconciliation": reconciliation}).data
        return Response(answer, status=200 if healthy else 503)


class LiveView(APIView):
    """200 while this web process answers, even if what it depends on doesn't. Restart it when it
    doesn't answer."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    @extend_schema(responses={200: Liveness})
    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


class ReadyView(APIView):
    """200 while this web process can serve: database and cache respond. Otherwise 503."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    @extend_schema(responses={200: Readiness, 503: Readiness})
    def get(self, request: Request) -> Response:
        parts = check_readiness()
        is_ready = all(state == "ok" for state in parts.values())
        answer = {"status": "ok" if is_ready else "failing", **parts}
        return Response(answer, status=200 if is_ready else 503)


class ActivityView(RestaurantView):
    """Who did what in the restaurant, newest first; for the owner."""

    refusals: ClassVar = {"GET": (ErrorCode.INVALID_CURSOR,)}

    @extend_schema(
        parameters=[ActivityQuery, CURSOR, limit_parameter()], responses=ActivitySerializer
    )
    def get(self, request: Request) -> Response:
        form = ActivityQuery(data=request.query_params)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        page = activity_of_restaurant(
            restaurant=self.restaurant,
            filters=EventFilter(group=asked.get("group", ""), actor_id=asked.get("person")),
            cursor=request.query_params.get("cursor"),
            limit=read_limit(request),
        )
        return Response(ActivitySerializer(page).data)
