"""At the door: picked up, not picked up, a tap on the wrong row, a note, a letter sent again."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.preorders.core import jobs
from apps.preorders.core.locks import lock_order
from apps.preorders.core.people import with_actor
from apps.preorders.core.transitions import set_order_status
from apps.preorders.documents.email_kinds import (
    WITH_A_LINK,
    email_label,
    email_to_resend,
    still_true,
)
from apps.preorders.emails.outbox import MAX_ATTEMPTS
from apps.preorders.manage.actions import FULFILLED_STATUSES, can_be_fulfilled, serve_day_has_come
from apps.preorders.models import OrderEmail, OrderNote, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

UNKNOWN_ORDER = "We could not find this order. Check the code or the link and try again."
NO_ADDRESS = "This order has no e-mail address, so there is nowhere to send a letter."
NO_EMAIL = "There is no letter to send at this moment. Look again when the order has moved on."


@transaction.atomic
def mark_picked_up(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """The guest has it. Pressed twice it is the same.

    On any day: the pick-up screen says when it is the wrong one, and who stands at the door
    decides. Raises NotFound, and Conflict for an order that is not confirmed and paid.
    """
    order = _locked(restaurant, order_id)
    if order.status == PreOrderStatus.FULFILLED:
        return order
    if not can_be_fulfilled(order):
        raise Conflict(_why_not(order))
    set_order_status(order, PreOrderStatus.FULFILLED, now=now, reason=with_actor(by))
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
    if not can_be_fulfilled(order):
        raise Conflict(_why_not(order))
    if not serve_day_has_come(order, now):
        day = formats.day(order.offer.serve_date)
        raise Conflict(f"This order is for {day}. Mark it once that day has come.")
    set_order_status(order, PreOrderStatus.NO_SHOW, now=now, reason=with_actor(by))
    return order


@transaction.atomic
def undo_pickup(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """Undo "picked up" or "not picked up"; the order waits again.

    Raises NotFound, and Conflict for an order that was neither.
    """
    order = _locked(restaurant, order_id)
    if order.status not in FULFILLED_STATUSES:
        raise Conflict("There is nothing to undo: this order was not marked yet.")
    set_order_status(order, PreOrderStatus.CONFIRMED, now=now, reason=with_actor(by))
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
def resend_email(
    *, restaurant: Restaurant, order_id: UUID, kind: EmailKind | None, now: datetime
) -> PreOrder:
    """Send a letter once more: `kind`, else the one that says where the order stands.

    Only one that still holds: nobody is told today that a card is held which was charged yesterday.
    Raises NotFound, and Conflict when that letter does not hold, its link has ended, or the order
    has no address.
    """
    order = _locked(restaurant, order_id)
    if not order.customer_email:
        raise Conflict(NO_ADDRESS)
    wanted = kind or email_to_resend(order)
    if wanted is None:
        raise Conflict(NO_EMAIL)
    if not still_true(order, wanted):
        label = email_label(wanted)
        raise Conflict(f"The letter “{label}” no longer says what is true of this order.")
    earlier = OrderEmail.objects.filter(pre_order=order, kind=wanted)
    last = earlier.order_by("-number").first()
    if wanted in WITH_A_LINK and last is None:
        raise Conflict(NO_EMAIL)
    if last is not None and last.sent_at is None and last.attempts < MAX_ATTEMPTS:
        return order  # it is on its way
    letter = OrderEmail.objects.create(
        restaurant=restaurant,
        pre_order=order,
        kind=wanted,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        action_url=last.action_url if last else "",
        due_at=now,
    )
    jobs.send_email(letter.pk)
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
