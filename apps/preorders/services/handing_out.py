"""At the door: picked up, not picked up, a tap on the wrong row, a note, a letter sent again."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.preorders import handoff
from apps.preorders.actions import PICKUP_OUTCOMES, can_be_handed_out, serve_day_has_come
from apps.preorders.letters import WITH_A_LINK, fitting_letter, letter_label, still_true
from apps.preorders.locks import lock_order
from apps.preorders.models import OrderMail, OrderNote, PreOrder
from apps.preorders.people import by_whom
from apps.preorders.services.letters import MAX_ATTEMPTS
from apps.preorders.services.moves import move_order
from apps.preorders.states import MailKind, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

UNKNOWN_ORDER = "We could not find this order. Check the code or the link and try again."
NO_ADDRESS = "This order has no e-mail address, so there is nowhere to send a letter."
NO_LETTER = "There is no letter to send at this moment. Look again when the order has moved on."


@transaction.atomic
def hand_out(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """The guest has it. Pressed twice it is the same.

    On any day: the pick-up screen says when it is the wrong one, and who stands at the door
    decides. Raises NotFound, and Conflict for an order that is not confirmed and paid.
    """
    order = _locked(restaurant, order_id)
    if order.status == PreOrderStatus.FULFILLED:
        return order
    if not can_be_handed_out(order):
        raise Conflict(_why_not(order))
    move_order(order, PreOrderStatus.FULFILLED, now=now, reason=by_whom(by))
    return order


@transaction.atomic
def mark_no_show(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """The guest did not come; nothing happens to the money. From the serve day on.

    Raises NotFound, and Conflict for an order that is not confirmed and paid, that was picked up,
    or whose day is still to come.
    """
    order = _locked(restaurant, order_id)
    if order.status == PreOrderStatus.NO_SHOW:
        return order
    if order.status == PreOrderStatus.FULFILLED:
        raise Conflict("This order was picked up. Undo that first if it was a slip.")
    if not can_be_handed_out(order):
        raise Conflict(_why_not(order))
    if not serve_day_has_come(order, now):
        day = formats.day(order.offer.serve_date)
        raise Conflict(f"This order is for {day}. Mark it once that day has come.")
    move_order(order, PreOrderStatus.NO_SHOW, now=now, reason=by_whom(by))
    return order


@transaction.atomic
def take_back(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """Undo "picked up" or "not picked up"; the order waits again.

    Raises NotFound, and Conflict for an order that was neither.
    """
    order = _locked(restaurant, order_id)
    if order.status not in PICKUP_OUTCOMES:
        raise Conflict("There is nothing to undo: this order was not marked yet.")
    move_order(order, PreOrderStatus.CONFIRMED, now=now, reason=by_whom(by))
    return order


@transaction.atomic
def add_note(
    *, restaurant: Restaurant, order_id: UUID, text: str, by: str, now: datetime
) -> PreOrder:
    """A remark for the restaurant's own people. Raises NotFound."""
    order = _locked(restaurant, order_id)
    OrderNote.objects.create(restaurant=restaurant, pre_order=order, text=text, by=by, at=now)
    return order


@transaction.atomic
def send_again(
    *, restaurant: Restaurant, order_id: UUID, kind: MailKind | None, now: datetime
) -> PreOrder:
    """Send a letter once more: `kind`, else the one that says where the order stands.

    Only one that still holds: nobody is told today that a card is held which was charged yesterday.
    Raises NotFound, and Conflict when that letter does not hold, its link has ended, or the order
    has no address.
    """
    order = _locked(restaurant, order_id)
    if not order.customer_email:
        raise Conflict(NO_ADDRESS)
    wanted = kind or fitting_letter(order)
    if wanted is None:
        raise Conflict(NO_LETTER)
    if not still_true(order, wanted):
        label = letter_label(wanted)
        raise Conflict(f"The letter “{label}” no longer says what is true of this order.")
    earlier = OrderMail.objects.filter(pre_order=order, kind=wanted)
    last = earlier.order_by("-number").first()
    if wanted in WITH_A_LINK and last is None:
        raise Conflict(NO_LETTER)
    if last is not None and last.sent_at is None and last.attempts < MAX_ATTEMPTS:
        return order  # it is on its way
    letter = OrderMail.objects.create(
        restaurant=restaurant,
        pre_order=order,
        kind=wanted,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        action_url=last.action_url if last else "",
        due_at=now,
    )
    handoff.send_mail(letter.pk)
    return order


def _locked(restaurant: Restaurant, order_id: UUID) -> PreOrder:
    try:
        order = lock_order(order_id)
    except PreOrder.DoesNotExist:
        raise NotFound(UNKNOWN_ORDER) from None
    if order.restaurant_id != restaurant.pk:
        raise NotFound(UNKNOWN_ORDER)
    return order


def _why_not(order: PreOrder) -> str:
    """Why an order cannot be handed out, and what to do."""
    if order.status == PreOrderStatus.CANCELLED:
        return "This order was cancelled. Nothing is to be handed out for it."
    match PaymentStatus(order.payment_status):
        case PaymentStatus.AUTHORIZED:
            return "This order's card is held, not charged. Wait until the special is decided."
        case PaymentStatus.CAPTURE_FAILED:
            return "This order's card was declined. Ask the guest to pay by the link we sent."
        case PaymentStatus.REFUNDED:
            return "This order was refunded. Nothing is to be handed out for it."
    return "This order is not paid. Ask the guest for the confirmation."
