"""The product's front door (R98–R100): what this is, what it costs, and one field to begin."""

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
from apps.accounts.client_address import client_address
from apps.accounts.models import User
from apps.accounts.redirects import safe_destination
from apps.accounts.services import confirmation
from apps.common import clock
from apps.common.errors import DomainError, FieldError, Invalid
from apps.offers.fee_figures import fee_figures
from apps.restaurants.middleware import tenant_of
from apps.restaurants.permissions import memberships_of

DASHBOARD = "/restaurant"
INVALID_EMAIL = "Please enter a valid email address"
EMAIL_NOT_SENT = "Registration Failed"  # T64


class EmailForm(forms.Form):
    email = forms.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL),
    )


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A restaurant's address leads to its specials; the platform's says what this is.

    The two flows named in the query win over leading an owner to work (DECISIONS X46).
    """
    if tenant_of(request) is not None:
        return redirect("/specials")
    if request.GET.get("upgrade") == "rocket":
        return _upgrade(request)
    if request.GET.get("step") == "2":
        return _confirm(request)
    if _works_in_a_restaurant(request):
        return redirect(DASHBOARD)
    return landing(request)


@csrf_exempt  # anybody may ask for a letter to any address; the limits stand before it
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def landing(request: HttpRequest) -> HttpResponse:
    """The same screen at `/`, `/register`, `/progressive-registration` and `/marketing`.

    A browser without a script posts the form here.
    """
    now = clock.now()
    context: dict[str, Any] = {
        "fees": fee_figures(),
        "guard": bot_check.form_props(now=now),
        **_way_on(request),
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


def _way_on(request: HttpRequest) -> dict[str, str]:
    """For a visitor whom a page for owners sent here (R156): the sign-in that leads back to it."""
    asked = request.GET.get("next")
    if not asked or request.user.is_authenticated:
        return {}
    return {"sign_in_url": f"/login?{urlencode({'next': safe_destination(asked)})}"}


def _send_link(request: HttpRequest, form: EmailForm, *, now: datetime) -> str:
    """As POST /api/send-email-confirmation; answers the address the letter goes to."""
    if not form.is_valid():
        raise Invalid(EMAIL_NOT_SENT, fields=[FieldError("email", INVALID_EMAIL)])
    email: str = form.cleaned_data["email"]
    bot_check.check_form(
        token=request.POST.get("hcaptchaToken", ""),
        website=request.POST.get("website", ""),
        started=request.POST.get("startedAt", ""),
        address=client_address(request),
        is_repeat=confirmation.is_pending(email),
        now=now,
    )
    rate_limits.EMAILS_PER_RECIPIENT.count(email)
    confirmation.request_confirmation(email=email, now=now)
    return email


def _detail(refusal: DomainError) -> str:
    return " ".join(fault.message for fault in refusal.fields)


def _upgrade(request: HttpRequest) -> HttpResponse:
    """R100, R158."""
    if request.user.is_authenticated:
        return redirect("tier-selection")
    return redirect(f"/login?{urlencode({'next': '/?upgrade=rocket'})}")


def _confirm(request: HttpRequest) -> HttpResponse:
    """R99: an older letter's link leads here; the page that confirms addresses takes over."""
    asked = {name: request.GET.get(name, "") for name in ("token", "email")}
    return redirect(f"/verify-email?{urlencode(asked)}")


def _works_in_a_restaurant(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and bool(memberships_of(request.user))
