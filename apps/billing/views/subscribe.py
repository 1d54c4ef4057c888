"""The page on which a restaurant subscribes: its details, then a card (decision 126)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts import bot_check
from apps.billing.api.views.sign_up import DASHBOARD, SESSION_KEY, opened_sign_up, subscriber
from apps.billing.card_fields import asks_for_a_card
from apps.billing.subscriptions import sign_up, terms
from apps.billing.subscriptions.portal import RETURN_TO
from apps.common import clock, formats, rls
from apps.common.errors import DomainError
from apps.common.links import platform_url
from apps.common.views import permission_denied
from apps.restaurants.entitlements import features_of
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import tier_rate
from apps.restaurants.views.onboarding import island_page

LINK = "signUp"  # names a sign-up, signed, in the link of an email


@require_safe
@never_cache
@ensure_csrf_cookie
@asks_for_a_card
def subscribe(request: HttpRequest) -> HttpResponse:
    """For visitors and for owners. Where no subscription is sold, it leads to the plans, and an
    owner who has one is led to its settings. The bank's pages return here too."""
    if request.GET.get(LINK):
        resumed = sign_up.sign_up_to_resume(request.GET[LINK])
        if resumed:
            request.session[SESSION_KEY] = str(resumed)
        return redirect("subscribe")
    try:
        user, restaurant = subscriber(request)
    except DomainError:
        return permission_denied(request)
    paid = sign_up.paid_sign_up(opened_sign_up(request), restaurant=restaurant)
    if paid is None and not terms.is_sold():
        return redirect("tier-selection")
    if restaurant is not None and paid is None:
        with rls.acting_as(restaurant):
            known = terms.subscription_of(restaurant)
        if known is not None and known.is_open:
            return redirect(RETURN_TO)
    entered = paid or sign_up.open_sign_up(opened_sign_up(request))
    props = {
        **_offer_props(),
        "restaurant": restaurant.name if restaurant else "",
        "name": entered.name if entered else "",
        "email": (entered.email if entered else "") or (user.email if user else ""),
        "isSignedIn": user is not None,
        "paidIntentId": (paid.payment_intent_id or "") if paid else "",
        "returned": _returned(request),
        "bot": bot_check.form_props(now=clock.now()),
        "returnUrl": platform_url(sign_up.SIGN_UP_PATH),
        "nextUrl": DASHBOARD,
        "plansUrl": "/tier-selection" if user else "/",
        "publishableKey": settings.STRIPE_PUBLISHABLE_KEY,
        "cardScriptUrl": "" if settings.CARD_SCRIPT_IS_STRIPES else settings.STRIPE_JS_URL,
    }
    return island_page(request, "subscription/subscribe", title="Subscribe", props=props, bare=True)


def _offer_props() -> dict[str, Any]:
    """What it costs and includes, all from the settings."""
    price, currency = terms.monthly_price(), terms.price_currency()
    return {
        "amount": price.cents,
        "currency": currency,
        "price": formats.money(price, currency),
        "share": formats.rate(settings.SUBSCRIPTION_REVENUE_SHARE_RATE),
        "hasShare": settings.SUBSCRIPTION_REVENUE_SHARE_RATE > 0,
        "points": features_of(Restaurant.Tier.BRANDED),
        "plans": {
            "freeShare": formats.rate(tier_rate(Restaurant.Tier.FREE)),
            "brandedShare": formats.rate(tier_rate(Restaurant.Tier.BRANDED)),
            "freeOffers": settings.FREE_OFFERS_PER_MONTH,
        },
    }


def _returned(request: HttpRequest) -> str:
    """The payment whose bank led back here, as Stripe names it in the address:
    https://docs.stripe.com/payments/accept-a-payment#web-post-payment"""
    return request.GET.get("payment_intent", "")[:255]
