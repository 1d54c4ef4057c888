"""The legal pages, on every host (R27–R29, R139).

There are two versions of the terms, one for restaurants and one for guests, because they promise
different things to different people; each says when it was last changed.
"""

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.common.languages import activate_english, for_guests
from apps.offers.fee_figures import fee_figures
from apps.restaurants.middleware import tenant_of

# Change each with its text.
RESTAURANT_TERMS_UPDATED = date(2026, 11, 21)
GUEST_TERMS_UPDATED = date(2026, 11, 21)
PRIVACY_UPDATED = date(2026, 11, 21)


@require_safe
def restaurant_terms(request: HttpRequest) -> HttpResponse:
    """What restaurants agree to. The figures are the fee schedule's, so that text and bill cannot
    disagree (DECISIONS X1). In English on every host, as all that restaurants work with."""
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
    """What guests agree to when they pre-order."""
    context = {"title": _("Terms of Service"), "updated": GUEST_TERMS_UPDATED}
    return _page(request, "offers/guest_terms.html", context)


@for_guests
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    context = {"title": _("Privacy Policy"), "updated": PRIVACY_UPDATED}
    return _page(request, "offers/privacy.html", context)


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """With the way back: to the menu on a restaurant's host, else to where its people work, or to
    the form they are filling in (R139)."""
    restaurant = tenant_of(request)
    if restaurant is not None:
        back = "/patron"  # a guest has no business where the restaurant works
    elif request.GET.get("returnTab") == "register":
        back = "/restaurant?tab=register"
    else:
        back = "/restaurant"
    return render(request, template, {**context, "restaurant": restaurant, "back_url": back})
