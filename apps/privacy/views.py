"""Pages of an account's own data: downloading it, and deleting the account."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import View

from apps.accounts.models import User
from apps.accounts.services import sign_out
from apps.accounts.step_up import has_stepped_up
from apps.accounts.views.account import to_reauthentication
from apps.common import clock
from apps.common.errors import DomainError
from apps.privacy.account_data import download_account_data
from apps.privacy.account_deletion import DeletionPlan, delete_account, deletion_plan

FILE_NAME = "fully-booked-account.json"
NOT_SURE = "Check the box to confirm."


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # login_required
    return request.user


@never_cache
@login_required
def download_data(request: HttpRequest) -> HttpResponse:
    """What is stored about this account, as a JSON file."""
    user = _user(request)
    if not has_stepped_up(request, user):
        return to_reauthentication(request.get_full_path())
    answer = JsonResponse(download_account_data(user), json_dumps_params={"indent": 2})
    answer.headers["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    return answer


@method_decorator([never_cache, login_required], name="dispatch")
class DeleteAccountPage(View):
    """What deleting the account does, and the form that does it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        if not has_stepped_up(request, _user(request)):
            return to_reauthentication(request.get_full_path())
        return self._page(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        user = _user(request)
        if not has_stepped_up(request, user):
            return to_reauthentication(request.get_full_path())
        if request.POST.get("sure") != "yes":
            return self._page(request, NOT_SURE, status=400)
        try:
            delete_account(user=user, closes=_ids(request.POST.getlist("close")), now=clock.now())
        except DomainError as refusal:
            return self._page(request, refusal.message, status=refusal.status)
        sign_out(request=request)
        return redirect("account_deleted")

    def _page(self, request: HttpRequest, problem: str = "", *, status: int = 200) -> HttpResponse:
        user = _user(request)
        plan: DeletionPlan = deletion_plan(user=user, now=clock.now())
        context: dict[str, Any] = {"account": user, "plan": plan, "problem": problem}
        return render(request, "privacy/delete_account.html", context, status=status)


def account_deleted(request: HttpRequest) -> HttpResponse:
    """Where the browser ends up: nobody is signed in."""
    return render(request, "privacy/account_deleted.html")


def _ids(texts: list[str]) -> set[UUID]:
    found = set()
    for text in texts:
        try:
            found.add(UUID(text))
        except ValueError:
            continue
    return found
