"""Onboarding pages: plan, web address, and embedding."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.common import clock, formats
from apps.common.money import Money
from apps.restaurants.api.serializers.profile import SetupStepSerializer
from apps.restaurants.api.serializers.profile_changes import EmbedSitesSerializer
from apps.restaurants.entitlements import Feature, features_of, includes, plan_name
from apps.restaurants.hosts import absolute_url
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services.plans import downgrade_effects
from apps.restaurants.setup_steps import setup_steps
from apps.restaurants.tiers import offers_this_month, share_rate, tier_rate

DASHBOARD = "/restaurant"
HUB = "/free-tier-dashboard"
FREE_SETUP = "/launch-setup"
BRANDED_SETUP = "/branded-setup"
TIER_SELECTION = "/tier-selection"
PLANS_AND_FEES = "/restaurant/tiers"
NO_SHARE = "We take no share of your orders."


def plan_to_choose(restaurant: Restaurant, *, now: datetime) -> str | None:
    """Where a restaurant chooses its plan, once it has published a special and the choice matters;
    None before that and once it has chosen."""
    has_not_chosen = restaurant.registration_step == Restaurant.RegistrationStep.ACCOUNT
    has_published = offers_this_month(restaurant, now=now) > 0
    return TIER_SELECTION if has_not_chosen and has_published else None


def address_suffix() -> str:
    """What follows the subdomain in a web address, including the port: `.localhost:8000`."""
    return f".{urlsplit(absolute_url('/')).netloc}"


def island_page(
    request: HttpRequest,
    name: str,
    *,
    title: str,
    props: dict[str, Any],
    bare: bool = False,
    has_way_back: bool = False,
    email_to_confirm: str = "",
    has_tasks: bool = False,
    for_staff: bool = False,
) -> HttpResponse:
    """A page that consists of one island, whose script has the same name.

    `bare` leaves out the header. `has_way_back` means that the island has its own link back to the
    dashboard. The page shows above the island that `email_to_confirm` waits for its confirmation
    and, with `has_tasks`, the team's tasks, which pages with a header show anyway. `for_staff`
    gives it the header of the staff's pages.
    """
    context = {
        "island": name,
        "script": f"frontend/src/pages/{name}.tsx",
        "title": title,
        "props": props,
        "bare": bare,
        "has_way_back": has_way_back,
        "email_to_confirm": email_to_confirm,
        "has_tasks": has_tasks,
        "for_staff": for_staff,
    }
    return render(request, "restaurants/island.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def tier_selection(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Choose a plan. Every figure comes from the fee schedule (DECISIONS X3)."""
    now = clock.now()
    processing = settings.PROCESSING_FEE_RATE
    currency = membership.restaurant.currency
    fixed = formats.money(Money(settings.PROCESSING_FEE_FIXED_CENTS[currency]), currency)
    props = {
        "tiers": [_free_tier(membership.restaurant), _branded_tier(membership.restaurant)],
        "plan": plan_props(membership.restaurant, now=now),
        "processing": (
            f"Either plan also passes on card processing: {formats.rate(processing)} + {fixed} "
            "for each order you're paid for. If a special doesn't go ahead, you pay nothing."
        ),
        "hasSubscription": membership.restaurant.has_subscription,
        "compareUrl": PLANS_AND_FEES,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(
        request, "onboarding/tier-selection", title="Choose a plan", props=props, bare=True
    )


def plan_props(restaurant: Restaurant, *, now: datetime) -> dict[str, Any]:
    """The plan of the restaurant for its plan pages: what it is, what follows, and what changing
    to the Free plan means."""
    starts = restaurant.next_tier_from
    return {
        "tier": restaurant.subscription_tier,
        "name": plan_name(restaurant.subscription_tier),
        "next": {"name": plan_name(restaurant.next_tier), "day": formats.day(starts)}
        if starts
        else None,
        "downgradeEffects": downgrade_effects(restaurant, tier=Restaurant.Tier.FREE, now=now),
    }


def _free_tier(restaurant: Restaurant) -> dict[str, Any]:
    rate = tier_rate(Restaurant.Tier.FREE)
    count = settings.FREE_OFFERS_PER_MONTH
    return {
        "tier": "free",
        "name": plan_name(Restaurant.Tier.FREE),
        "price": f"No monthly fee. We take no share of your first {count} specials each month.",
        "share": f"{rate:.2f}",
        "points": [
            f"After those {count}, {formats.rate(rate)} of each order until next month",
            f"Your own web address, such as {restaurant.subdomain}{address_suffix()}",
            "Cards are held at pre-order, then charged or released at the deadline",
        ],
        "current": restaurant.subscription_tier == Restaurant.Tier.FREE,
        # A restaurant that is set up changes its plan and nothing else.
        "next": PLANS_AND_FEES if restaurant.onboarding_completed else FREE_SETUP,
    }


def _branded_tier(restaurant: Restaurant) -> dict[str, Any]:
    rate = share_rate(restaurant, Restaurant.Tier.BRANDED)
    share = f"{formats.rate(rate)} of each order you're paid for." if rate else NO_SHARE
    fee = "Your monthly subscription." if restaurant.has_subscription else "No monthly fee."
    return {
        "tier": "branded",
        "name": plan_name(Restaurant.Tier.BRANDED),
        "price": f"{fee} {share}",
        "share": f"{rate:.2f}",
        "points": features_of(Restaurant.Tier.BRANDED),
        "current": restaurant.subscription_tier != Restaurant.Tier.FREE,
        "next": BRANDED_SETUP,
    }


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def launch_setup(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Setup wizard of the free plan: welcome, web address, done."""
    return _wizard(request, membership, is_branded=False)


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def branded_setup(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Setup wizard of the branded plan, with the embed code. The free plan is redirected."""
    if membership.restaurant.subscription_tier == Restaurant.Tier.FREE:
        return redirect("tier-selection")
    return _wizard(request, membership, is_branded=True)


def _wizard(
    request: HttpRequest, membership: CurrentMembership, *, is_branded: bool
) -> HttpResponse:
    props = {
        **setup_props(request, membership),
        **embedding_props(membership.restaurant),
        "isBranded": is_branded,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(
        request,
        "onboarding/setup",
        title="Set up your restaurant",
        props=props,
        bare=True,
    )


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def subdomain_setup(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Choose a web address. Says so if one was already chosen, unless `?change` is set."""
    props = {
        **setup_props(request, membership),
        "isChosen": membership.restaurant.subdomain_chosen_at is not None
        and "change" not in request.GET,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(
        request,
        "onboarding/subdomain-setup",
        title="Choose your web address",
        props=props,
        bare=True,
    )


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def embed_setup(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The embed code, with instructions."""
    props = {
        "restaurantName": membership.restaurant.name,
        **embedding_props(membership.restaurant),
        "isEntitled": includes(membership.restaurant, Feature.EMBEDDING),
        "sites": EmbedSitesSerializer(membership.restaurant).data,
        "dashboardUrl": f"{DASHBOARD}/dashboard",
        "upgradeUrl": BRANDED_SETUP,
    }
    return island_page(
        request,
        "onboarding/embed-setup",
        title="Embed your specials",
        props=props,
    )


@require_safe
@never_cache
@member_page(Permission.SEE_OFFERS)
def dashboard_for_tier(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Redirect owners on the free plan to the hub and everyone else to the dashboard (X54)."""
    is_free = membership.restaurant.subscription_tier == Restaurant.Tier.FREE
    return redirect(HUB if is_free and membership.can(Permission.MANAGE) else DASHBOARD)


def setup_props(request: HttpRequest, membership: CurrentMembership) -> dict[str, Any]:
    """Props of the setup screens: the restaurant, the account, and web addresses."""
    assert isinstance(request.user, User)  # member_page
    restaurant = membership.restaurant
    return {
        "restaurant": {
            "id": str(restaurant.pk),
            "name": restaurant.name,
            "subdomain": restaurant.subdomain,
            "subscriptionTier": restaurant.subscription_tier,
            "publicUrl": absolute_url("/", restaurant=restaurant),
            "country": restaurant.country,
            "timezone": restaurant.timezone,
        },
        "account": {
            "name": request.user.name,
            "email": request.user.email,
            "hasPassword": request.user.has_usable_password(),
        },
        "address": {
            "suffix": address_suffix(),
            "reserved": sorted(settings.RESERVED_SUBDOMAINS),
            "isChosen": restaurant.subdomain_chosen_at is not None,
        },
        "steps": SetupStepSerializer(setup_steps(restaurant, user=request.user), many=True).data,
    }


def embedding_props(restaurant: Restaurant) -> dict[str, str]:
    """URLs of the specials page and of its version for frames on other sites; with `.js`, the
    latter is the script that puts the frame there."""
    return {
        "menuUrl": absolute_url("/specials", restaurant=restaurant),
        "embedUrl": absolute_url("/embed", restaurant=restaurant),
    }
