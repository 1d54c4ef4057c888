"""The rule for platform staff: their rights belong to a session, not to an account."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.step_up import REAUTHENTICATE_URL, has_passed_second_factor, is_by_token
from apps.accounts.two_factor import has_second_factor
from apps.common.error_codes import ErrorCode
from apps.common.errors import Forbidden
from apps.common.views import permission_denied

TWO_FACTOR_URL = "/account/two-factor/"
STAFF_ONLY = "Only Fully Booked staff can do this."
SECOND_FACTOR_NEEDED = "Staff need two-step verification for this. Sign in with your second step."


def has_staff_access(request: HttpRequest | Request, user: User) -> bool:
    """Whether this request has staff rights: active staff in a two-step session.

    Never with a bearer token. Only the demo's own staff account works without a second factor, and
    only in the demo.
    """
    if not user.is_staff or not user.is_active or is_by_token(request):
        return False
    in_demo = settings.DEMO and user.email.lower() == settings.DEMO_STAFF_EMAIL
    return in_demo or has_passed_second_factor(request, user)


def require_staff_access(request: HttpRequest | Request, user: User) -> None:
    """Raises Forbidden, with code `two_factor_required` if only the second step is missing."""
    if has_staff_access(request, user):
        return
    if user.is_staff and not is_by_token(request):
        url = REAUTHENTICATE_URL if has_second_factor(user) else TWO_FACTOR_URL
        raise Forbidden(
            SECOND_FACTOR_NEEDED,
            code=ErrorCode.TWO_FACTOR_REQUIRED,
            extra={"twoFactorUrl": url},
        )
    raise Forbidden(STAFF_ONLY)


def staff_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page for staff, which gets the staff member as its second argument; it is never cached.

    Visitors are led to the sign-in form. Others get a 403, which tells staff whose session has no
    second step how to take it. The view itself acts as the platform (`rls.acting_as`).
    """

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        user = request.user
        assert isinstance(user, User)  # login_required
        if has_staff_access(request, user):
            return view(request, user, *args, **named)
        if user.is_staff and not is_by_token(request):
            return _second_factor_needed(request, user)
        return permission_denied(request)

    return never_cache(login_required(page))


def _second_factor_needed(request: HttpRequest, user: User) -> HttpResponse:
    here = urlencode({"next": request.get_full_path()})
    has_one = has_second_factor(user)
    context = {
        "has_second_factor": has_one,
        "url": f"{REAUTHENTICATE_URL}?{here}" if has_one else TWO_FACTOR_URL,
    }
    return render(request, "accounts/second_factor_needed.html", context, status=403)
