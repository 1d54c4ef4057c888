"""The payment status of one cart item, and until when its guest can retry (DECISIONS X23)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.offers.serving import ArrivalNote, ServiceMode, arrival_notes
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.declines import decline_sentence
from apps.preorders.core.selectors import checkout_begun_at
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    CHECKOUT_STATUSES,
    CartItemStatus,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReservationStatus,
)

# How long creating a payment page at Stripe can take, with its repetitions.
PAGE_OPENING_TIME = timedelta(minutes=1)
# The payment provider's code for a card that its holder must confirm with the bank.
AUTHENTICATION_REQUIRED = "authentication_required"


@dataclass(frozen=True, slots=True)
class CartItemOutcome:
    order: PreOrder
    state: CartItemStatus
    message: str


def arrival_notes_of(orders: Sequence[PreOrder]) -> tuple[ArrivalNote, ...]:
    """What the restaurant says about the arrival of a guest with these orders of it, each note
    once."""
    modes = {order.served_mode for order in orders}
    mode = modes.pop() if len(modes) == 1 else ServiceMode.BOTH
    return arrival_notes(orders[0].offer.restaurant, mode)


def is_page_overdue(order: PreOrder, now: datetime) -> bool:
    """Whether the deadline has passed and nobody is opening the order's payment page anymore.

    A checkout begun in its last second has its grace (DECISIONS X22), although Stripe takes a
    moment.
    """
    return now >= order.offer.deadline and now >= checkout_begun_at(order) + PAGE_OPENING_TIME


def can_be_authorized(order: PreOrder, now: datetime) -> bool:
    """Whether a hold placed now would count (DECISIONS X22, X24)."""
    status = order.offer.status
    return (
        order.status == PreOrderStatus.PENDING
        and order.payment_status in CHECKOUT_STATUSES
        and bool(order.customer_name)
        and now <= order.offer.deadline + CHECKOUT_GRACE
        and status not in DECIDED
        and status != OfferStatus.DELETED
    )


def finish_until(order: PreOrder) -> datetime:
    """When the order ends unless a card is held: at the end of its reservation, or of the grace
    period that a checkout begun before the deadline gets."""
    return min(order.checkout_expires_at, order.offer.deadline + CHECKOUT_GRACE)


def reserved_until(order: PreOrder) -> datetime:
    """Until when the portions of an order in checkout stay reserved, if they are."""
    ends = finish_until(order)
    return min(order.reserved_until or ends, ends)


def reservation_sentence(order: PreOrder) -> str:
    """Whether the portions of an order in checkout are reserved, and until when."""
    if order.reservation != ReservationStatus.RESERVED:
        return ngettext(
            "Your portion isn't reserved anymore, but you can finish while some are left.",
            "Your portions aren't reserved anymore, but you can finish while some are left.",
            order.quantity,
        )
    text = ngettext(
        "Your portion is reserved until %(until)s.",
        "Your portions are reserved until %(until)s.",
        order.quantity,
    )
    until = formats.moment(reserved_until(order), order.offer.restaurant.zone)
    return text % {"until": formats.unbroken(until)}


def authorization_for(order: PreOrder) -> PaymentOperation | None:
    """The operation that authorizes the item's hold; None until the cart has a card, and for a cart
    of one item."""
    return order.operations.filter(kind=OperationKind.AUTHORIZE).first()


def cart_item_outcome(
    order: PreOrder, operation: PaymentOperation | None, *, was_declined: bool = False
) -> CartItemOutcome:
    """`operation` authorizes the item's hold; `was_declined`: the bank just declined a card in
    the browser."""
    if order.payment_status not in CHECKOUT_STATUSES:
        if order.status == PreOrderStatus.CANCELLED:
            return CartItemOutcome(
                order, CartItemStatus.ENDED, _("This order has ended. You pay nothing.")
            )
        return CartItemOutcome(order, CartItemStatus.HELD, _("You're in. No charge yet."))
    if order.status == PreOrderStatus.CANCELLED:
        return CartItemOutcome(
            order,
            CartItemStatus.ENDED,
            _("This order has ended. Your card wasn't held or charged."),
        )
    asked = _("Your bank wants to make sure it's you.")
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        return CartItemOutcome(order, CartItemStatus.REQUIRES_ACTION, asked)
    if operation is None and was_declined:
        message = _("Your card was declined. Try again or use another card.")
        return CartItemOutcome(order, CartItemStatus.DECLINED, message)
    if operation is None or operation.state == OperationStatus.PENDING:
        return CartItemOutcome(order, CartItemStatus.OPEN, _("Your card isn't held yet."))
    if operation.reason_code == AUTHENTICATION_REQUIRED:
        return CartItemOutcome(order, CartItemStatus.REQUIRES_ACTION, asked)
    message = decline_sentence(operation.reason_code, operation.error)
    return CartItemOutcome(order, CartItemStatus.DECLINED, message)
