"""Which actions on an order are available, by its state and the user's role.

It decides which buttons to show; the services check again under the order's lock.
"""

from datetime import datetime
from enum import StrEnum

from apps.offers.states import OfferStatus
from apps.preorders.core.links import has_ended
from apps.preorders.core.selectors import is_being_refunded
from apps.preorders.emails.kinds import email_to_resend
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.permissions import CurrentMembership, Permission


class Action(StrEnum):
    PICK_UP = "pick_up"
    NO_SHOW = "no_show"
    UNDO = "undo"
    CANCEL = "cancel"
    REFUND = "refund"
    RESEND = "resend"
    NEW_LINK = "new_link"
    NOTE = "note"


REQUIRED_RIGHTS = {
    Action.PICK_UP: Permission.FULFILL_ORDERS,
    Action.NO_SHOW: Permission.FULFILL_ORDERS,
    Action.UNDO: Permission.FULFILL_ORDERS,
    Action.CANCEL: Permission.EDIT_ORDERS,
    Action.REFUND: Permission.EDIT_ORDERS,
    Action.RESEND: Permission.EDIT_ORDERS,
    Action.NEW_LINK: Permission.EDIT_ORDERS,
    Action.NOTE: Permission.FULFILL_ORDERS,
}
PICKUP_OUTCOMES = frozenset({PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW})


def serve_day_has_come(order: PreOrder, now: datetime) -> bool:
    """Whether it is the serve date or later, in the restaurant's time zone."""
    zone = order.offer.restaurant.zone
    return now.astimezone(zone).date() >= order.offer.serve_date


def can_be_fulfilled(order: PreOrder) -> bool:
    """Whether the order is confirmed, paid, and not being returned; a no-show can still come.

    One whose charge was disputed isn't paid anymore (decision 43).
    """
    return (
        order.payment_status == PaymentStatus.CAPTURED
        and not order.disputed_amount
        and order.status in (PreOrderStatus.CONFIRMED, PreOrderStatus.NO_SHOW)
        and not is_being_refunded(order)
    )


def actions_for(order: PreOrder, *, membership: CurrentMembership, now: datetime) -> list[str]:
    """The actions `membership` can take on an order that was loaded with
    `order_list.for_people`."""
    possible = {
        Action.PICK_UP: can_be_fulfilled(order),
        Action.NO_SHOW: can_be_fulfilled(order)
        and order.status == PreOrderStatus.CONFIRMED
        and serve_day_has_come(order, now),
        Action.UNDO: order.status in PICKUP_OUTCOMES,
        # A card charged early is refunded then; after the deadline there is only the refund.
        Action.CANCEL: order.status == PreOrderStatus.PENDING
        and order.offer.status == OfferStatus.ACTIVE
        and now < order.offer.deadline,
        Action.REFUND: order.payment_status == PaymentStatus.CAPTURED
        and order.refunded_amount < order.total_amount
        and not order.returned_amount
        and not order.disputed_amount
        and not _has_pending_payment(order),
        Action.RESEND: email_to_resend(order) is not None,
        Action.NEW_LINK: not has_ended(order.offer.serve_date, now=now),
        Action.NOTE: True,
    }
    return [
        str(one)
        for one, holds in possible.items()
        if holds and membership.can(REQUIRED_RIGHTS[one])
    ]


def _has_pending_payment(order: PreOrder) -> bool:
    return bool(getattr(order, "has_pending_payment", False))
