"""The hub page: the restaurant at a glance, with links to its pages (DECISIONS X54)."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.common import clock
from apps.offers.api.serializers.specials import SpecialSerializer
from apps.offers.presentation import Special
from apps.offers.selectors import offers_for_guests
from apps.preorders.manage.views.dashboard import (
    links_props,
    restaurant_props,
    setup_props,
    unconfirmed_email,
)
from apps.restaurants.entitlements import upgrade_summary
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import DASHBOARD, island_page, plan_to_choose


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def hub(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The hub, which settings, payments, and Quick Start return to."""
    assert isinstance(request.user, User)  # member_page
    now = clock.now()
    props = {
        "restaurant": restaurant_props(membership.restaurant, now=now),
        "personName": request.user.name,
        "links": {
            **links_props(membership),
            "dashboard": DASHBOARD,
            "createOffer": f"{DASHBOARD}?tab=specials",
            "quickStart": "/free-tier-quick-start",
            "tiers": "/restaurant/tiers",
            "choosePlan": plan_to_choose(membership.restaurant, now=now),
        },
        "setup": setup_props(request.user, membership),
        "next": _next_deadline(membership.restaurant, now),
        "upgradeSummary": upgrade_summary(),
    }
    return island_page(
        request,
        "dashboard/hub",
        title="Your restaurant",
        props=props,
        bare=True,
        has_tasks=True,
        email_to_confirm=unconfirmed_email(request.user, membership),
    )


def _next_deadline(restaurant: Restaurant, now: datetime) -> dict[str, Any] | None:
    """The open special with the earliest deadline."""
    offer = next(iter(offers_for_guests(restaurant=restaurant, now=now)[:1]), None)
    return dict(SpecialSerializer(Special(offer, now)).data) if offer else None
