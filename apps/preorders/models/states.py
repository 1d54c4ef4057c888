"""A pre-order's life and its payment's (design §3, DECISIONS X27)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.transitions import Allowed


class PreOrderStatus(models.TextChoices):
    PENDING = "pending", _("Pending")
    CONFIRMED = "confirmed", _("Confirmed")
    CANCELLED = "cancelled", _("Cancelled")
    FULFILLED = "fulfilled", _("Picked up")
    NO_SHOW = "no_show", _("Not picked up")


class PaymentStatus(models.TextChoices):
    UNPAID = "unpaid", _("Not paid yet")
    REQUIRES_ACTION = "requires_action", _("Waiting for the bank's check")
    AUTHORIZED = "authorized", _("Card held")
    CAPTURED = "captured", _("Card charged")
    CAPTURE_FAILED = "capture_failed", _("Charge failed")
    RELEASED = "released", _("Hold released")
    REFUNDED = "refunded", _("Refunded")


class OrderSource(models.TextChoices):
    """How an order came about."""

    WEB = "web", "Ordered online"
    PHONE = "phone", "Ordered by phone"


class CartItemStatus(models.TextChoices):
    """A line of a cart as its diner sees it; made of the order, never kept."""

    HELD = "held", "Held"  # an order: its card is held, or what followed
    DECLINED = "declined", "Declined"  # the diner may give another card
    REQUIRES_ACTION = "requires_action", "The bank wants the diner"
    OPEN = "open", "Open"  # no card yet, or its bank is being asked
    ENDED = "ended", "Ended"


class CartStatus(models.TextChoices):
    """A cart as its diner sees it."""

    HELD = "held", "Every line is held"
    PARTLY = "partly", "Some lines are held"
    OPEN = "open", "No line is held yet"
    ENDED = "ended", "Every line has ended"


ORDER_ALLOWED: Allowed = {
    PreOrderStatus.PENDING: frozenset({PreOrderStatus.CONFIRMED, PreOrderStatus.CANCELLED}),
    PreOrderStatus.CONFIRMED: frozenset(
        {PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW, PreOrderStatus.CANCELLED}
    ),
    # A tap on the wrong row is undone; a late guest still gets the meal.
    PreOrderStatus.FULFILLED: frozenset({PreOrderStatus.CONFIRMED}),
    PreOrderStatus.NO_SHOW: frozenset({PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED}),
}
PAYMENT_ALLOWED: Allowed = {
    PaymentStatus.UNPAID: frozenset(
        {
            PaymentStatus.REQUIRES_ACTION,
            PaymentStatus.AUTHORIZED,
            PaymentStatus.CAPTURED,
            PaymentStatus.RELEASED,
        }
    ),
    PaymentStatus.REQUIRES_ACTION: frozenset(
        {
            PaymentStatus.UNPAID,
            PaymentStatus.AUTHORIZED,
            PaymentStatus.CAPTURED,
            PaymentStatus.RELEASED,
        }
    ),
    PaymentStatus.AUTHORIZED: frozenset(
        {PaymentStatus.CAPTURED, PaymentStatus.CAPTURE_FAILED, PaymentStatus.RELEASED}
    ),
    PaymentStatus.CAPTURE_FAILED: frozenset({PaymentStatus.CAPTURED, PaymentStatus.RELEASED}),
    PaymentStatus.CAPTURED: frozenset({PaymentStatus.REFUNDED}),
}

# An order whose portions count toward the minimum: its money is held or taken.
COUNTED_PAYMENTS = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED})


class OperationKind(models.TextChoices):
    """What a PaymentOperation asks of the processor."""

    AUTHORIZE = "authorize"  # a line of a cart: hold its sum on the card the cart was given
    CAPTURE = "capture"
    RELEASE = "release"
    RENEW = "renew"
    REFUND = "refund"


class OperationStatus(models.TextChoices):
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class OperationStage(models.TextChoices):
    """How far an operation has come that may need more than one step.

    A capture: the hold, one retry off session, a link to pay. A renewal: a new hold off session, a
    link to renew, and giving the old hold back.
    """

    HOLD = "hold"
    RETRY = "retry"
    PAY_LINK = "pay_link"
    CLEAN_UP = "clean_up"


class EmailKind(models.TextChoices):
    """The letters an order can cause; each is sent at most once per order."""

    RECEIVED = "received"
    CONFIRMED = "confirmed"
    RELEASED = "released"
    PAYMENT_NEEDED = "payment_needed"
    PAYMENT_LAPSED = "payment_lapsed"
    RENEW_AUTHORIZATION = "renew_authorization"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"  # called off before the deadline; the hold is let go
    PAY_LINK = "pay_link"  # a phone order's checkout
    EXTENDED = "extended"  # the deadline moved; the order may be cancelled
    DECLINED = "declined"  # a line of a cart that the card was not held for
    # These may be turned off (decision 30).
    UNFINISHED = "unfinished"  # begun and left, while the special is open
    PICK_UP = "pick_up"  # today, or tomorrow early
    REJOIN = "rejoin"  # the special that did not go ahead is there again


class WaitlistStatus(models.TextChoices):
    """Where a diner in line for a full offer stands (decision 29)."""

    WAITING = "waiting", "Waiting"
    INVITED = "invited", "Portions kept"  # theirs to order until a moment
    TAKEN = "taken", "Ordered"
    LEFT = "left", "Left"
    LAPSED = "lapsed", "Did not order in time"
    ENDED = "ended", "No portion came free"


ON_WAITLIST = frozenset({WaitlistStatus.WAITING, WaitlistStatus.INVITED})
