"""The landing page: what the product is, what it costs, and the sign-up field."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts import bot_check, rate_limits
from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.accounts.services.sign_in import safe_destination
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.errors import DomainError, FieldError, Invalid
from apps.offers.fee_figures import fee_figures
from apps.restaurants.middleware import tenant_of
from apps.restaurants.permissions import memberships_of

DASHBOARD = "/restaurant"
INVALID_EMAIL = "Please enter a valid email address"
SIGN_UP_FAILED = "Registration Failed"


class EmailForm(forms.Form):
    email = forms.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL),
    )


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Root path: restaurant hosts redirect to their specials, the platform shows the landing page.

    The two flows named in the query take precedence over sending a signed-in owner to the
    dashboard (DECISIONS X46).
    """
    if tenant_of(request) is not None:
        return redirect("/specials")
    if request.GET.get("upgrade") == "rocket":
        return _upgrade(request)
    if request.GET.get("step") == "2":
        return _confirm(request)
    if _is_team_member(request):
        return redirect(DASHBOARD)
    return landing(request)


@csrf_exempt  # sign-up is open to anyone; bot check and rate limits protect it
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def landing(request: HttpRequest) -> HttpResponse:
    """The landing page at `/`, `/register`, `/progressive-registration` and `/marketing`.

    Browsers without JavaScript post the form here.
    """
    now = clock.now()
    context: dict[str, Any] = {
        "fees": fee_figures(),
        "guard": bot_check.form_props(now=now),
        **_sign_in_link(request),
    }
    status = HTTPStatus.OK
    if request.method == "POST":
        form = EmailForm(request.POST)
        context["email"] = form["email"].value()
        try:
            context["sent_to"] = _send_link(request, form, now=now)
        except DomainError as refusal:
            status = HTTPStatus(refusal.status)
            context["problem"] = {"title": refusal.message, "text": _detail(refusal)}
    return render(request, "offers/landing.html", context, status=status)


def _sign_in_link(request: HttpRequest) -> dict[str, str]:
    """A sign-in link back to the owner page that redirected an anonymous visitor here."""
    destination = request.GET.get("next")
    if not destination or request.user.is_authenticated:
        return {}
    return {"sign_in_url": f"/login?{urlencode({'next': safe_destination(destination)})}"}


def _send_link(request: HttpRequest, form: EmailForm, *, now: datetime) -> str:
    """Same as POST /api/send-email-confirmation. Returns the address the email goes to."""
    if not form.is_valid():
        raise Invalid(SIGN_UP_FAILED, fields=[FieldError("email", INVALID_EMAIL)])
    email: str = form.cleaned_data["email"]
    address = client_address(request)
    rate_limits.REGISTRATION_BY_ADDRESS.count(address)
    bot_check.check_form(
        bot_check.posted_proof(request),
        address=address,
        is_repeat=confirmation.is_pending(email),
        now=now,
    )
    rate_limits.EMAILS_PER_RECIPIENT.count(email)
    confirmation.request_confirmation(email=email, now=now)
    return email


def _detail(refusal: DomainError) -> str:
    return " ".join(error.message for error in refusal.fields)


def _upgrade(request: HttpRequest) -> HttpResponse:
    """Starts the upgrade flow, after sign-in."""
    if request.user.is_authenticated:
        return redirect("tier-selection")
    return redirect(f"/login?{urlencode({'next': '/?upgrade=rocket'})}")


def _confirm(request: HttpRequest) -> HttpResponse:
    """Redirects links of the form `/?step=2&token=…` to the page that confirms emails."""
    query = {name: request.GET.get(name, "") for name in ("token", "email")}
    return redirect(f"/verify-email?{urlencode(query)}")


def _is_team_member(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and bool(memberships_of(request.user))
