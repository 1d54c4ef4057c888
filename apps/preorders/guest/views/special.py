"""The page of a special with its order form."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.accounts.bot_check import BotSuspected, FormProps, form_props, posted_proof
from apps.billing.card_fields import asks_for_a_card
from apps.common import clock, rls
from apps.common.client_address import client_address
from apps.common.errors import DomainError, Forbidden
from apps.common.same_origin import is_from_own_page, is_prefetch
from apps.common.views import form_target
from apps.offers.page_cache import cached_briefly
from apps.offers.pickup_slots import SlotChoice, SlotState, slots_of
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.selectors import record_for_guests
from apps.offers.storefront import (
    restaurant_of_special,
    restaurant_on_show,
    special_called_off,
    special_on_show,
)
from apps.offers.structured_data import special_data
from apps.preorders.checkout.forms import OrderForm, form_like
from apps.preorders.checkout.limits import (
    BotCheckNeeded,
    PreOrderThrottle,
    check_start,
    origin_of,
)
from apps.preorders.checkout.services import begin_order
from apps.preorders.core.access import give_access_to_sender, guest_url, orders_to_finish
from apps.preorders.core.cart_items import reservation_sentence
from apps.preorders.core.friends import FriendsOf
from apps.preorders.core.links import card_url, order_path, order_to_repeat
from apps.preorders.core.pricing import price_offered_alternative, price_order
from apps.preorders.core.referrals import referral_code_of
from apps.preorders.core.reservations import is_reserved, return_reservation
from apps.preorders.core.waitlist import (
    guests_ahead,
    most_to_wait_for,
    time_to_order,
    who_is_ahead,
)
from apps.preorders.guest.views.order_link import order_by_reference
from apps.preorders.models import PreOrder
from apps.preorders.waitlist.forms import WaitlistForm
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UnfinishedOrder:
    """An order that waits for a card, as the special's page shows it. `is_own`: to the browser that
    placed it, which can cancel it here."""

    order: PreOrder
    is_own: bool

    @property
    def is_reserved(self) -> bool:
        return is_reserved(self.order)

    @property
    def reservation(self) -> str:
        return reservation_sentence(self.order)

    @property
    def sentence(self) -> str:
        """For the seats in the list, and on the special's page if these are its last portions."""
        number = self.order.quantity
        text = ngettext(
            "%(number)s portion is reserved for you",
            "%(number)s portions are reserved for you",
            number,
        )
        return text % {"number": number}

    @property
    def pay_url(self) -> str:
        """Where it is finished: for an item of a cart, on the page of all of them."""
        order = self.order
        if self.is_own and order.cart_id:
            return order_path(order, then="/card")
        return order.checkout_url

    @property
    def cancel_action(self) -> str:
        return order_path(self.order) if self.is_own else ""


@require_safe
@asks_for_a_card
@cached_briefly
def special(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """The special; `?cancelled=1&preorder=…` is the way back from an abandoned checkout."""
    now = clock.now()
    restaurant = restaurant_of_special(request, special_id)
    shown = special_on_show(restaurant, special_id, now) if restaurant else None
    if restaurant is None or shown is None:
        return no_special(request, restaurant, special_id)
    if request.GET.get("again"):
        return _filled_in(request, shown)
    left = _order_in_checkout(request, shown) if request.GET.get("cancelled") else None
    if left and request.method == "GET" and not is_prefetch(request):
        with rls.acting_as(restaurant):
            return_reservation(left.pk, now=now)
            left.refresh_from_db(fields=["reservation"])
        shown = special_on_show(restaurant, special_id, now) or shown
    own = unfinished_order(request, shown)
    unfinished = own or (UnfinishedOrder(left, is_own=False) if left else None)
    return special_page(request, shown, OrderForm(), unfinished=unfinished)


@require_safe
def unknown_special(request: HttpRequest, name: str) -> HttpResponse:
    """A special's address that can't be one's: not an id of ours."""
    return no_special(request, restaurant_on_show(request))


@csrf_exempt  # see `is_from_own_page`
@form_target(lambda special_id: f"/specials/{special_id}")
@never_cache
def pre_order(request: HttpRequest, special_id: UUID) -> HttpResponse:
    """Start an order; redirects to where its card is given, or shows the form's errors."""
    now = clock.now()
    restaurant = restaurant_of_special(request, special_id)
    shown = special_on_show(restaurant, special_id, now) if restaurant else None
    if restaurant is None or shown is None:
        return no_special(request, restaurant, special_id)
    form = OrderForm(
        request.POST,
        offer_id=special_id,
        referral_code=referral_code_of(request),
        asks_for_phone=restaurant.asks_for_phone,
    )
    return begin(request, shown, form, now=now)


def begin(
    request: HttpRequest,
    shown: Special,
    form: OrderForm,
    *,
    now: datetime,
    party: FriendsOf | None = None,
) -> HttpResponse:
    """Start the order of a posted form; the answer redirects to our page with the card fields,
    without a script to the payment provider's, or is the special's page with the form's errors."""
    restaurant, special_id = shown.restaurant, shown.offer.pk
    if request.POST.get("show") == "total":
        return special_page(request, shown, form.with_values_alone(), party=party)
    try:
        refuse_strangers(request)
        if not form.is_valid() or form.portions > shown.offer.max_per_order:
            left = party.limit(shown) if party else shown.portions_left
            form.add_what_is_missing(shown.offer, left=left, slots=_slots(shown, party))
            return special_page(request, shown, form, party=party, status=HTTPStatus.BAD_REQUEST)
        origin = origin_of(request, posted_proof(request), now=now)
        check_start(origin, restaurant_id=restaurant.pk, email=form.guest.email)
        with rls.acting_as(restaurant):
            order = begin_order(
                offer_id=special_id,
                quantity=form.cleaned_data["quantity"],
                guest=form.guest,
                claimed_total=form.claimed_total,
                shown_dish=form.shown_dish,
                alternative_consent=form.cleaned_data["alternativeConsent"],
                note=form.cleaned_data["note"],
                slot_id=form.cleaned_data["slotId"],
                service_mode=form.cleaned_data["serviceMode"],
                referral_code=form.referral_code,
                friends_link=form.friends_link,
                shows_first_name=form.cleaned_data["showFirstName"],
                pays_here=form.pays_here,
                known={each.pk for each in orders_to_finish(request, now=now)},
                origin=origin,
                now=now,
            )
    except DomainError as error:
        form.refuse(error)
        current = special_on_show(restaurant, special_id, now) or shown
        check = check_after(error, now=now)
        return special_page(request, current, form, party=party, status=error.status, check=check)
    address = card_url(order)
    if tenant_of(request) is None and order.created_at == now:
        # By way of the restaurant's host, where the order's page is and gets its access.
        address = guest_url(order, then="/card")
    response = HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": address})
    give_access_to_sender(response, order, now=now)
    return response


@asks_for_a_card
def special_page(
    request: HttpRequest,
    shown: Special,
    form: OrderForm,
    *,
    unfinished: UnfinishedOrder | None = None,
    waiting: WaitlistForm | None = None,
    party: FriendsOf | None = None,
    own_link: str = "",
    status: int = HTTPStatus.OK,
    check: FormProps | None = None,
) -> HttpResponse:
    """The special's page with its forms; `check` is the bot check its order needs, `party` whose
    friends the page is for, `own_link` that guest's order, in the browser that placed it."""
    form.asks_for_phone = shown.restaurant.asks_for_phone
    # While its portions are reserved, a special without any others isn't sold out for this guest.
    to_finish = unfinished if unfinished and unfinished.is_reserved else None
    own = to_finish or (party if party and party.portions else None)
    limit = party.limit(shown) if party else _limit(shown, to_finish)
    facts = form_facts(shown, form, _slots(shown, party, besides=to_finish), limit=limit)
    if facts["slot_choice"].is_full:
        shown = replace(shown, are_times_full=True)
    page = render(
        request,
        "preorders/pages/special.html",
        {
            "restaurant": shown.restaurant,
            "special": shown,
            "structured_data": special_data(shown),
            "form": form,
            # What a guest typed whose portions were ordered meanwhile isn't typed again.
            "waiting": waiting
            or WaitlistForm(initial=dict(form.data), asks_for_phone=form.asks_for_phone),
            **_waitlist_facts(shown),
            **facts,
            "record": record_for_guests(shown.restaurant),
            "unfinished": unfinished,
            "to_finish": to_finish,
            "own_sentence": own.sentence if own and shown.state == SeatsState.SOLD_OUT else "",
            "bot_check": check,
            "party": party,
            "is_preview": bool(own_link),
            "own_link": own_link,
            "form_action": party.action if party else "",
            "limit": limit if own else None,
            "can_order": _can_order(shown, party) and not facts["slot_choice"].is_full,
            "was_cancelled": bool(request.GET.get("cancelled")),
        },
        status=status,
    )
    if unfinished and unfinished.is_own:
        patch_cache_control(page, private=True, no_store=True)
    return page


def _waitlist_facts(shown: Special) -> dict[str, str | int]:
    """What a guest can expect who joins the waitlist of a special that is sold out."""
    if shown.takes_orders or not shown.is_ordering_open:
        return {}
    with rls.acting_as(shown.restaurant):
        ahead = who_is_ahead(shown.offer.pk)
    return {
        "ahead": guests_ahead(ahead) if ahead.guests else _("You'd be first in line."),
        "reserved_for": time_to_order(shown.offer, shown.now),
        "most_to_wait_for": most_to_wait_for(shown.offer),
    }


def form_facts(
    shown: Special, form: OrderForm, slots: list[SlotState], *, limit: int
) -> dict[str, Any]:
    """The prices and the pickup times of the order form, which takes up to `limit` portions."""
    choice = SlotChoice(slots, form.portions, form["slotId"].value())
    most = min(limit, choice.at_one_time or limit)
    instead = shown.alternative_price
    return {
        "price": price_order(shown.offer, form.portions),
        "alternative_total": None
        if instead is None
        else price_offered_alternative(shown.offer, instead, form.portions).total,
        "slots": slots,
        "slot_choice": choice,
        "most_portions": most,
        "is_limited_by_time": most < limit,
    }


def _filled_in(request: HttpRequest, shown: Special) -> HttpResponse:
    """The page of a link in an email: the form shows personal data, so the page is never cached."""
    form = OrderForm()
    link = order_to_repeat(request.GET["again"], offer_id=shown.offer.pk, now=shown.now)
    if link and shown.takes_orders:
        order = order_by_reference(request, str(link.order_id))
        if order and order.restaurant_id == shown.restaurant.pk:
            is_fresh = link.with_details and link.revision == order.link_revision
            form = form_like(order, shown, with_details=is_fresh)
    page = special_page(request, shown, form)
    patch_cache_control(page, private=True, no_store=True)
    page["X-Robots-Tag"] = "noindex"
    return page


def _can_order(shown: Special, party: FriendsOf | None) -> bool:
    """Whether the page's guest can order: a friend also what is reserved for friends."""
    return shown.is_ordering_open and (party.limit(shown) > 0 if party else shown.takes_orders)


def _limit(shown: Special, to_finish: UnfinishedOrder | None) -> int:
    """The most portions of an order: what is left, and what the same guest reserved before."""
    left, most = shown.portions_left, shown.offer.max_per_order
    reserved = to_finish.order.quantity if to_finish and to_finish.is_own else 0
    return most if left is None else min(most, left + reserved)


def _slots(
    shown: Special, party: FriendsOf | None, *, besides: UnfinishedOrder | None = None
) -> list[SlotState]:
    """The pickup times, for whoever can order. What the same guest reserved before makes room when
    they order again."""
    if not _can_order(shown, party):
        return []
    with rls.acting_as(shown.restaurant):
        return slots_of(
            shown.offer,
            besides=besides.order.pk if besides and besides.is_own else None,
            friend_of=party.starter.pk if party else None,
        )


def no_special(
    request: HttpRequest, restaurant: Restaurant | None, special_id: UUID | None = None
) -> HttpResponse:
    """The page of an unknown special, or of one that the restaurant called off."""
    called_off = None
    if restaurant is not None and special_id is not None:
        called_off = special_called_off(restaurant, special_id, clock.now())
    return render(
        request,
        "offers/not_found.html",
        {"restaurant": restaurant, "special": called_off},
        status=HTTPStatus.NOT_FOUND,
    )


def unfinished_order(request: HttpRequest, shown: Special) -> UnfinishedOrder | None:
    """The order of the special that this browser placed and hasn't given a card for."""
    with rls.acting_as(shown.restaurant):
        return unfinished_orders(request, shown.now).get(shown.offer.pk)


def unfinished_orders(request: HttpRequest, now: datetime) -> dict[UUID, UnfinishedOrder]:
    """The newest order of each special, by its id, that this browser placed and hasn't given a card
    for. The caller acts as the restaurant."""
    own = orders_to_finish(request, now=now)
    return {each.offer_id: UnfinishedOrder(each, is_own=True) for each in reversed(own)}


def _order_in_checkout(request: HttpRequest, shown: Special) -> PreOrder | None:
    """The order of an abandoned checkout, if it can still be finished."""
    order = order_by_reference(request, request.GET.get("preorder", ""))
    if order is None or order.offer_id != shown.offer.pk or not order.checkout_url:
        return None
    with rls.acting_as(order.restaurant_id):
        still_open = PreOrder.objects.in_checkout().filter(pk=order.pk).exists()
    return order if still_open and shown.now < order.checkout_expires_at else None


def check_after(refusal: DomainError, *, now: datetime) -> FormProps | None:
    """The bot check to show with a form that was refused for want of one."""
    needs_it = isinstance(refusal, BotCheckNeeded | BotSuspected)
    return form_props(now=now) if needs_it else None


def refuse_strangers(request: HttpRequest) -> None:
    """Refuse posts from other sites' pages, and too many from one address."""
    if not is_from_own_page(request):
        raise Forbidden(_("This order came from another site. Place it from this page."))
    PreOrderThrottle.limit.count(client_address(request))
