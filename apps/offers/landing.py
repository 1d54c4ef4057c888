"""The product's front door (R98–R100): what this is, what it costs, and one field to begin."""

from datetime import date, datetime
from decimal import Decimal
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts import bots, limits
from apps.accounts.addresses import client_address
from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.billing.fees import order_fees
from apps.common import clock
from apps.common.errors import DomainError, FieldError, Invalid
from apps.common.money import Money
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.roles import memberships_of
from apps.restaurants.tiers import tier_rate

EXAMPLE_ORDER = Decimal("48.00")
DASHBOARD = "/restaurant"
INVALID_EMAIL = "Please enter a valid email address"
EMAIL_NOT_SENT = "Registration Failed"  # T64
TERMS_UPDATED = date(2026, 11, 21)  # change it with the text


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
    context: dict[str, Any] = {"fees": _fees(), "guard": bots.form_props(now=now)}
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


def _send_link(request: HttpRequest, form: EmailForm, *, now: datetime) -> str:
    """As POST /api/send-email-confirmation; answers the address the letter goes to."""
    if not form.is_valid():
        raise Invalid(EMAIL_NOT_SENT, fields=[FieldError("email", INVALID_EMAIL)])
    email: str = form.cleaned_data["email"]
    bots.check_form(
        token=request.POST.get("hcaptchaToken", ""),
        website=request.POST.get("website", ""),
        started=request.POST.get("startedAt", ""),
        address=client_address(request),
        is_repeat=confirmation.is_awaited(email),
        now=now,
    )
    limits.LETTERS_PER_EMAIL.count(email)
    confirmation.ask_for_confirmation(email=email, now=now)
    return email


def _detail(refusal: DomainError) -> str:
    return " ".join(fault.message for fault in refusal.fields)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """R29. The figures are the fee schedule's, so that text and bill cannot disagree (X1)."""
    context = {"fees": _fees(), "updated": TERMS_UPDATED}
    return render(request, "offers/terms.html", context)


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


def _fees() -> dict[str, Any]:
    """Every figure the page states, and one order worked out in each tier (DECISIONS X3)."""
    return {
        "free_offers": settings.FREE_OFFERS_PER_MONTH,
        "free_rate": tier_rate(Restaurant.Tier.FREE),
        "branded_rate": tier_rate(Restaurant.Tier.BRANDED),
        "processing_rate": settings.PROCESSING_FEE_RATE,
        "processing_fixed": Money(settings.PROCESSING_FEE_FIXED_CENTS).amount,
        "example": EXAMPLE_ORDER,
        "columns": [
            _example("Launch, first special offers of the month", Decimal(0)),
            _example("Launch, after that", tier_rate(Restaurant.Tier.FREE)),
            _example("Rocket", tier_rate(Restaurant.Tier.BRANDED)),
        ],
    }


def _example(name: str, rate: Decimal) -> dict[str, Any]:
    total = Money.of(EXAMPLE_ORDER)
    fees = order_fees(subtotal=total, total=total, revenue_share_rate=rate)
    return {
        "name": name,
        "rate": rate,
        "share": fees.revenue_share.amount,
        "processing": fees.processing.amount,
        "payout": (total - fees.application_fee).amount,
    }
