"""Where a diner leaves an order whose terms have moved: the letter's link leads here."""

import logging
from datetime import datetime
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common import clock, rls
from apps.common.errors import Conflict
from apps.preorders.cancellation import order_to_cancel
from apps.preorders.models import PreOrder
from apps.preorders.origin import is_from_own_page
from apps.preorders.services.cancelling import cancel_order
from apps.preorders.states import PaymentStatus, PreOrderStatus
from apps.restaurants.middleware import tenant_of

logger = logging.getLogger(__name__)

BAD_LINK = "This link does not lead to an order"
TOO_LATE = (
    "The deadline has passed, so the order can no longer be cancelled here. Its page says what "
    "becomes of it."
)
ENDED = "This order has ended already. Its page says how."
NOT_FROM_HERE = "Please use the button on this page."
WHY = "the deadline had moved"


@csrf_exempt  # the link is the key and no cookie counts; see also `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def cancel(request: HttpRequest) -> HttpResponse:
    """Asks once more, and a press of the button cancels: opening the link alone, as mail programs
    do, changes nothing. The link works until the deadline."""
    order = _order_of(request)
    if order is None:
        context = {"message": BAD_LINK, "restaurant": tenant_of(request)}
        return render(
            request, "preorders/pages/no_order.html", context, status=HTTPStatus.NOT_FOUND
        )
    now = clock.now()
    problem, status = _problem(order, now), HTTPStatus.OK
    if request.method == "POST":
        problem, status = _cancel(request, order, now)
    facts = {
        "order": order,
        "offer": order.offer,
        "restaurant": order.offer.restaurant,
        "is_cancelled": order.status == PreOrderStatus.CANCELLED,
        "problem": problem,
    }
    return render(request, "preorders/pages/cancel.html", facts, status=status)


def _cancel(request: HttpRequest, order: PreOrder, now: datetime) -> tuple[str, HTTPStatus]:
    """Cancel it, or say why not; a second press finds it cancelled."""
    if not is_from_own_page(request):
        return NOT_FROM_HERE, HTTPStatus.FORBIDDEN
    try:
        with rls.acting_as(order.restaurant_id):
            done = cancel_order(order=order, reason=WHY, by=order.customer_name, now=now)
    except Conflict as refusal:
        logger.info("order %s was not cancelled: %s", order.pk, refusal)
        return _problem(order, now) or TOO_LATE, HTTPStatus.CONFLICT
    order.status = done.status
    return "", HTTPStatus.OK


def _problem(order: PreOrder, now: datetime) -> str:
    """Why it cannot be cancelled; nothing when it can, or is."""
    if order.status == PreOrderStatus.CANCELLED:
        return ""
    waits = order.status == PreOrderStatus.PENDING
    if waits and order.payment_status == PaymentStatus.AUTHORIZED:
        return TOO_LATE if now >= order.offer.deadline else ""
    return TOO_LATE if order.status == PreOrderStatus.CONFIRMED else ENDED


def _order_of(request: HttpRequest) -> PreOrder | None:
    """The order the link names, read whosever it is; on a restaurant's host only its own."""
    order_id = order_to_cancel(request.GET.get("order", "")[:200])
    if order_id is None:
        return None
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.select_related("offer__restaurant")
        order = orders.filter(pk=order_id).first()
    tenant = tenant_of(request)
    if order is None or (tenant is not None and tenant.pk != order.restaurant_id):
        return None
    return order
