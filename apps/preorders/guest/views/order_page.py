"""Rendering an order's page: what it shows, and what can still be done there.

The same page is behind two addresses. The signed link (`order_for_guest`) is the guest's: it has
the calendar file, the receipt, and the forms. The order's id alone, which the QR code opens, shows
the same without them (DECISIONS X33).
"""

from collections.abc import Mapping
from datetime import datetime
from email.utils import parseaddr
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from apps.common import formats, rls
from apps.common.errors import DomainError
from apps.common.money import Money
from apps.offers.pickup_slots import SlotChoice, SlotState, slots_of
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState, is_on
from apps.offers.serving import ServiceMode
from apps.offers.sold_dishes import dish_sold
from apps.offers.states import UNDECIDED, OfferStatus
from apps.offers.storefront import special_on_show, with_times
from apps.preorders.core.access import Purpose, is_allowed
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.friends import reserved_again_by, starter_name, starter_time
from apps.preorders.core.links import order_path, order_token, reorder_url
from apps.preorders.core.pricing import price_alternative
from apps.preorders.core.quantities import amount_on_hold
from apps.preorders.core.referrals import count_referrals, referral_url
from apps.preorders.core.selectors import cancellation_of_order, card_of, slot_label
from apps.preorders.documents.qr import order_qr_svg, shows_code
from apps.preorders.documents.receipt import has_receipt
from apps.preorders.documents.wallet import has_pass, makes_apple_passes, makes_google_passes
from apps.preorders.emails.views import preferences_of, updates_of
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.data_export import is_erased
from apps.preorders.guest.erasure import why_not_erased
from apps.preorders.guest.friends import (
    FriendsOnOrderPage,
    friends_on_order_page,
    who_left,
)
from apps.preorders.guest.friends_times import room_for_friends
from apps.preorders.guest.order_status import OrderStatus, order_status
from apps.preorders.guest.order_status.charged import is_whole, pending_refund
from apps.preorders.guest.order_status.dinner import (
    awaits_decision,
    fell_short,
    is_day_over,
    is_made_by_guests,
    is_the_day,
)
from apps.preorders.guest.order_status.in_short import state_in_short
from apps.preorders.guest.order_steps import order_steps
from apps.preorders.guest.rating import can_rate
from apps.preorders.guest.views.order_answers import answer_to
from apps.preorders.guest.views.order_link import hide_link
from apps.preorders.guest.visit import orders_of_visit
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    OperationKind,
    PaymentStatus,
    PreOrderStatus,
)
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

# Nothing of such an order is still to come.
SERVED = (PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW)
OVER = (PreOrderStatus.CANCELLED, *SERVED)
# The marker in the address of a page that is shown right after ordering.
JUST_ORDERED = "ordered"


def order_page(
    request: HttpRequest,
    order: PreOrder,
    now: datetime,
    *,
    refusal: DomainError | None = None,
    action: str = "",
    by_id: bool = False,
) -> HttpResponse:
    """The order's page; `refusal` says why `action` could not be carried out. `by_id`: opened
    with the order's id alone, so it has no links to what the signed link opens."""
    restaurant = order.offer.restaurant
    shown = special_on_show(restaurant, order.offer_id, now) or Special(order.offer, now)
    order.offer = shown.offer
    can_change = not by_id and is_allowed(request, order, Purpose.CHANGE, now=now)
    can_use_data = not by_id and is_allowed(request, order, Purpose.DATA, now=now)
    with rls.acting_as(restaurant):
        if order.status == PreOrderStatus.CANCELLED and shown.takes_orders:
            [shown] = with_times([shown.offer], now)  # whether it can be ordered again
        prefetch_related_objects([order], "operations")
        outcome = order_status(order, shown)
        is_refunded = is_whole(pending_refund(order))
        was_day = order.status == PreOrderStatus.CONFIRMED and is_day_over(order, now)
        is_coming = shows_code(order) and not is_refunded
        just_ordered = _is_just_ordered(request, order)
        is_over = order.status in OVER or is_refunded or was_day
        has_ended = order.status == PreOrderStatus.CANCELLED or is_refunded
        others = orders_of_visit(order, now)
        party = None if by_id else _party(order, shown, can_change=can_change)
        context = {
            "restaurant": restaurant,
            "order": order,
            "status": _status(order, shown),
            "sold": dish_sold(order.sold, alternative=order.serves_alternative, pictured=True),
            "special": shown,
            "outcome": outcome,
            "awaits_decision": awaits_decision(order, shown),
            "is_made": is_made_by_guests(order, shown) and not is_refunded,
            "is_the_day": is_the_day(order, now) and not is_refunded,
            "just_ordered": just_ordered,
            "updates": updates_of(order) if by_id or just_ordered or is_over else None,
            "others": others,
            "also_ordered": [other.order.offer for other in others if not other.is_canceled],
            "dish_changes": _dish_changes(order),
            "steps": order_steps(order, shown),
            "slot_label": slot_label(order),
            "card": card_of(order) if can_change else "",
            "is_coming": is_coming,
            "in_short": state_in_short(order, shown, is_coming=is_coming),
            "is_placed": order.authorized_at is not None
            or order.payment_status not in CHECKOUT_STATUSES,
            "qr": order_qr_svg(order) if is_coming and not was_day else "",
            "address": "" if by_id else order_path(order),
            "token": "" if by_id else order_token(order),
            "share_url": referral_url(order),
            "can_share": _can_share(order, shown),
            "is_short": _can_share(order, shown) and shown.state == SeatsState.OPEN,
            "friends_card_at": _friends_card_at(order, shown, outcome, party),
            "friends": count_referrals(order) if shown.is_open else 0,
            "can_change": can_change,
            "is_closed": restaurant.status != Restaurant.Status.ACTIVE,
            "platform_email": parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
            "list_url": absolute_url("/specials", restaurant=restaurant),
            "has_ended": has_ended,
            "fell_short": has_ended and fell_short(order, shown),
            "is_called_off": has_ended and order.status not in SERVED and not was_day,
            "is_over": is_over,
            "has_receipt": has_receipt(order),
            "apple_wallet": makes_apple_passes() and has_pass(order),
            "google_wallet": makes_google_passes() and has_pass(order),
        }
        if not by_id:
            context |= {
                "can_use_data": can_use_data,
                "choices": preferences_of(order) if can_change else None,
                "is_erased": is_erased(order),
                "why_not_erased": why_not_erased(order, now=now) if can_use_data else "",
                "can_rate": can_rate(order, now=now),
                "starter_name": starter_name(order) if can_change else "",
                "starter_time": starter_time(order),
                "goes_back_to": reserved_again_by(order, now=now) if can_change else "",
                "who_left": who_left(order) if can_change and not is_over else "",
                "party": party,
                "answer": _answer_by_email(request, order),
                **_allowed_changes(order, shown, outcome, can_change=can_change, now=now),
                **_portions_and_time(
                    order, shown, _typed(request, refusal, action), party, can_change=can_change
                ),
                **answer_to(request, order, refusal, action, can_change=can_change),
            }
        response = render(
            request,
            "preorders/pages/order.html",
            context,
            status=refusal.status if refusal else HTTPStatus.OK,
        )
    return hide_link(response)


def _answer_by_email(request: HttpRequest, order: PreOrder) -> str:
    """What the guest pressed in the email about the meal, which the page then sends."""
    named = request.GET.get("again", "")
    return named if named in ("yes", "no") and order.would_order_again is None else ""


def _status(order: PreOrder, special: Special) -> str:
    if awaits_decision(order, special) and is_on(special.offer):
        return _("It's on")  # as the seats below it say
    has_failed = special.offer.status == OfferStatus.FAILED
    if order.status == PreOrderStatus.CANCELLED and has_failed and fell_short(order, special):
        return _("Not enough orders")
    if order.status == PreOrderStatus.FULFILLED and order.is_eaten_there:
        return _("Served")
    return order.get_status_display().capitalize()


def _is_just_ordered(request: HttpRequest, order: PreOrder) -> bool:
    """Whether the guest comes from the payment page, and the card is held or charged."""
    paid = (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED)
    is_in = order.payment_status in paid and order.status != PreOrderStatus.CANCELLED
    return is_in and request.GET.get("done") == JUST_ORDERED


def _can_share(order: PreOrder, special: Special) -> bool:
    """Whether friends could still join this order."""
    is_open = special.is_open and special.restaurant.status == Restaurant.Status.ACTIVE
    return is_open and order.status == PreOrderStatus.PENDING and order.authorized_at is not None


def _party(order: PreOrder, special: Special, *, can_change: bool) -> FriendsOnOrderPage | None:
    """The guest's friends; with the order's link alone only how many portions are reserved for them
    or can be, because the rest is personal."""
    party = friends_on_order_page(order, special)
    # Whoever canceled brings nobody; who came with them is still said.
    if party and order.status == PreOrderStatus.CANCELLED and not party.friends:
        return None
    if can_change or party is None:
        return party
    return party.without_names() if special.is_ordering_open else None


def _friends_card_at(
    order: PreOrder, special: Special, outcome: OrderStatus, party: FriendsOnOrderPage | None
) -> str:
    """Where the card is with which the guest brings others; reserving portions doesn't move it.
    `now`, before the buttons: while a friend can still make the difference, and once the guest's
    own order has made it. `first`, before what happens next: while portions can be reserved, or
    were. Else `last`; empty for no card."""
    if not _can_share(order, special):
        return "last" if party else ""
    # What is reserved can be all that was left.
    is_open = special.state in (SeatsState.OPEN, SeatsState.ON) or bool(order.friend_portions)
    if is_open and (not is_on(special.offer) or outcome.made_it_happen):
        return "now"
    return "first" if is_open and party else "last"


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
    card_button = _card_button(order, outcome, waiting)
    unfinished = None if no_money else changes.unfinished_change(order)
    offer = special.offer
    return {
        "why_fixed": fixed,
        "again_url": _again_url(order, special, can_change=can_change) if ended else "",
        "is_quit": ended and cancellation_of_order(order).by_guest,
        "why_not_the_money": no_money,
        "can_choose_service": not fixed and offer.service_mode == ServiceMode.BOTH,
        "alternative_price": price_alternative(order),
        "can_choose_alternative": bool(
            special.alternative
            and not offer.goes_ahead
            and not changes.why_not_the_alternative(order, now=now)
        ),
        "can_cancel": not fixed,
        "ends_too_early": not no_money and waiting is None and changes.ends_too_early(order),
        "can_release_first": not no_money
        and waiting is not None
        and replacement.can_release_first(order),
        "card_button": "" if unfinished and unfinished.reference else card_button,
        "unfinished_change": unfinished if unfinished and unfinished.reference else None,
        "needs_link_to_pay": bool(card_button and fixed and not can_change),
        "is_deciding": offer.status in UNDECIDED and not special.is_open,
    }


def _portions_and_time(
    order: PreOrder,
    special: Special,
    typed: Mapping[str, str],
    party: FriendsOnOrderPage | None,
    *,
    can_change: bool,
) -> dict[str, Any]:
    """The form to change the portions and the pickup time, with what was typed, and its limits; and
    where the guest's friends have room."""
    offer = special.offer
    most, left = offer.max_per_order, special.portions_left
    if left is not None and order.quantity + left >= most:
        left = None  # not what limits the order
    if left is not None:
        most = order.quantity + left
    is_open = not changes.why_fixed(order, now=special.now)
    slots = slots_of(offer, besides=order.pk, friend_of=order.friend_of_id) if is_open else []
    number = typed.get("quantity", "")
    portions = int(number) if number.isascii() and number.isdigit() else order.quantity
    own = str(order.pickup_slot_id or "")
    wanted = typed.get("slotId") or own
    choice = SlotChoice(slots, portions, wanted)
    at_one_time = choice.at_one_time or most
    held = amount_on_hold(order) if can_change else None
    has_room = any(each.has_capacity_for(portions) for each in slots)
    is_named = bool(typed) and 1 <= portions <= most and (has_room or not slots)
    return {
        "unit_cents": Money.of(order.unit_price).cents,
        "on_hold": held.amount if held else None,
        "held_cents": held.cents if held else 0,
        "chosen_portions": number or order.quantity,
        "most_portions": max(min(most, at_one_time), order.quantity),
        "portions_left": left,
        "is_limited_by_time": at_one_time < most,
        "slots": slots,
        "slot_choice": choice,
        "own_slot": own,
        **_rooms_for(order, slots, party),
        "unfinished_time": _label_of(changes.unfinished_change(order), slots),
        "selected_slot": (selected := choice.selected if wanted else ""),
        "own_time": slot_label(order),
        # What the button of a refused form names, because no script may be there to name it.
        "named_portions": portions if is_named and portions != order.quantity else 0,
        "named_time": choice.selected_label if is_named and selected != own else "",
        "has_to_move": is_named and _lacks_room(slots, own, portions),
    }


def _rooms_for(
    order: PreOrder, slots: list[SlotState], party: FriendsOnOrderPage | None
) -> dict[str, Any]:
    """Where those that are reserved for friends have room, and each number that can be."""
    if party is None:
        return {"rooms_for_friends": []}
    rooms = room_for_friends(order, slots, party.numbers, reserved=party.left)
    if not party.left:
        return {"rooms_for_friends": rooms}
    return {"room_for_reserved": rooms[0], "rooms_for_friends": rooms[1:]}


def _lacks_room(slots: list[SlotState], key: str, portions: int) -> bool:
    return any(each.key == key and not each.has_capacity_for(portions) for each in slots)


def _label_of(change: PaymentOperation | None, slots: list[SlotState]) -> str:
    """The pickup time that a change asks for."""
    wanted = change.pickup_slot_id if change else None
    return next((each.label for each in slots if each.slot.pk == wanted), "")


def _typed(request: HttpRequest, refusal: DomainError | None, action: str) -> Mapping[str, str]:
    """What was typed into the refused form of the portions and the time."""
    return request.POST.dict() if refusal and action in ("portions", "slot") else {}


def _again_url(order: PreOrder, special: Special, *, can_change: bool) -> str:
    """Where to order it again: for the guest, with the form filled in, or to wait for it or for a
    time."""
    if special.are_times_full:
        return f"{special.path}#follow"
    if not special.takes_orders:
        return f"{special.path}#waiting-list" if special.is_ordering_open else ""
    return reorder_url(order, special.offer, now=special.now) if can_change else special.path


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
        return ""  # `unfinished_change` has buttons of its own
    return _("Renew hold")
