"""The staff's page of payment issues."""

from http import HTTPStatus

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.admin_ops.forms import CONTINUE, GIVE_UP, IssueForm
from apps.billing.subscriptions.registration import stuck_sign_ups
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.preorders.settlement import issues
from apps.preorders.settlement.reconciliation_status import reconciliation_status

PAGE_SIZE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page
def payment_issues(request: HttpRequest, staff: User) -> HttpResponse:
    """What needs a person about payments, of all restaurants."""
    with rls.acting_as(rls.PLATFORM):
        if request.method != "POST":
            return _page(request)
        form = IssueForm(request.POST)
        if not form.is_valid():
            return _page(request, error="Choose what to do about one payment issue.")
        try:
            _carry_out(form, staff)
        except DomainError as refusal:
            message = refusal.fields[0].message if refusal.fields else refusal.message
            return _page(request, error=message)
    return redirect("/staff/payment-issues?done=1")


def _carry_out(form: IssueForm, user: User) -> None:
    about = {"issue_id": form.cleaned_data["issue"], "by": user.name, "now": clock.now()}
    match form.cleaned_data["action"]:
        case action if action == CONTINUE:
            issues.continue_payments(**about)
        case action if action == GIVE_UP:
            issues.give_up_charge(**about)
        case _:
            issues.resolve_issue(**about, resolution=form.cleaned_data["resolution"])


def _page(request: HttpRequest, *, error: str = "") -> HttpResponse:
    pages = Paginator(issues.open_issues(), PAGE_SIZE)
    context = {
        "page": pages.get_page(request.GET.get("page")),
        "error": error,
        "done": "done" in request.GET,
        "unfinished": stuck_sign_ups(),
        "reconciliation": reconciliation_status(),
        "can_continue": issues.CAN_CONTINUE,
        "can_give_up": issues.CAN_GIVE_UP,
    }
    status = HTTPStatus.CONFLICT if error else HTTPStatus.OK
    return render(request, "admin_ops/payment_issues.html", context, status=status)
