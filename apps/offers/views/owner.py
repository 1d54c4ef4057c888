"""The restaurant team's pages for its menu and its past specials."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.offers.api.views.history import first_page
from apps.offers.api.views.menu import whole_menu
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import DASHBOARD, island_page


def _shared_props(membership: CurrentMembership) -> dict[str, Any]:
    return {
        "restaurantName": membership.restaurant.name,
        "canEdit": membership.can(Permission.EDIT_OFFERS),
        "dashboardUrl": DASHBOARD,
    }


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.SEE_OFFERS)
def owner_menu_view(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The menu editor."""
    props = {
        **_shared_props(membership),
        **whole_menu(membership.restaurant),
        "previewUrl": f"/patron?preview=1&restaurant={membership.restaurant.pk}",
    }
    return island_page(request, "menu/menu", title="Menu", props=props)


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.SEE_OFFERS)
def history(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The history of specials as a page of its own."""
    props = {
        **_shared_props(membership),
        "history": first_page(membership.restaurant, now=clock.now()),
        "timeZone": membership.restaurant.timezone,
    }
    return island_page(request, "history/history", title="Special Offers History", props=props)
