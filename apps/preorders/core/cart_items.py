"""How one line of a cart stands with its card, and until when its diner may mend it (X23)."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CartItemStatus,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.payments import CHECKOUT_PAYMENTS, GRACE

# What the processor says when only the diner's own word to the bank is missing.
AUTHENTICATION_REQUIRED = "authentication_required"


@dataclass(frozen=True, slots=True)
class CartItemOutcome:
    order: PreOrder
    state: CartItemStatus
    message: str


def can_be_authorized(order: PreOrder, now: datetime) -> bool:
    """Whether a hold placed now would count (DECISIONS X22, X24)."""
    status = order.offer.status
    return (
        order.status == PreOrderStatus.PENDING
        and order.payment_status in CHECKOUT_PAYMENTS
        and bool(order.customer_name)
        and now <= order.offer.deadline + GRACE
        and status not in DECIDED
        and status != OfferStatus.DELETED
    )


def finish_until(order: PreOrder) -> datetime:
    """When the order ends if no card is held by then: with its reservation, or with the grace that
    the deadline gives a checkout begun before it."""
    return min(order.checkout_expires_at, order.offer.deadline + GRACE)


def authorization_for(order: PreOrder) -> PaymentOperation | None:
    """The operation that places, or placed, the line's hold; None until its cart's card was
    given, and for a cart of one line."""
    return order.operations.filter(kind=OperationKind.AUTHORIZE).first()


def cart_item_outcome(
    order: PreOrder, operation: PaymentOperation | None, *, was_declined: bool = False
) -> CartItemOutcome:
    """`operation` places, or placed, the line's hold; `was_declined`: the bank has just refused a
    card that the browser confirmed."""
    if order.payment_status not in CHECKOUT_PAYMENTS:
        if order.status == PreOrderStatus.CANCELLED:
            return CartItemOutcome(
                order, CartItemStatus.ENDED, _("This order has ended. You pay nothing.")
            )
        return CartItemOutcome(order, CartItemStatus.HELD, _("Your card is held, not charged."))
    if order.status == PreOrderStatus.CANCELLED:
        return CartItemOutcome(
            order, CartItemStatus.ENDED, _("This order has ended. Nothing was held.")
        )
    asked = _("Your bank wants to check that it is you.")
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        return CartItemOutcome(order, CartItemStatus.REQUIRES_ACTION, asked)
    if operation is None and was_declined:
        message = _("The card could not be held. Try again, or another card.")
        return CartItemOutcome(order, CartItemStatus.DECLINED, message)
    if operation is None or operation.state == OperationStatus.PENDING:
        return CartItemOutcome(order, CartItemStatus.OPEN, _("Nothing is held yet."))
    if operation.reason == AUTHENTICATION_REQUIRED:
        return CartItemOutcome(order, CartItemStatus.REQUIRES_ACTION, asked)
    message = operation.error or _("The card could not be held. Try another one.")
    return CartItemOutcome(order, CartItemStatus.DECLINED, message)
