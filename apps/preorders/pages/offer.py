"""The restaurant's own page of one offer."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.preorders.api.offer_shapes import OverviewSerializer
from apps.preorders.api.offer_views import shape_context
from apps.preorders.freshness import version_for_restaurant
from apps.preorders.overview import offer_overview
from apps.preorders.pages.dashboard import rights_props
from apps.restaurants.onboarding_pages import DASHBOARD, island_page
from apps.restaurants.pages import member_page
from apps.restaurants.roles import Post, Right


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Right.SEE_OFFERS)
def offer(request: HttpRequest, post: Post, offer_id: UUID) -> HttpResponse:
    """What would happen if it closed now, how it came about, and what can be done."""
    # The word first: what changes while the overview is read makes another one.
    version = version_for_restaurant(post.restaurant)
    overview = offer_overview(restaurant=post.restaurant, offer_id=offer_id, now=clock.now())
    if overview is None:
        raise Http404
    props: dict[str, Any] = {
        "overview": OverviewSerializer(overview, context=shape_context(post)).data,
        "may": rights_props(post),
        "version": version,
        "timezone": post.restaurant.timezone,
        "links": {
            "dashboard": DASHBOARD,
            "orders": f"{DASHBOARD}?tab=orders&offer={offer_id}",
            "kitchen": f"{DASHBOARD}/kitchen?offer={offer_id}",
        },
    }
    return island_page(
        request, "offer-page/offer-page", title=overview.special.offer.name, props=props
    )
