"""How one line of a cart stands with its card, and until when its diner may mend it (X23)."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.services.payments import CHECKOUT_STATUSES, GRACE
from apps.preorders.states import (
    LineState,
    OperationKind,
    OperationState,
    PaymentStatus,
    PreOrderStatus,
)

# What the processor says when only the diner's own word to the bank is missing.
ASKS_FOR_DINER = "authentication_required"


@dataclass(frozen=True, slots=True)
class LineOutcome:
    order: PreOrder
    state: LineState
    message: str


def can_be_held(order: PreOrder, now: datetime) -> bool:
    """Whether a hold placed now would count (DECISIONS X22, X24)."""
    status = order.offer.status
    return (
        order.status == PreOrderStatus.PENDING
        and order.payment_status in CHECKOUT_STATUSES
        and bool(order.customer_name)
        and now <= order.offer.deadline + GRACE
        and status not in DECIDED
        and status != OfferStatus.DELETED
    )


def finish_until(order: PreOrder) -> datetime:
    """When the order ends if no card is held by then: with its reservation, or with the grace that
    the deadline gives a checkout begun before it."""
    return min(order.checkout_expires_at, order.offer.deadline + GRACE)


def placing_of(order: PreOrder) -> PaymentOperation | None:
    """The operation that places, or placed, the line's hold; None until its cart's card was
    given, and for a cart of one line."""
    return order.operations.filter(kind=OperationKind.AUTHORIZE).first()


def line_outcome(
    order: PreOrder, operation: PaymentOperation | None, *, was_declined: bool = False
) -> LineOutcome:
    """`operation` places, or placed, the line's hold; `was_declined`: the bank has just refused a
    card that the browser confirmed."""
    if order.payment_status not in CHECKOUT_STATUSES:
        if order.status == PreOrderStatus.CANCELLED:
            return LineOutcome(order, LineState.ENDED, _("This order has ended. You pay nothing."))
        return LineOutcome(order, LineState.HELD, _("Your card is held, not charged."))
    if order.status == PreOrderStatus.CANCELLED:
        return LineOutcome(order, LineState.ENDED, _("This order has ended. Nothing was held."))
    asked = _("Your bank wants to check that it is you.")
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        return LineOutcome(order, LineState.REQUIRES_ACTION, asked)
    if operation is None and was_declined:
        message = _("The card could not be held. Try again, or another card.")
        return LineOutcome(order, LineState.DECLINED, message)
    if operation is None or operation.state == OperationState.PENDING:
        return LineOutcome(order, LineState.OPEN, _("Nothing is held yet."))
    if operation.reason == ASKS_FOR_DINER:
        return LineOutcome(order, LineState.REQUIRES_ACTION, asked)
    message = operation.error or _("The card could not be held. Try another one.")
    return LineOutcome(order, LineState.DECLINED, message)
