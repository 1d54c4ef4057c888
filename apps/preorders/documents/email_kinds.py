"""Which letter says what is true of an order now, and what people call each."""

from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind, OrderSource, PaymentStatus, PreOrderStatus

LABELS = {
    EmailKind.RECEIVED: "Card held",
    EmailKind.CONFIRMED: "It's on",
    EmailKind.RELEASED: "Not charged",
    EmailKind.PAYMENT_NEEDED: "Payment needed",
    EmailKind.PAYMENT_LAPSED: "Ended without payment",
    EmailKind.RENEW_AUTHORIZATION: "Renew the hold",
    EmailKind.REFUNDED: "Refunded",
    EmailKind.CANCELLED: "Cancelled",
    EmailKind.PAY_LINK: "Link to pay",
    EmailKind.EXTENDED: "Deadline moved",
    EmailKind.DECLINED: "Card not held",
    EmailKind.UNFINISHED: "Not finished yet",
    EmailKind.PICK_UP: "Pick-up reminder",
    EmailKind.REJOIN: "It is back",
}
# These lead to a page that was opened for the order: without it there is nothing to send again.
WITH_A_LINK = frozenset(
    {EmailKind.PAYMENT_NEEDED, EmailKind.RENEW_AUTHORIZATION, EmailKind.PAY_LINK}
)
_GOES_AHEAD = frozenset(
    {PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW}
)


def email_label(kind: str) -> str:
    return LABELS.get(EmailKind(kind), kind)


def email_to_resend(order: PreOrder) -> EmailKind | None:
    """The letter that tells the diner where the order stands; None without an address, or while
    there is nothing to tell."""
    if not order.customer_email:
        return None
    match PaymentStatus(order.payment_status):
        case PaymentStatus.AUTHORIZED if order.status == PreOrderStatus.PENDING:
            return EmailKind.RECEIVED
        case PaymentStatus.CAPTURED if order.status in _GOES_AHEAD:
            return EmailKind.CONFIRMED
        case PaymentStatus.CAPTURE_FAILED:
            return EmailKind.PAYMENT_NEEDED
        case PaymentStatus.RELEASED:
            return EmailKind.RELEASED
        case PaymentStatus.REFUNDED:
            return EmailKind.REFUNDED
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            waits = order.status == PreOrderStatus.PENDING and order.source == OrderSource.PHONE
            return EmailKind.PAY_LINK if waits else None
    return None


def still_true(order: PreOrder, kind: EmailKind) -> bool:
    """Whether a letter of this kind would tell the diner something that holds now."""
    if not order.customer_email:
        return False
    fitting = email_to_resend(order)
    if kind == fitting:
        return True
    match kind:
        case EmailKind.REFUNDED:
            return bool(order.refunded_amount)
        case EmailKind.EXTENDED | EmailKind.RENEW_AUTHORIZATION:
            return fitting == EmailKind.RECEIVED
        case EmailKind.PAYMENT_LAPSED | EmailKind.CANCELLED:
            return order.status == PreOrderStatus.CANCELLED
    return False
