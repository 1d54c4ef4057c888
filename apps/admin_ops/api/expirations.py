"""Expiration management: figures, the scheduler, and a run by hand."""

from time import monotonic
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.staff import StaffView
from apps.admin_ops.api.serializers import (
    ExpirationStatsSerializer,
    ProcessedExpirationsSerializer,
    SchedulerStatusSerializer,
    StartSchedulerSerializer,
    StopSchedulerSerializer,
)
from apps.common import clock, rls
from apps.preorders.models.states import RunTrigger
from apps.preorders.settlement import expirations
from apps.preorders.settlement.overdue import expiration_stats

# A run by hand stops after this long and leaves the rest to the scheduler, so that nobody waits
# longer for the page.
RUN_BUDGET_SECONDS = 20


class _ExpirationView(StaffView):
    """For staff; acts as the platform."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with rls.acting_as(rls.PLATFORM):
            return super().dispatch(request, *args, **kwargs)


class ExpirationStatsView(_ExpirationView):
    """How many specials of all restaurants are open, close soon, and have closed."""

    @extend_schema(responses=ExpirationStatsSerializer)
    def get(self, request: Request) -> Response:
        return Response(ExpirationStatsSerializer(expiration_stats(now=clock.now())).data)


class SchedulerStatusView(_ExpirationView):
    """Whether specials are settled automatically, and when the next run is due."""

    @extend_schema(responses=SchedulerStatusSerializer)
    def get(self, request: Request) -> Response:
        status = expirations.scheduler_status(now=clock.now())
        return Response(SchedulerStatusSerializer(status).data)


class ProcessExpirationsView(_ExpirationView):
    """Settle every special past its deadline now; counts what this call decided.

    Works even while the scheduler is stopped. It leaves what it can't finish in 20 seconds to the
    scheduler or the next call.
    """

    @extend_schema(request=None, responses=ProcessedExpirationsSerializer)
    def post(self, request: Request) -> Response:
        begun = monotonic()
        run = expirations.process_expirations(
            trigger=RunTrigger.STAFF,
            by=self.staff.name,
            now=clock.now(),
            has_time=lambda: monotonic() - begun < RUN_BUDGET_SECONDS,
        )
        return Response(ProcessedExpirationsSerializer(run).data)


class StartSchedulerView(_ExpirationView):
    """Settle automatically, with a run every `intervalMinutes`; re-times a running scheduler."""

    @extend_schema(request=StartSchedulerSerializer, responses=SchedulerStatusSerializer)
    def post(self, request: Request) -> Response:
        form = StartSchedulerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        status = expirations.start_scheduler(
            interval_minutes=form.validated_data["intervalMinutes"],
            by=self.staff.name,
            now=clock.now(),
        )
        return Response(SchedulerStatusSerializer(status).data)


class StopSchedulerView(_ExpirationView):
    """Stop settling automatically. Specials past their deadline wait until it is started again."""

    @extend_schema(request=StopSchedulerSerializer, responses=SchedulerStatusSerializer)
    def post(self, request: Request) -> Response:
        form = StopSchedulerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        status = expirations.stop_scheduler(
            reason=form.validated_data.get("reason", ""), by=self.staff.name, now=clock.now()
        )
        return Response(SchedulerStatusSerializer(status).data)
