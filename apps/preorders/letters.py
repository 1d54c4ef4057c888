"""Which email describes an order's current state, and the label of each kind."""

from apps.preorders.models import PreOrder
from apps.preorders.states import MailKind, OrderSource, PaymentStatus, PreOrderStatus

LABELS = {
    MailKind.RECEIVED: "Card held",
    MailKind.CONFIRMED: "It's on",
    MailKind.RELEASED: "Not charged",
    MailKind.PAYMENT_NEEDED: "Payment needed",
    MailKind.PAYMENT_LAPSED: "Ended without payment",
    MailKind.RENEW_HOLD: "Renew hold",
    MailKind.REFUNDED: "Refunded",
    MailKind.CANCELLED: "Cancelled",
    MailKind.PAY_LINK: "Payment link",
    MailKind.EXTENDED: "Deadline moved",
    MailKind.DECLINED: "Card not held",
    MailKind.UNFINISHED: "Unfinished order",
    MailKind.PICK_UP: "Pickup reminder",
    MailKind.REJOIN: "It's back",
}
# These link to a payment page opened for the order; without it there is nothing to resend.
WITH_A_LINK = frozenset({MailKind.PAYMENT_NEEDED, MailKind.RENEW_HOLD, MailKind.PAY_LINK})
_GOES_AHEAD = frozenset(
    {PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW}
)


def letter_label(kind: str) -> str:
    return LABELS.get(MailKind(kind), kind)


def fitting_letter(order: PreOrder) -> MailKind | None:
    """The email that describes the order's current state; None without an email address, or while
    there is nothing to say."""
    if not order.customer_email:
        return None
    match PaymentStatus(order.payment_status):
        case PaymentStatus.AUTHORIZED if order.status == PreOrderStatus.PENDING:
            return MailKind.RECEIVED
        case PaymentStatus.CAPTURED if order.status in _GOES_AHEAD:
            return MailKind.CONFIRMED
        case PaymentStatus.CAPTURE_FAILED:
            return MailKind.PAYMENT_NEEDED
        case PaymentStatus.RELEASED:
            return MailKind.RELEASED
        case PaymentStatus.REFUNDED:
            return MailKind.REFUNDED
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            waits = order.status == PreOrderStatus.PENDING and order.source == OrderSource.PHONE
            return MailKind.PAY_LINK if waits else None
    return None


def still_true(order: PreOrder, kind: MailKind) -> bool:
    """Whether an email of this kind would still be true."""
    if not order.customer_email:
        return False
    fitting = fitting_letter(order)
    if kind == fitting:
        return True
    match kind:
        case MailKind.REFUNDED:
            return bool(order.refunded_amount)
        case MailKind.EXTENDED | MailKind.RENEW_HOLD:
            return fitting == MailKind.RECEIVED
        case MailKind.PAYMENT_LAPSED | MailKind.CANCELLED:
            return order.status == PreOrderStatus.CANCELLED
    return False
