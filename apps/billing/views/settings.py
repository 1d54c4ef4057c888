"""The owner's settings pages: restaurant, marketing, tiers, and fees."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.billing.api.views.connect import stored_status
from apps.billing.fees import processing_fixed
from apps.billing.subscriptions.terms import subscription_of
from apps.common import clock, formats
from apps.restaurants import regions
from apps.restaurants.api.serializers.profile import profile_props
from apps.restaurants.entitlements import features_of
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.tiers import share_rate
from apps.restaurants.views.onboarding import DASHBOARD, island_page, plan_props

HUB = "/free-tier-dashboard"
UPGRADE = "/subscribe"  # the dashboard's upgrade button goes elsewhere (DECISIONS X55)
LOG_IN_AGAIN = "Log in again to finish your payment setup."
# Query parameters of the return from Stripe.
RETURN_PARAMETERS = frozenset({"email", "success", "refresh"})


def fee_props(restaurant: Restaurant) -> dict[str, Any]:
    """The restaurant's fee schedule, for scripts: rates in hundredths of a percent, and what its
    subscription costs a month, such as `$29.00`; empty without one."""
    subscription = subscription_of(restaurant) if restaurant.has_subscription else None
    monthly = formats.money(subscription.price, subscription.currency) if subscription else ""
    return {
        "freeRate": int(share_rate(restaurant, Restaurant.Tier.FREE) * 100),
        "brandedRate": int(share_rate(restaurant, Restaurant.Tier.BRANDED) * 100),
        "monthlyFee": monthly,
        "processingRate": int(settings.PROCESSING_FEE_RATE * 100),
        "processingFixedCents": processing_fixed(restaurant.currency).cents,
        "freeOffers": settings.FREE_OFFERS_PER_MONTH,
    }


def tier_props(restaurant: Restaurant) -> dict[str, Any]:
    """Props of the tier comparison; enterprise counts as branded (DECISIONS X6)."""
    is_free = restaurant.subscription_tier == Restaurant.Tier.FREE
    return {
        "fees": fee_props(restaurant),
        "current": "free" if is_free else "branded",
        "brandedPoints": features_of(Restaurant.Tier.BRANDED),
        "upgradeUrl": UPGRADE,
    }


def _common_props(request: HttpRequest, membership: CurrentMembership) -> dict[str, Any]:
    assert isinstance(request.user, User)  # member_page
    return {
        "profile": profile_props(membership.restaurant, user=request.user, now=clock.now()),
        "tiers": tier_props(membership.restaurant),
        "hubUrl": HUB,
    }


def _page(request: HttpRequest, name: str, *, title: str, props: dict[str, Any]) -> HttpResponse:
    return island_page(request, name, title=title, props=props, has_way_back=True)


@require_safe
@never_cache
def owner_settings(request: HttpRequest) -> HttpResponseBase:
    """The settings page.

    Someone who returns from Stripe after their session ended is asked to log in again.
    """
    if not request.user.is_authenticated and RETURN_PARAMETERS & request.GET.keys():
        messages.info(request, LOG_IN_AGAIN)
        return redirect_to_login(request.get_full_path())
    return _owner_settings(request)


@ensure_csrf_cookie
@member_page(Permission.MANAGE, visitors_start=True)
def _owner_settings(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    assert isinstance(request.user, User)  # member_page
    props = {
        **_common_props(request, membership),
        "places": regions.region_choices(),
        "payments": stored_status(membership.restaurant),
        "welcome": request.user.name or membership.restaurant.name,
        "section": request.GET.get("section", ""),
        "dashboardUrl": DASHBOARD,
    }
    return _page(request, "settings/settings", title="Settings", props=props)


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE, visitors_start=True)
def marketing_settings(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The marketing settings: social links, the map, and the tier."""
    props = _common_props(request, membership)
    return _page(request, "settings/marketing", title="Marketing settings", props=props)


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def tiers(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The plans side by side, what a restaurant keeps of an order (DECISIONS X3), and a change that
    is scheduled."""
    props = {
        **tier_props(membership.restaurant),
        "plan": plan_props(membership.restaurant, now=clock.now()),
        "hubUrl": HUB,
    }
    return _page(request, "settings/tiers", title="Plans and fees", props=props)
