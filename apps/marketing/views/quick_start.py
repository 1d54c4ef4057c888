"""Quick Start page: from a confirmed email to an announced special."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.billing.api.views.connect import stored_status
from apps.common import clock
from apps.offers import selectors as offers
from apps.offers.api.serializers.menu import DishesSerializer
from apps.offers.api.serializers.specials import SpecialsSerializer
from apps.offers.presentation import Special
from apps.restaurants import regions
from apps.restaurants.api.serializers.profile import profile_props
from apps.restaurants.entitlements import upgrade_summary
from apps.restaurants.member_access import member_page, to_start_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services.registration import email_to_confirm
from apps.restaurants.views.onboarding import (
    embedding_props,
    island_page,
    setup_props,
)

HUB_URL = "/free-tier-dashboard"
UPGRADE_URL = "/subscribe"
# After signing in, visitors go to the settings, not to this page (DECISIONS X43).
INTENDED_DESTINATION = "/restaurant/settings"


@require_safe
@never_cache
def quick_start(request: HttpRequest) -> HttpResponseBase:
    """The page; anonymous visitors go to the landing page, which remembers their destination."""
    if not request.user.is_authenticated:
        return to_start_page(INTENDED_DESTINATION)
    return _quick_start(request)


@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def _quick_start(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Renders the page with all data of the first view, so the island fetches nothing on load."""
    assert isinstance(request.user, User)  # member_page
    restaurant, now = membership.restaurant, clock.now()
    open_offers = offers.offers_for_dashboard(restaurant=restaurant, now=now)
    specials = {"specials": [Special(offer, now) for offer in open_offers]}
    dishes = {"dishes": offers.dishes_on_the_menu(restaurant=restaurant)}
    props: dict[str, Any] = {
        **setup_props(request, membership),
        **embedding_props(restaurant),
        **SpecialsSerializer(specials).data,
        **DishesSerializer(dishes).data,
        "profile": profile_props(restaurant, user=request.user, now=now),
        "payments": stored_status(restaurant),
        "isFree": restaurant.subscription_tier == Restaurant.Tier.FREE,
        "countries": regions.region_choices()["countries"],
        "step": request.GET.get("step", ""),
        "hubUrl": HUB_URL,
        "upgradeUrl": UPGRADE_URL,
        "upgradeSummary": upgrade_summary(),
    }
    return island_page(
        request,
        "quick-start/quick-start",
        title="Quick Start",
        props=props,
        bare=True,
        email_to_confirm=email_to_confirm(restaurant, request.user),
    )
