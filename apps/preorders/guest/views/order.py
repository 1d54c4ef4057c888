"""The page of an order, behind the signed link in every email.

The link shows the order, and nothing personal. Changing the order, and the guest's data, need an
access besides: the browser that placed the order has one, others get one by email (decision 55).
Opening a link changes nothing, because email clients open links too; only posted forms do.
"""

import logging
from datetime import datetime
from email.utils import parseaddr
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.billing.gateway import GatewayError
from apps.common import clock, formats, rls
from apps.common.errors import DomainError, Forbidden, Invalid
from apps.common.same_origin import is_from_own_page
from apps.offers.pickup_slots import SlotState, slots_of
from apps.offers.presentation import Special
from apps.offers.sold_dishes import dish_sold
from apps.offers.states import UNDECIDED
from apps.offers.storefront import special_on_show
from apps.preorders.checkout.limits import can_read_stripe
from apps.preorders.core.access import (
    LINK_LIFETIME,
    Purpose,
    access_ends_at,
    give_access,
    is_allowed,
)
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.links import (
    order_path,
    reorder_url,
)
from apps.preorders.core.pricing import price_alternative
from apps.preorders.core.quantities import authorized_amount
from apps.preorders.core.referrals import count_referrals, referral_url
from apps.preorders.core.selectors import slot_label
from apps.preorders.documents.qr import order_qr_svg, shows_code
from apps.preorders.documents.receipt import has_receipt
from apps.preorders.emails.views import preferences_of
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.data_export import is_erased
from apps.preorders.guest.erasure import why_not_erased
from apps.preorders.guest.order_status import OrderStatus, order_status
from apps.preorders.guest.order_steps import order_steps
from apps.preorders.guest.views.order_actions import ACTIONS
from apps.preorders.guest.views.order_link import (
    hide_link,
    no_order,
    order_from_token,
    read_order,
)
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    OperationKind,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.payments import apply_payment_intent, refresh_order
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

NOT_ALLOWED = gettext_lazy(
    "This link only shows the order. To do this, open a link we email to the address of the order."
)


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
    if can_read_stripe(request, f"order:{order.pk}"):
        order = _looked_at(order, now)
    return order_page(request, order, now)


def _perform(request: HttpRequest, order: PreOrder, now: datetime) -> HttpResponse:
    """Carry out the action and redirect, so a reload repeats nothing; or show why not."""
    name = request.POST.get("action", "")
    action = ACTIONS.get(name)
    try:
        if not is_from_own_page(request) or action is None:
            raise (Invalid if action is None else Forbidden)(_("Use the buttons on this page."))
        if action.purpose and not is_allowed(request, order, action.purpose, now=now):
            raise Forbidden(str(NOT_ALLOWED))
        with rls.acting_as(order.restaurant_id):
            changed = action.run(request, order, now)
            waits = _waits_for_a_card(changed)
    except DomainError as refusal:
        logger.info("order %s, %s: %s", order.pk, name, refusal.code)
        order = order_from_token(request, request.path_info.split("/")[2], now) or order
        return order_page(request, order, now, refusal=refusal, action=name)
    changed.offer = order.offer
    if name == "release_first" or (waits and name in ("portions", "renew")):
        return redirect(order_path(changed, then="/card"))
    response = _see(order_path(changed, then=f"?done={name}"))
    if name == "revoke":  # the access was for the old link
        give_access(response, changed, Purpose.CHANGE, until=now + LINK_LIFETIME, now=now)
    return response


@require_safe
@never_cache
def open_access(request: HttpRequest, token: str) -> HttpResponse:
    """Where an emailed link for one purpose leads: gives the browser the access it is for, then
    shows the order. Harmless for an email scanner to open: the order is not changed."""
    now = clock.now()
    order = order_from_token(request, token, now)
    if order is None:
        return no_order(request)
    named, access = request.GET.get("for", ""), request.GET.get("access", "")
    purpose = Purpose(named) if named in list(Purpose) else Purpose.CHANGE
    until = access_ends_at(order, purpose, access, now=now)
    if until is None:
        return hide_link(_see(order_path(order, then="?done=ended")))
    then = "/card" if request.GET.get("then") == "/card" else f"?done=opened&open={purpose}"
    response = _see(order_path(order, then=then))
    give_access(response, order, purpose, until=until, now=now)
    return hide_link(response)


def _see(address: str) -> HttpResponse:
    return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": address})


def order_page(
    request: HttpRequest,
    order: PreOrder,
    now: datetime,
    *,
    refusal: DomainError | None = None,
    action: str = "",
) -> HttpResponse:
    """The order's page; `refusal` says why `action` could not be carried out."""
    restaurant = order.offer.restaurant
    shown = special_on_show(restaurant, order.offer_id, now) or Special(order.offer, now)
    order.offer = shown.offer
    can_change = is_allowed(request, order, Purpose.CHANGE, now=now)
    with rls.acting_as(restaurant):
        outcome = order_status(order, shown)
        context = {
            "restaurant": restaurant,
            "order": order,
            "sold": dish_sold(order.sold, alternative=order.serves_alternative, pictured=True),
            "special": shown,
            "outcome": outcome,
            "dish_changes": _dish_changes(order),
            "steps": order_steps(order, shown),
            "slot_label": slot_label(order),
            "qr": order_qr_svg(order) if shows_code(order) else "",
            "address": order_path(order),
            "share_url": referral_url(order),
            "friends": count_referrals(order),
            "can_change": can_change,
            "can_use_data": is_allowed(request, order, Purpose.DATA, now=now),
            "is_closed": restaurant.status != Restaurant.Status.ACTIVE,
            "platform_email": parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
            "choices": preferences_of(order) if can_change else None,
            "has_receipt": has_receipt(order),
            "is_erased": is_erased(order),
            "why_not_erased": why_not_erased(order, now=now),
            **_allowed_changes(order, shown, outcome, can_change=can_change, now=now),
            **_answer_to(request, order, refusal, action),
        }
        response = render(
            request,
            "preorders/pages/order.html",
            context,
            status=refusal.status if refusal else HTTPStatus.OK,
        )
    return hide_link(response)


def _dish_changes(order: PreOrder) -> list[str]:
    return [] if order.status == PreOrderStatus.CANCELLED else changes_since_ordered(order)


def _allowed_changes(
    order: PreOrder, special: Special, outcome: OrderStatus, *, can_change: bool, now: datetime
) -> dict[str, Any]:
    """What the guest can do, and its consequences."""
    fixed = changes.why_fixed(order, now=now)
    ended = order.status == PreOrderStatus.CANCELLED
    no_money = changes.why_not_the_money(order, now=now)
    waiting = changes.awaits_card(order)
    held = authorized_amount(order) if order.payment_status == PaymentStatus.AUTHORIZED else None
    offer = special.offer
    left = offer.max_per_order
    if special.portions_left is not None:
        left = min(left, order.quantity + special.portions_left)
    return {
        "why_fixed": fixed,
        "has_ended": ended,
        # The form it leads to is filled in, so only for the guest.
        "again_url": reorder_url(order, offer, now=now)
        if can_change and ended and special.takes_orders
        else "",
        "list_url": absolute_url("/specials", restaurant=special.restaurant),
        "why_not_the_money": no_money,
        "most_portions": max(left, order.quantity),
        "slots": [] if fixed else _slots(order),
        "alternative_price": price_alternative(order),
        "can_choose_alternative": bool(
            not changes.why_not_the_alternative(order, now=now)
            and special.alternative
            and not offer.goes_ahead
        ),
        "can_cancel": not fixed,
        "ends_too_early": not no_money and waiting is None and changes.ends_too_early(order),
        "can_release_first": not no_money and replacement.can_release_first(order),
        "card_button": _card_button(order, outcome, waiting),
        # Set when the hold is for more than the order now costs.
        "held": held if held is not None and held.amount > order.total_amount else None,
        "is_deciding": offer.status in UNDECIDED and not special.is_open,
    }


def _slots(order: PreOrder) -> list[SlotState]:
    return slots_of(order.offer)


def _card_button(order: PreOrder, outcome: OrderStatus, waiting: PaymentOperation | None) -> str:
    """The text of the button that leads to a card form; empty when no card is needed."""
    if order.payment_status in CHECKOUT_STATUSES:
        return outcome.next_step
    if waiting is None or not waiting.reference:
        return ""
    if waiting.kind == OperationKind.CAPTURE:
        return _("Pay %(total)s now") % {
            "total": formats.money(order.total_amount, order.offer.restaurant.currency)
        }
    if waiting.quantity not in (None, order.quantity):
        return _("Confirm %(number)d portions") % {"number": waiting.quantity}
    return _("Renew hold")


def _answer_to(
    request: HttpRequest, order: PreOrder, refusal: DomainError | None, action: str
) -> dict[str, Any]:
    """The result of the last action: what was done, or why not, with what was typed."""
    done = {
        "portions": ngettext(
            "Updated: %(number)d portion.", "Updated: %(number)d portions.", order.quantity
        )
        % {"number": order.quantity},
        "note": _("Note saved. The kitchen will see it."),
        "slot": _("Pickup time changed."),
        "alternative": _("Choice saved."),
        "renew": _("Hold renewed."),
        "link": _("Check your email. We sent a link to the address of this order."),
        "revoke": _("Your old links no longer work. We'll use the new one in our emails."),
        "opened": _("This browser can now make changes for 30 minutes."),
        "erase": _("Your data is deleted."),
        "cancel": "",  # the headline says so
    }
    errors = {error.field: error.message for error in refusal.fields} if refusal else {}
    marker = request.GET.get("done", "")
    return {
        "done": "" if refusal else done.get(marker, ""),
        "link_ended": marker == "ended",
        "refusal": refusal.message if refusal and not errors else "",
        "errors": errors,
        # The fold that the email's link or an error is about is open.
        "action": action or request.GET.get("open", ""),
        "typed": request.POST if refusal else {},
    }


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


def _looked_at(order: PreOrder, now: datetime) -> PreOrder:
    """The order, refreshed with what the guest may just have done on the payment provider's page.
    If the provider does not answer, a webhook or the sweep brings it later."""
    try:
        with rls.acting_as(order.restaurant_id):
            waiting = changes.awaits_card(order)
            if waiting is not None and waiting.reference:
                intent_id = changes.card_entered_for(waiting)
                if intent_id:
                    apply_payment_intent(intent_id, now=now)
                    return read_order(order.pk) or order
        by_page_or_cart = order.checkout_session_id or order.cart_id
        if order.payment_status in CHECKOUT_STATUSES and by_page_or_cart:
            refresh_order(order, now=now)
            return read_order(order.pk) or order
    except GatewayError as error:
        logger.warning("order %s cannot be read at the payment provider: %s", order.pk, error)
    return order
