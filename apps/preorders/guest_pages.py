"""The diner's own page of an order, behind the signed link in every letter."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock, rls
from apps.preorders.models import PreOrder
from apps.preorders.order_links import has_ended, order_of_link
from apps.restaurants.middleware import tenant_of


@require_safe
@never_cache
def order_page(request: HttpRequest, token: str) -> HttpResponse:
    """What became of the order, and what its diner may do about it."""
    order = _order_of(request, token)
    if order is None:
        return _no_order(request)
    return redirect(f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}")


def _order_of(request: HttpRequest, token: str) -> PreOrder | None:
    """The order the link names, read whosever it is; on a restaurant's host only its own."""
    order_id = order_of_link(token)
    if order_id is None:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        orders = PreOrder.objects.select_related("offer__restaurant")
        order = orders.filter(pk=order_id).first()
    if order is None or has_ended(order.offer.serve_date, now=clock.now()):
        return None
    return order


def _no_order(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "preorders/pages/no_order.html",
        {"message": _("This link does not lead to an order"), "restaurant": tenant_of(request)},
        status=HTTPStatus.NOT_FOUND,
    )
