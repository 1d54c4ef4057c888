"""Legal pages, served on every host: terms for restaurants, terms for guests, and privacy.

The two versions of the terms promise different things to different people; each shows its own date.
"""

from datetime import date
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.common.languages import activate_english, for_guests
from apps.offers.fee_figures import fee_figures
from apps.offers.versions import GUEST_TERMS_UPDATED
from apps.restaurants.middleware import tenant_of
from apps.restaurants.services.registration import RESTAURANT_TERMS_UPDATED

# Change it whenever the text changes.
PRIVACY_UPDATED = date(2026, 11, 28)


@require_safe
def restaurant_terms(request: HttpRequest) -> HttpResponse:
    """The terms for restaurants, always in English like all their pages. Fees come from the fee
    schedule, so the text can't disagree with the bill (DECISIONS X1)."""
    context = {
        "title": "Terms of Service for restaurants",
        "fees": fee_figures(),
        "updated": RESTAURANT_TERMS_UPDATED,
    }
    activate_english(request)
    return _page(request, "offers/terms.html", context)


@for_guests
@require_safe
def guest_terms(request: HttpRequest) -> HttpResponse:
    """The terms guests agree to when they pre-order."""
    context = {"title": _("Terms of Service"), "updated": GUEST_TERMS_UPDATED}
    return _page(request, "offers/guest_terms.html", context)


@for_guests
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    context = {
        "title": _("Privacy Policy"),
        "updated": PRIVACY_UPDATED,
        "platform_email": parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
    }
    return _page(request, "offers/privacy.html", context)


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """With a link back: to the menu on a restaurant's host, otherwise to the dashboard or to the
    sign-up form the reader came from."""
    restaurant = tenant_of(request)
    if restaurant is not None:
        back, label = "/patron", _("Back to the menu")
    elif request.GET.get("returnTab") == "register":
        back, label = "/restaurant?tab=register", _("Back to sign-up")
    else:
        back, label = "/restaurant", _("Back to Fully Booked")
    links = {"back_url": back, "back_label": label}
    return render(request, template, {**context, **links, "restaurant": restaurant})
