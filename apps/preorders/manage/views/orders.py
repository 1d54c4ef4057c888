"""Staff pages: one order, its payment QR code, and pickup."""

import io
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import segno
from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.common.headers import PERMISSIONS_WITH_CAMERA
from apps.preorders.manage import activity
from apps.preorders.manage.api.detail import order_detail, pay_link
from apps.preorders.manage.fulfillment import pickup_count
from apps.preorders.manage.order_list import order_for_restaurant
from apps.preorders.manage.serializers.orders import PickupCountSerializer
from apps.preorders.manage.version import version_for_restaurant
from apps.preorders.models import PreOrder
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import DASHBOARD, island_page


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.SEE_ORDERS)
def order_for_staff(
    request: HttpRequest, membership: CurrentMembership, order_id: UUID
) -> HttpResponse:
    """One order with its payment and activity."""
    # Read the version first, so that later changes are noticed.
    version = version_for_restaurant(membership.restaurant)
    found = _order(membership, order_id)
    props: dict[str, Any] = {
        "timeZone": membership.restaurant.timezone,
        "detail": order_detail(found, membership=membership, now=clock.now()),
        "version": version,
        "ordersUrl": f"{DASHBOARD}?tab=orders",
    }
    return island_page(request, "orders/order", title=f"Order {found.code}", props=props)


@require_safe
@never_cache
@member_page(Permission.SEE_ORDERS)
def pay_link_code(
    request: HttpRequest, membership: CurrentMembership, order_id: UUID
) -> HttpResponse:
    """The QR code of an order's payment link, to scan from the screen."""
    found = _order(membership, order_id)
    activity.load_activity(found)
    link = pay_link(found, now=clock.now())
    if link is None:
        raise Http404("This order has nothing to pay.")
    drawing = io.BytesIO()
    # Dark on light in both themes, because cameras need it.
    code = segno.make(link.url, error="m", micro=False)
    code.save(drawing, kind="svg", scale=4, border=2, dark="#000", light="#fff")
    return HttpResponse(drawing.getvalue(), content_type="image/svg+xml")


def _order(membership: CurrentMembership, order_id: UUID) -> PreOrder:
    found = order_for_restaurant(restaurant=membership.restaurant, order_id=order_id)
    if found is None:
        raise Http404("We couldn't find this order.")
    return found


@require_safe
@never_cache
@ensure_csrf_cookie
# The QR scanner loads its worker from a blob.
@csp_update({"worker-src": [SELF, "blob:"]})
@member_page(Permission.FULFILL_ORDERS)
def pick_up(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The pickup page: scan or type a code, see what to do, mark as picked up."""
    restaurant = membership.restaurant
    version = version_for_restaurant(restaurant)
    today = clock.now().astimezone(restaurant.zone).date()
    props = {
        "restaurantName": restaurant.name,
        "today": PickupCountSerializer(pickup_count(restaurant=restaurant, day=today)).data,
        "version": version,
        "listUrl": f"{DASHBOARD}?{urlencode({'tab': 'orders', 'day': today.isoformat()})}",
        "dashboardUrl": DASHBOARD,
        "person": str(request.user.pk),
        "timeZone": restaurant.timezone,
    }
    page = island_page(request, "pickup/pickup", title="Pickup", props=props, bare=True)
    page.headers["Permissions-Policy"] = PERMISSIONS_WITH_CAMERA
    return page


@require_safe
@cache_control(no_cache=True)
def pick_up_worker(request: HttpRequest) -> HttpResponse:
    """The pickup page's service worker. Here and not among the static files, because a worker
    answers for the pages below its own address only."""
    script = Path(settings.BASE_DIR) / "static" / "workers" / "pickup.js"
    return HttpResponse(script.read_bytes(), content_type="text/javascript; charset=utf-8")
