"""The staff's page of expiration management: the scheduler, pauses, and what waits."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.admin_ops.api.serializers import ExpirationStatsSerializer, SchedulerStatusSerializer
from apps.admin_ops.forms import CONTINUE, GIVE_UP, PAUSE, RETRY, SettlementForm
from apps.common import clock, rls
from apps.common.errors import Conflict, DomainError
from apps.preorders.models.states import PauseScope
from apps.preorders.settlement import expirations, interventions, overdue, pauses

PAGE = "/admin/expiration"
CHOOSE = "Choose an action, and what it applies to."
CONFIRM = "Check the box to confirm that these orders end. Guests can't get them back."
# Ending everything of a restaurant takes the command, which counts the orders first.
CAN_GIVE_UP = (PauseScope.SPECIAL, PauseScope.OPERATION)


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
@staff_page
def expiration(request: HttpRequest, staff: User) -> HttpResponse:
    """Expiration management; only for staff."""
    with rls.acting_as(rls.PLATFORM):
        if request.method != "POST":
            return _page(request)
        form = SettlementForm(request.POST)
        if not form.is_valid():
            return _page(request, error=CHOOSE)
        try:
            done = _carry_out(form.cleaned_data, staff)
        except DomainError as refusal:
            message = refusal.fields[0].message if refusal.fields else refusal.message
            return _page(request, error=message, asked=form.cleaned_data)
    messages.success(request, done)
    return redirect(PAGE)


def _carry_out(asked: dict[str, Any], staff: User) -> str:
    """Carry out what the form asks for, and return a sentence about the result. Raises
    DomainError."""
    now = clock.now()
    target = pauses.find_target(asked["scope"], asked["target"].strip())
    match asked["action"]:
        case action if action == PAUSE:
            pauses.pause_settlement(target=target, reason=asked["reason"], by=staff.name, now=now)
            return f"Paused: {target.name}."
        case action if action == CONTINUE:
            interventions.continue_settlement(target=target, by=staff.name, now=now)
            return f"Continued: {target.name}."
        case action if action == RETRY:
            done = interventions.retry_settlement(target=target, by=staff.name, now=now)
            return f"Trying again: {_counted(done)}."
        case action if action == GIVE_UP and target.scope in CAN_GIVE_UP:
            if not asked["confirmed"]:
                raise Conflict(CONFIRM)
            done = interventions.give_up_settlement(target=target, by=staff.name, now=now)
            return f"Given up: {_counted(done)}. Holds are being released, and guests get an email."
    raise Conflict(CHOOSE)


def _counted(done: interventions.Intervention) -> str:
    return f"payments {done.operations}, specials {done.specials}"


def _page(
    request: HttpRequest, *, error: str = "", asked: dict[str, Any] | None = None
) -> HttpResponse:
    now = clock.now()
    status = expirations.scheduler_status(now=now)
    late = overdue.overdue_offers(now=now, late_by=timedelta())
    holds, operations = overdue.ending_holds(now=now), overdue.waiting_operations()
    context = {
        "props": {
            "stats": ExpirationStatsSerializer(overdue.expiration_stats(now=now)).data,
            "scheduler": SchedulerStatusSerializer(status).data,
            "intervalMinutes": status.interval_minutes,
        },
        "pauses": pauses.shown_pauses(now=now),
        "scopes": [
            (PauseScope.ALL.value, "All settlement"),
            (PauseScope.RESTAURANT.value, "A restaurant (its subdomain or id)"),
            (PauseScope.SPECIAL.value, "A special (its id)"),
            (PauseScope.OPERATION.value, "A payment (its number)"),
        ],
        "asked": asked or {},
        "overdue": late[: overdue.SHOWN],
        "overdue_count": late.count(),
        "holds": holds[: overdue.SHOWN],
        "holds_count": holds.count(),
        "operations": operations[: overdue.SHOWN],
        "operations_count": operations.count(),
        "runs": expirations.last_runs(),
        "now": now,
        "error": error,
    }
    code = HTTPStatus.CONFLICT if error else HTTPStatus.OK
    return render(request, "admin_ops/expiration.html", context, status=code)
