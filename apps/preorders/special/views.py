"""The owner's page of one offer."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.preorders.emails.preferences import follower_count
from apps.preorders.manage.version import version_for_restaurant
from apps.preorders.manage.views.dashboard import rights_props
from apps.preorders.special.api import serializer_context
from apps.preorders.special.overview import offer_overview
from apps.preorders.special.serializers import OverviewSerializer
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import DASHBOARD, island_page


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.SEE_OFFERS)
def offer(request: HttpRequest, membership: CurrentMembership, offer_id: UUID) -> HttpResponse:
    """The offer with its what-if preview or outcome, its timeline, and the available actions."""
    # Read the version first, so that later changes are noticed.
    version = version_for_restaurant(membership.restaurant)
    overview = offer_overview(restaurant=membership.restaurant, offer_id=offer_id, now=clock.now())
    if overview is None:
        raise Http404
    props: dict[str, Any] = {
        "overview": OverviewSerializer(overview, context=serializer_context(membership)).data,
        "permissions": rights_props(membership),
        "version": version,
        "timezone": membership.restaurant.timezone,
        "followers": follower_count(membership.restaurant, offer_id=offer_id),
        "links": {
            "dashboard": DASHBOARD,
            "orders": f"{DASHBOARD}?tab=orders&offer={offer_id}",
            "kitchen": f"{DASHBOARD}/kitchen?offer={offer_id}",
            "again": f"{DASHBOARD}?again={offer_id}",
            "repeat": f"{DASHBOARD}/offers/{offer_id}/repeat",
            "email": f"/restaurant/audience/emails/new?special={offer_id}",
        },
    }
    return island_page(
        request, "offer-page/offer-page", title=overview.special.offer.name, props=props
    )
