"""The staff's Status page, the runbooks of the alarms, and metrics for Prometheus."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.views import permission_denied
from apps.monitoring import figures, metrics, services
from apps.monitoring.forms import AcknowledgementForm
from apps.monitoring.notices import STATUS_PATH
from apps.monitoring.rules import BY_NAME


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def status(request: HttpRequest) -> HttpResponse:
    """The alarms that ring, the current figures, and the alarms that rang before; only for
    staff."""
    assert isinstance(request.user, User)  # login_required
    if not has_staff_access(request, request.user):
        return permission_denied(request)
    with rls.acting_as(rls.PLATFORM):
        if request.method != "POST":
            return _page(request)
        form = AcknowledgementForm(request.POST)
        if not form.is_valid():
            return _page(request, error="Choose one alarm, and say what you're doing about it.")
        try:
            services.acknowledge_alarm(
                alarm_id=form.cleaned_data["alarm"],
                note=form.cleaned_data["note"],
                by=request.user.name,
                now=clock.now(),
            )
        except DomainError as refusal:
            message = refusal.fields[0].message if refusal.fields else refusal.message
            return _page(request, error=message)
    return redirect(f"{STATUS_PATH}?done=1")


def _page(request: HttpRequest, *, error: str = "") -> HttpResponse:
    context = {
        "status": figures.current_status(now=clock.now()),
        "error": error,
        "done": "done" in request.GET,
    }
    code = HTTPStatus.CONFLICT if error else HTTPStatus.OK
    return render(request, "monitoring/status.html", context, status=code)


@require_safe
@never_cache
@login_required
def runbook(request: HttpRequest, name: str) -> HttpResponse:
    """What to do about an alarm, as docs/operations.md has it; only for staff."""
    assert isinstance(request.user, User)  # login_required
    if not has_staff_access(request, request.user):
        return permission_denied(request)
    text = figures.runbook_html(name)
    if text is None:
        raise Http404
    context = {"title": BY_NAME[name].title, "text": text}
    return render(request, "monitoring/runbook.html", context)


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """All measurements, in Prometheus' text format; 404 unless the settings allow the caller."""
    if not metrics.is_allowed(request):
        raise Http404
    body, content_type = metrics.exposition(now=clock.now())
    return HttpResponse(body, content_type=content_type)
