"""What the page of an order lets a guest download."""

import json

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock, rls
from apps.common.errors import Forbidden
from apps.preorders.core.access import Purpose, is_allowed
from apps.preorders.documents.calendar import calendar_file_name, order_calendar
from apps.preorders.documents.receipt import has_receipt, receipt_of
from apps.preorders.documents.wallet import (
    PASS_TYPE,
    apple_pass,
    google_save_url,
    has_pass,
    makes_apple_passes,
    makes_google_passes,
)
from apps.preorders.guest.data_export import download_guest_data
from apps.preorders.guest.views.order import NOT_ALLOWED
from apps.preorders.guest.views.order_link import hide_link, no_order, order_from_token
from apps.preorders.guest.views.order_page import order_page


@require_safe
@never_cache
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The order as a calendar file; for an order that has ended, it removes the event."""
    order = order_from_token(request, token, clock.now())
    if order is None:
        return no_order(request)
    with rls.acting_as(order.restaurant_id):
        return _file(
            order_calendar(order), "text/calendar; charset=utf-8", calendar_file_name(order)
        )


@require_safe
@never_cache
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """The receipt as a PDF; 404 until something was charged."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None or not has_receipt(order):
        return no_order(request)
    is_guest = is_allowed(request, order, Purpose.CHANGE, now=now)
    with rls.acting_as(order.restaurant_id):
        content = receipt_of(order, with_guest=is_guest)
    return _file(content, "application/pdf", f"receipt-{order.code}.pdf")


@require_safe
@never_cache
def apple_wallet(request: HttpRequest, token: str) -> HttpResponse:
    """The order as a pass for Apple Wallet; 404 where there is none."""
    order = order_from_token(request, token, clock.now())
    if order is None or not (makes_apple_passes() and has_pass(order)):
        return no_order(request)
    with rls.acting_as(order.restaurant_id):
        return _file(apple_pass(order), PASS_TYPE, f"order-{order.code}.pkpass")


@require_safe
@never_cache
def google_wallet(request: HttpRequest, token: str) -> HttpResponse:
    """Redirects to the page of Google's that saves the order as a pass; 404 where there is none."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None or not (makes_google_passes() and has_pass(order)):
        return no_order(request)
    with rls.acting_as(order.restaurant_id):
        return hide_link(HttpResponseRedirect(google_save_url(order, now=now)))


@require_safe
@never_cache
def my_data(request: HttpRequest, token: str) -> HttpResponse:
    """Everything stored about the guest at this restaurant, as JSON."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None:
        return no_order(request)
    if not is_allowed(request, order, Purpose.DATA, now=now):
        return order_page(request, order, now, refusal=Forbidden(str(NOT_ALLOWED)), action="data")
    with rls.acting_as(order.restaurant_id):
        data = download_guest_data(order, now=now)
    content = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2).encode()
    return _file(content, "application/json; charset=utf-8", f"my-data-{order.code}.json")


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return hide_link(response)
