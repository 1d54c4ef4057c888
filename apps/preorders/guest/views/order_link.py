"""The order a link leads to, and what every answer to such a link has in common."""

from datetime import datetime
from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from apps.common import rls
from apps.preorders.core import selectors
from apps.preorders.core.links import has_ended, order_for_token
from apps.preorders.models import PreOrder
from apps.restaurants.middleware import tenant_of


def order_from_token(request: HttpRequest, token: str, now: datetime) -> PreOrder | None:
    """The order of the link, with its offer and restaurant; a restaurant's host shows only its own.
    None for a link we did not sign, that was revoked, or that has expired."""
    link = order_for_token(token)
    order = read_order(link.order_id) if link else None
    tenant = tenant_of(request)
    if link is None or order is None or not link.is_current(order):
        return None
    if tenant is not None and tenant.pk != order.restaurant_id:
        return None
    return None if has_ended(order.offer.serve_date, now=now) else order


def read_order(order_id: UUID) -> PreOrder | None:
    """The order with what its page shows; None if it no longer exists."""
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.select_related(
            "offer__restaurant", "offer__alternative_dish", "sold__photo", "pickup_slot"
        )
        return orders.filter(pk=order_id).first()


def order_by_reference(request: HttpRequest, reference: str) -> PreOrder | None:
    """The order with this id or checkout session; a restaurant's host finds only its own."""
    if "\0" in reference:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        return selectors.order_by_reference(reference)


def no_order(request: HttpRequest) -> HttpResponse:
    """The same answer for a tampered link, an expired or replaced one, and another restaurant's."""
    context = {
        "message": _("This order link isn't valid"),
        "could_be_replaced": True,
        "restaurant": tenant_of(request),
    }
    response = render(
        request, "preorders/pages/no_order.html", context, status=HTTPStatus.NOT_FOUND
    )
    return hide_link(response)


def hide_link(response: HttpResponse) -> HttpResponse:
    """The address shows the order, so no other site or search engine learns it."""
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response
