"""Views of an order's page: behind the signed link in every email, and behind the order's id.

The link shows the order, and nothing personal. Changing the order, and the guest's data, need an
access besides: the browser that placed the order has one, others get one from an email (decision
176). Opening a link changes nothing, because email clients open links too; only posted forms do.
"""

import logging
import re
from datetime import datetime
from http import HTTPStatus

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.billing.gateway import GatewayError
from apps.common import clock, rls
from apps.common.errors import DomainError, Forbidden, Invalid
from apps.common.languages import start_in_language
from apps.common.same_origin import is_from_own_page
from apps.preorders.checkout.limits import can_read_stripe
from apps.preorders.core.access import (
    Purpose,
    access_ends_at,
    give_access,
    give_access_to_change,
    give_access_to_invitation,
    is_allowed,
)
from apps.preorders.core.languages import follow_language
from apps.preorders.core.links import order_path, order_url
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.views.order_actions import ACTIONS
from apps.preorders.guest.views.order_answers import marker_of
from apps.preorders.guest.views.order_link import (
    hide_link,
    no_order,
    order_by_reference,
    order_from_token,
    read_order,
)
from apps.preorders.guest.views.order_page import JUST_ORDERED, order_page
from apps.preorders.guest.visit import orders_of_guest
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES, OperationKind
from apps.preorders.settlement.payments import apply_payment_intent, refresh_order
from apps.restaurants.middleware import tenant_of

logger = logging.getLogger(__name__)

NO_ORDER = gettext_lazy("No pre-order information found")
NO_DETAILS = gettext_lazy(
    "Unable to load pre-order details. Please contact the restaurant directly."
)
NOT_ALLOWED = gettext_lazy(
    "This link only shows the order. To make changes, open the order from one of our emails."
)
# Where a link in an email may lead on the order's page: a page below it, a state of it, a place.
PART_OF_THE_PAGE = re.compile(r"(/card|/receipt\.pdf)?(\?[a-z]+=[a-z]+)?(#[a-z-]+)?")


# --- the page -------------------------------------------------------------------------------------
@csrf_exempt  # see above, and `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def order_for_guest(request: HttpRequest, token: str) -> HttpResponse:
    """The order's status and what the guest can do; a post names the action in `action`."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None:
        return no_order(request)
    if request.method == "POST":
        return _perform(request, order, now)
    order = _looked_at(request, f"order:{order.pk}", order, now)
    page = order_page(request, order, now)
    if order.friends_until and is_allowed(request, order, Purpose.CHANGE, now=now):
        give_access_to_invitation(page, order, now=now)
    return page


@require_safe
@never_cache
def confirmation(request: HttpRequest) -> HttpResponse:
    """Where the payment page returns to, and what the QR code opens.

    The payment page names its session, which only the browser that paid knows: it goes on to the
    signed link. With the order's id alone there is the same page to look at (DECISIONS X33).
    """
    session_id = request.GET.get("session_id", "")
    reference = request.GET.get("preorder") or session_id
    order = order_by_reference(request, reference) if reference else None
    if order is None:
        context = {
            "message": NO_DETAILS if reference else NO_ORDER,
            "restaurant": tenant_of(request),
        }
        return render(
            request, "preorders/pages/no_order.html", context, status=HTTPStatus.NOT_FOUND
        )
    now = clock.now()
    if session_id and session_id == order.checkout_session_id:
        with rls.acting_as(order.restaurant_id):
            follow_language(order)
        return hide_link(_see(order_url(order, then=f"?done={JUST_ORDERED}")))
    order = _looked_at(request, f"confirmation:{order.pk}", order, now)
    return order_page(request, order, now, by_id=True)


def _perform(request: HttpRequest, order: PreOrder, now: datetime) -> HttpResponse:
    """Carry out the action and redirect, so a reload repeats nothing; or show why not."""
    name = request.POST.get("action", "")
    action = ACTIONS.get(name)
    revision = order.link_revision  # a new one ends the browser's access
    try:
        if not is_from_own_page(request) or action is None:
            raise (Invalid if action is None else Forbidden)(_("Use the buttons on this page."))
        if action.purpose and not is_allowed(request, order, action.purpose, now=now):
            raise Forbidden(str(NOT_ALLOWED))
        with rls.acting_as(order.restaurant_id):
            marker = marker_of(name, order, request.POST)
            changed = action.run(request, order, now)
            if action.purpose:
                follow_language(changed)
            waits = _waits_for_a_card(changed)
    except DomainError as refusal:
        logger.info("order %s, %s: %s", order.pk, name, refusal.code)
        order = order_from_token(request, request.path_info.split("/")[2], now) or order
        return order_page(request, order, now, refusal=refusal, action=name)
    changed.offer = order.offer
    if name == "release_first" or (waits and name in ("portions", "renew")):
        return redirect(order_path(changed, then="/card"))
    response = _see(order_path(changed, then=f"?done={marker}"))
    if action.purpose is Purpose.CHANGE and changed.link_revision != revision:
        _give_access_to_change(response, changed, now)
    return response


@require_safe
@never_cache
def open_access(request: HttpRequest, token: str) -> HttpResponse:
    """Where a link in an email leads: gives the browser the access it is for, then shows the order,
    at the address that can be passed on and in the email's language (decision 31). Harmless for an
    email scanner to open: the order is not changed. An access to change an order ends when there is
    nothing left to change, so then the link simply shows the order."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None:
        return no_order(request)
    access, then = request.GET.get("access", ""), request.GET.get("then", "")
    if request.GET.get("for") == Purpose.DATA:
        until = access_ends_at(order, Purpose.DATA, access, now=now)
        marker = "opened" if until else "ended"
        response = _see(order_path(order, then=f"?done={marker}&open=data#data-fold"))
        if until:
            give_access(response, order, Purpose.DATA, until=until, now=now)
    else:
        response = _see(order_path(order, then=then if PART_OF_THE_PAGE.fullmatch(then) else ""))
        if access_ends_at(order, Purpose.CHANGE, access, now=now):
            _give_access_to_change(response, order, now)
    start_in_language(request, response, order.language)
    return hide_link(response)


def _give_access_to_change(response: HttpResponse, order: PreOrder, now: datetime) -> None:
    with rls.acting_as(order.restaurant_id):
        orders = orders_of_guest(order)
    for each in orders:
        give_access_to_change(response, each, now=now)


def _see(address: str) -> HttpResponse:
    return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": address})


# --- card form ------------------------------------------------------------------------------------
@require_safe
@never_cache
def order_card(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the payment provider's page that waits for a card, or back to the order."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None:
        return no_order(request)
    if not is_allowed(request, order, Purpose.CHANGE, now=now):
        return order_page(request, order, now, refusal=Forbidden(str(NOT_ALLOWED)), action="change")
    address = ""
    try:
        if can_read_stripe(request, f"card:{order.pk}"):
            with rls.acting_as(order.restaurant_id):
                address = changes.page_to_finish(order, now=now)
                address = address or replacement.page_for_new_hold(order, now=now)
    except GatewayError as error:
        logger.warning("order %s has no page to pay on: %s", order.pk, error)
    return hide_link(HttpResponseRedirect(address or order_path(order)))


def _waits_for_a_card(order: PreOrder) -> bool:
    waiting = changes.awaits_card(order)
    return waiting is not None and waiting.kind == OperationKind.RENEW and bool(waiting.reference)


def _looked_at(request: HttpRequest, page: str, order: PreOrder, now: datetime) -> PreOrder:
    """The order, refreshed with what the guest may just have done on the payment provider's page.
    If the provider does not answer, a webhook or the sweep brings it later. An order that waits
    for no card asks nobody: the list of a browser's orders opens the pages of several."""
    try:
        with rls.acting_as(order.restaurant_id):
            prefetch_related_objects([order], "operations")
            waiting = changes.awaits_card(order)
            if waiting is not None and not waiting.reference:
                waiting = None
            by_page_or_cart = order.checkout_session_id or order.cart_id
            in_checkout = order.payment_status in CHECKOUT_STATUSES and by_page_or_cart
            if not (waiting or in_checkout) or not can_read_stripe(request, page):
                return order
            if waiting is not None:
                intent_id = changes.card_entered_for(waiting)
                if intent_id:
                    apply_payment_intent(intent_id, now=now)
                    return read_order(order.pk) or order
            if in_checkout:
                refresh_order(order, now=now)
                return read_order(order.pk) or order
    except GatewayError as error:
        logger.warning("order %s cannot be read at the payment provider: %s", order.pk, error)
    return order
