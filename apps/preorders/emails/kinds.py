"""Which email describes an order's current state, and the label of each kind."""

from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind, OrderSource, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.alarms import was_refund_returned

LABELS = {
    EmailKind.RECEIVED: "Card held",
    EmailKind.CONFIRMED: "It's on",
    EmailKind.CHARGED_EARLY: "Charged early",
    EmailKind.DISH_CHANGED: "Dish changed",
    EmailKind.RELEASED: "Not charged",
    EmailKind.PAYMENT_NEEDED: "Payment needed",
    EmailKind.PAYMENT_LAPSED: "Ended without payment",
    EmailKind.RENEW_AUTHORIZATION: "Renew hold",
    EmailKind.REFUNDED: "Refunded",
    EmailKind.REFUND_RETURNED: "Refund returned",
    EmailKind.PAYMENT_DISPUTED: "Payment disputed",
    EmailKind.DISPUTE_SETTLED: "Dispute settled",
    EmailKind.CANCELLED: "Canceled",
    EmailKind.PAY_LINK: "Payment link",
    EmailKind.EXTENDED: "Deadline moved",
    EmailKind.GUEST_MESSAGE: "Message from you",
    EmailKind.DECLINED: "Card not held",
    EmailKind.UNFINISHED: "Unfinished order",
    EmailKind.PICK_UP: "Reminder",
    EmailKind.REJOIN: "It's back",
    EmailKind.HOW_WAS_IT: "How was it?",
    EmailKind.FRIEND_JOINED: "A friend joined",
    EmailKind.FRIEND_LEFT: "A friend canceled",
    EmailKind.FRIEND_CANCELED: "Their friend canceled",
    EmailKind.FRIEND_MOVED: "Their friend changed the time",
    EmailKind.CHANGE_LINK: "Link to change the order",
    EmailKind.DATA_LINK: "Link to the guest's data",
    EmailKind.MY_ORDERS: "List of orders",
    EmailKind.NEW_LINK: "New link to the order",
}
# These link to a payment page opened for the order; without it there is nothing to resend.
WITH_A_LINK = frozenset(
    {EmailKind.PAYMENT_NEEDED, EmailKind.RENEW_AUTHORIZATION, EmailKind.PAY_LINK}
)
_GOES_AHEAD = frozenset(
    {PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW}
)


def email_label(kind: str) -> str:
    return LABELS.get(EmailKind(kind), kind)


def email_to_resend(order: PreOrder) -> EmailKind | None:
    """The email that describes the order's current state; None without an email address, or while
    there is nothing to say."""
    if not order.customer_email:
        return None
    match PaymentStatus(order.payment_status):
        case PaymentStatus.AUTHORIZED if order.status == PreOrderStatus.PENDING:
            return EmailKind.RECEIVED
        case PaymentStatus.CAPTURED if order.returned_amount and was_refund_returned(order):
            return EmailKind.REFUND_RETURNED
        case PaymentStatus.CAPTURED if order.disputed_amount:
            is_to_come = order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED)
            return EmailKind.PAYMENT_DISPUTED if is_to_come else None
        case PaymentStatus.CAPTURED if order.status in _GOES_AHEAD:
            return EmailKind.CONFIRMED
        case PaymentStatus.CAPTURED if order.status == PreOrderStatus.PENDING:
            return EmailKind.CHARGED_EARLY
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
    """Whether an email of this kind would still be true."""
    if not order.customer_email:
        return False
    fitting = email_to_resend(order)
    if kind == fitting:
        return True
    match kind:
        case EmailKind.REFUNDED:
            return bool(order.refunded_amount)
        case EmailKind.REFUND_RETURNED:
            return bool(order.returned_amount) and was_refund_returned(order)
        case EmailKind.PAYMENT_DISPUTED:
            return bool(order.disputed_amount)
        case EmailKind.RENEW_AUTHORIZATION:
            return fitting == EmailKind.RECEIVED
        case EmailKind.EXTENDED | EmailKind.DISH_CHANGED:
            return fitting in (EmailKind.RECEIVED, EmailKind.CHARGED_EARLY)
        case EmailKind.PAYMENT_LAPSED | EmailKind.CANCELLED:
            return order.status == PreOrderStatus.CANCELLED
    return False
