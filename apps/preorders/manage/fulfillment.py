"""Staff actions on an order: picked up, no-show, undo, notes, resending emails, links."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import Coalesce

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.common.transitions import Cause
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.links import has_ended, revoke_order_link
from apps.preorders.core.locks import lock_cart_items, lock_order
from apps.preorders.core.selectors import is_being_refunded
from apps.preorders.core.transitions import set_order_status
from apps.preorders.emails.kinds import (
    WITH_A_LINK,
    email_label,
    email_to_resend,
    still_true,
)
from apps.preorders.emails.outbox import MAX_ATTEMPTS
from apps.preorders.manage.actions import PICKUP_OUTCOMES, can_be_fulfilled, serve_day_has_come
from apps.preorders.manage.pickup import DISPUTED
from apps.preorders.models import Email, OrderNote, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

UNKNOWN_ORDER = "We couldn't find this order. Check the code or the link and try again."
NO_ADDRESS = "This order has no email address, so we can't send an email."
LINK_ENDED = "The link to this order has already expired."
NO_EMAIL = "There's no email to send right now. Try again when the order's status changes."


@transaction.atomic
def mark_picked_up(
    *,
    restaurant: Restaurant,
    order_id: UUID,
    by: str,
    now: datetime,
    despite_dispute: bool = False,
) -> PreOrder:
    """Mark the order as picked up; doing it twice has no further effect.

    It works on any day: the pickup page warns about the wrong day, and staff decide.
    `despite_dispute` hands over what the guest's bank took the money back for; that is a decision
    about money, so the caller checks who can make it. Raises NotFound, and Conflict for an order
    that isn't confirmed and paid.
    """
    order = lock_own_order(restaurant, order_id)
    if order.status == PreOrderStatus.FULFILLED:
        return order
    if despite_dispute and order.disputed_amount:
        order.disputed_amount = Decimal(0)  # as if it were paid; nothing is saved
        about = ("order", order.pk)
        record(Kind.HANDED_OVER_DESPITE_DISPUTE, restaurant=restaurant, about=about, now=now)
    if not can_be_fulfilled(order):
        raise Conflict(_refusal_reason(order))
    set_order_status(order, PreOrderStatus.FULFILLED, now=now, cause=Cause(actor=by))
    return order


@transaction.atomic
def mark_no_show(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """Mark the order as a no-show, from its serve date on. The payment doesn't change.

    Raises NotFound, and Conflict for an order that isn't confirmed and paid, was picked up, or is
    for a later day.
    """
    order = lock_own_order(restaurant, order_id)
    if order.status == PreOrderStatus.NO_SHOW:
        return order
    if order.status == PreOrderStatus.FULFILLED:
        raise Conflict("This order was picked up. If that's a mistake, undo it first.")
    if not can_be_fulfilled(order):
        raise Conflict(_refusal_reason(order))
    if not serve_day_has_come(order, now):
        day = formats.day(order.offer.serve_date)
        raise Conflict(f"This order is for {day}. You can mark it as a no-show from that day on.")
    set_order_status(order, PreOrderStatus.NO_SHOW, now=now, cause=Cause(actor=by))
    return order


@transaction.atomic
def undo_pickup(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """Undo "picked up" or "no-show"; the order is confirmed again.

    Raises NotFound, and Conflict for an order with neither.
    """
    order = lock_own_order(restaurant, order_id)
    if order.status not in PICKUP_OUTCOMES:
        raise Conflict("There's nothing to undo. This order isn't marked as picked up or no-show.")
    set_order_status(order, PreOrderStatus.CONFIRMED, now=now, cause=Cause(actor=by))
    return order


@transaction.atomic
def add_note(
    *, restaurant: Restaurant, order_id: UUID, text: str, by: str, now: datetime
) -> PreOrder:
    """Add a note for the restaurant's team. Raises NotFound."""
    order = lock_own_order(restaurant, order_id)
    OrderNote.objects.create(restaurant=restaurant, pre_order=order, text=text, by=by, at=now)
    return order


@transaction.atomic
def resend_email(
    *, restaurant: Restaurant, order_id: UUID, kind: EmailKind | None, now: datetime
) -> PreOrder:
    """Resend an email: `kind`, or else the one that matches the order's current state.

    Emails that are no longer accurate are refused: a guest whose card was charged yesterday must
    not read today that it is on hold. Raises NotFound, and Conflict if the email isn't accurate,
    its link has expired, or the order has no email address.
    """
    order = lock_own_order(restaurant, order_id)
    if not order.customer_email:
        raise Conflict(NO_ADDRESS)
    wanted = kind or email_to_resend(order)
    if wanted is None:
        raise Conflict(NO_EMAIL)
    if not still_true(order, wanted):
        label = email_label(wanted)
        raise Conflict(f"We can't resend “{label}”, because it's no longer true for this order.")
    earlier = Email.objects.filter(pre_order=order, kind=wanted)
    last = earlier.order_by("-number").first()
    if wanted in WITH_A_LINK and last is None:
        raise Conflict(NO_EMAIL)
    if last is not None and last.sent_at is None and last.attempts < MAX_ATTEMPTS:
        return order  # it is on its way
    email = Email.objects.create(
        restaurant=restaurant,
        pre_order=order,
        kind=wanted,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        action_url=last.action_url if last else "",
        due_at=now,
    )
    jobs.enqueue_email(email.pk)
    return order


@transaction.atomic
def replace_link(*, restaurant: Restaurant, order_id: UUID, by: str, now: datetime) -> PreOrder:
    """Revoke every link to the order, and email the guest a new one if there is an address.

    For a link that was passed on to whoever shouldn't have it. Raises NotFound, and Conflict once
    the order's links have expired.
    """
    cart_id = PreOrder.objects.filter(pk=order_id).values_list("cart_id", flat=True).first()
    if cart_id:  # all of its links are revoked: their locks before this one's (`core.locks`)
        lock_cart_items(cart_id)
    order = lock_own_order(restaurant, order_id)
    if has_ended(order.offer.serve_date, now=now):
        raise Conflict(LINK_ENDED)
    revoke_order_link(order, by=by, now=now)
    queue_email(order, EmailKind.NEW_LINK, now=now, again=True)
    return order


def lock_own_order(restaurant: Restaurant, order_id: UUID) -> PreOrder:
    """The restaurant's own order, locked with its offer. Raises NotFound."""
    try:
        order = lock_order(order_id)
    except PreOrder.DoesNotExist:
        raise NotFound(UNKNOWN_ORDER) from None
    if order.restaurant_id != restaurant.pk:
        raise NotFound(UNKNOWN_ORDER)
    return order


def _refusal_reason(order: PreOrder) -> str:
    """Why an order can't be picked up, and what to do."""
    if order.status == PreOrderStatus.CANCELLED:
        return "This order was canceled. Don't hand anything over."
    match PaymentStatus(order.payment_status):
        case PaymentStatus.AUTHORIZED:
            return "This order's card is on hold, not charged. Wait until the special is decided."
        case PaymentStatus.CAPTURE_FAILED:
            return "This order's card was declined. Ask the guest to pay with their payment link."
        case PaymentStatus.REFUNDED:
            return "This order was refunded. Don't hand anything over."
        case PaymentStatus.CAPTURED if order.disputed_amount:
            return DISPUTED
        case PaymentStatus.CAPTURED if is_being_refunded(order):
            return "This order is being refunded in full. Don't hand anything over."
    return "This order isn't paid. Ask the guest to show their confirmation."


@dataclass(frozen=True, slots=True)
class PickupCount:
    """Charged orders served on one day, and how many of them were picked up."""

    orders: int
    picked_up: int
    portions: int
    portions_picked_up: int


def pickup_count(*, restaurant: Restaurant, day: date) -> PickupCount:
    """The day's pickup progress, in one query; fully refunded orders don't count."""
    served = PreOrder.objects.filter(
        restaurant=restaurant, offer__serve_date=day, payment_status=PaymentStatus.CAPTURED
    ).exclude(status=PreOrderStatus.CANCELLED)
    picked_up = Q(status=PreOrderStatus.FULFILLED)
    return PickupCount(
        **served.aggregate(
            orders=Count("pk"),
            picked_up=Count("pk", filter=picked_up),
            portions=Coalesce(Sum("quantity"), 0),
            portions_picked_up=Coalesce(Sum("quantity", filter=picked_up), 0),
        )
    )
