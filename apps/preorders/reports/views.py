"""The analytics page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.preorders.reports.api import first_analytics
from apps.restaurants.entitlements import Feature, includes
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import BRANDED_SETUP, DASHBOARD, island_page


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.SEE_LEDGER)
def analytics(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The last thirty days; plans without analytics see sample data."""
    included = includes(membership.restaurant, Feature.ANALYTICS)
    props: dict[str, Any] = {
        "restaurantName": membership.restaurant.name,
        "timeZone": membership.restaurant.timezone,
        "analytics": first_analytics(membership.restaurant) if included else None,
        "upgradeUrl": BRANDED_SETUP if membership.can(Permission.MANAGE) else None,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(request, "analytics/analytics", title="Analytics", props=props)
