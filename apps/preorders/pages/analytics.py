"""The page of the analytics."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.preorders.api.analytics import first_analytics
from apps.restaurants.onboarding_pages import BRANDED_SETUP, DASHBOARD, island_page
from apps.restaurants.pages import member_page
from apps.restaurants.roles import Post, Right
from apps.restaurants.tiers import may_analyse


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Right.SEE_LEDGER)
def analytics(request: HttpRequest, post: Post) -> HttpResponse:
    """The last thirty days; on a plan without analytics what the page would show."""
    included = may_analyse(post.restaurant)
    props: dict[str, Any] = {
        "restaurantName": post.restaurant.name,
        "timeZone": post.restaurant.timezone,
        "analytics": first_analytics(post.restaurant) if included else None,
        "upgradeUrl": BRANDED_SETUP if post.may(Right.MANAGE) else None,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(request, "analytics/analytics", title="Analytics", props=props)
