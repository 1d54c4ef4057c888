"""States of orders, payments, and operations, and their allowed transitions (DECISIONS X27)."""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.transitions import Allowed


class PreOrderStatus(models.TextChoices):
    PENDING = "pending", _("Pending")
    CONFIRMED = "confirmed", _("Confirmed")
    CANCELLED = "cancelled", _("Canceled")
    FULFILLED = "fulfilled", _("Picked up")
    NO_SHOW = "no_show", _("No-show")


class PaymentStatus(models.TextChoices):
    UNPAID = "unpaid", _("Not paid yet")
    REQUIRES_ACTION = "requires_action", _("Waiting for the bank")
    AUTHORIZED = "authorized", _("Card held")
    CAPTURED = "captured", _("Card charged")
    CAPTURE_FAILED = "capture_failed", _("Charge failed")
    RELEASED = "released", _("Hold released")
    REFUNDED = "refunded", _("Refunded")


class OrderSource(models.TextChoices):
    """How an order was placed."""

    WEB = "web", "Ordered online"
    PHONE = "phone", "Ordered by phone"


class ReservationStatus(models.TextChoices):
    """Whether the portions of an order in checkout are reserved (decision 51)."""

    RESERVED = "reserved", "Reserved"
    LAPSED = "lapsed", "No card in time"
    RETURNED = "returned", "The guest left the checkout"


class CartItemStatus(models.TextChoices):
    """The state of a cart item as the guest sees it; computed from the order, never stored."""

    HELD = "held", "Held"  # its card is held, or was
    DECLINED = "declined", "Declined"  # the guest can try another card
    REQUIRES_ACTION = "requires_action", "Bank confirmation needed"
    OPEN = "open", "Open"  # no card yet, or its bank is being asked
    ENDED = "ended", "Ended"


class CartStatus(models.TextChoices):
    """The state of a cart as the guest sees it."""

    HELD = "held", "All items are held"
    PARTLY = "partly", "Some items are held"
    OPEN = "open", "No item is held yet"
    ENDED = "ended", "All items have ended"


ORDER_ALLOWED: Allowed = {
    PreOrderStatus.PENDING: frozenset({PreOrderStatus.CONFIRMED, PreOrderStatus.CANCELLED}),
    PreOrderStatus.CONFIRMED: frozenset(
        {PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW, PreOrderStatus.CANCELLED}
    ),
    # Staff can undo a wrong tap, and a late guest can still pick up.
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
        {
            PaymentStatus.CAPTURED,
            PaymentStatus.CAPTURE_FAILED,
            PaymentStatus.RELEASED,
            # The guest let the hold go first, to make room for a new one (decision 50).
            PaymentStatus.UNPAID,
        }
    ),
    PaymentStatus.CAPTURE_FAILED: frozenset({PaymentStatus.CAPTURED, PaymentStatus.RELEASED}),
    PaymentStatus.CAPTURED: frozenset({PaymentStatus.REFUNDED}),
    # The guest's bank returned the refund: the card is charged again.
    PaymentStatus.REFUNDED: frozenset({PaymentStatus.CAPTURED}),
}

# Nothing is authorized yet: the guest can still finish the checkout.
CHECKOUT_STATUSES = frozenset({PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION})

# How long after the deadline a checkout begun before it can finish (DECISIONS X22).
CHECKOUT_GRACE = timedelta(minutes=10)

# Payment statuses whose portions count toward the minimum.
COUNTED_PAYMENTS = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED})


class OperationKind(models.TextChoices):
    """What a PaymentOperation does."""

    AUTHORIZE = "authorize"  # hold a cart item's total on the cart's saved card
    CAPTURE = "capture"
    RELEASE = "release"
    RENEW = "renew"
    REFUND = "refund"
    FORGET = "forget"  # delete the guest's customers and cards at Stripe, once erased
    # About a dispute: the restaurant's part of the charge, and the answer to the bank.
    REVERSE_TRANSFER = "reverse_transfer"
    RETURN_TRANSFER = "return_transfer"
    ANSWER_DISPUTE = "answer_dispute"
    ACCEPT_DISPUTE = "accept_dispute"


class OperationStatus(models.TextChoices):
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class OperationStage(models.TextChoices):
    """The stage of an operation with several steps.

    Capture: capture the hold, retry off session, email a payment link. Renewal: new hold off
    session, email a link, release the old hold.
    """

    HOLD = "hold"
    RETRY = "retry"
    PAY_LINK = "pay_link"
    CLEAN_UP = "clean_up"


class Instruction(models.TextChoices):
    """What staff decided about a payment operation that waits."""

    GIVE_UP = "give_up"  # release the hold and cancel the order, also during a pause


class PauseScope(models.TextChoices):
    """What a pause holds back (decision 80)."""

    SCHEDULER = "scheduler", "Automatic settlement"  # by hand, specials are still settled
    ALL = "all", "All settlement"
    RESTAURANT = "restaurant", "A restaurant"
    SPECIAL = "special", "A special"
    OPERATION = "operation", "A payment operation"


class RunTrigger(models.TextChoices):
    """Who started a run over the specials past their deadline."""

    SCHEDULE = "schedule", "Scheduler"
    STAFF = "staff", "Staff"
    COMMAND = "command", "Command"


class EmailKind(models.TextChoices):
    """What an email says; `models.Email` names what it is about."""

    RECEIVED = "received"
    CHARGED_EARLY = "charged_early"  # before the decision, because the hold would have ended
    DISH_CHANGED = "dish_changed"  # what was sold changed; the guest can cancel
    CONFIRMED = "confirmed"
    RELEASED = "released"
    PAYMENT_NEEDED = "payment_needed"
    PAYMENT_LAPSED = "payment_lapsed"
    RENEW_AUTHORIZATION = "renew_authorization"
    REFUNDED = "refunded"
    REFUND_RETURNED = "refund_returned"  # the guest's bank returned it
    # The bank took the payment of an order to be served back; and how that ended before it is.
    PAYMENT_DISPUTED = "payment_disputed"
    DISPUTE_SETTLED = "dispute_settled"
    CANCELLED = "cancelled"  # cancelled before the deadline; the hold is released
    PAY_LINK = "pay_link"  # a phone order's checkout
    EXTENDED = "extended"  # the deadline moved; the guest can cancel
    FRIEND_CANCELED = "friend_canceled"  # whose link the guest ordered with (decision 179)
    FRIEND_MOVED = "friend_moved"  # to another time than the guest's (decision 181)
    GUEST_MESSAGE = "guest_message"  # what the restaurant wrote to the guests of a special
    DECLINED = "declined"  # the card was declined for one cart item
    # Guests can turn these off (decision 30).
    UNFINISHED = "unfinished"  # checkout was abandoned while the special is open
    PICK_UP = "pick_up"  # pickup reminder for today or early tomorrow
    REJOIN = "rejoin"  # a special that failed is offered again
    HOW_WAS_IT = "how_was_it"  # the day after the meal
    FRIEND_JOINED = "friend_joined"  # a friend ordered with the guest's link (decision 88)
    FRIEND_LEFT = "friend_left"  # such a friend's order was canceled (decision 179)
    # Links, asked for by the guest or, the last, by the restaurant (decisions 55 and 62).
    CHANGE_LINK = "change_link"  # to change the order
    DATA_LINK = "data_link"  # to download or delete the guest's data
    MY_ORDERS = "my_orders"  # to all orders of the address at the restaurant
    NEW_LINK = "new_link"  # to the order, after the restaurant revoked the earlier one
    # About a waitlist entry.
    WAITLIST_JOINED = "waitlist_joined"
    WAITLIST_INVITED = "waitlist_invited"  # portions are reserved for a while
    WAITLIST_ENDED = "waitlist_ended"  # the restaurant canceled the special
    # To the restaurant, about an offer.
    KITCHEN_SHEET = "kitchen_sheet"
    # To each owner who wants it, about an offer: the values of `NoticeKind`.
    FIRST_ORDER = "first_order"
    NEEDS_A_PUSH = "needs_a_push"  # the deadline is near and portions are missing
    PAYMENT_PROBLEM = "payment_problem"  # cards were declined at the deadline
    OFFER_RESULT = "offer_result"  # how it ended, and the money
    # To the restaurant's owners, about a dispute or an early fraud warning.
    DISPUTE_OPENED = "dispute_opened"
    DISPUTE_DUE = "dispute_due"  # the answer is due soon
    DISPUTE_CLOSED = "dispute_closed"
    FRAUD_WARNING = "fraud_warning"


class NoticeKind(models.TextChoices):
    """What owners are told about their specials (decision 134): columns of `NoticePreference`, and
    values of `EmailKind`."""

    OFFER_RESULT = "offer_result", "How a special ended"
    PAYMENT_PROBLEM = "payment_problem", "A guest's card was declined"
    NEEDS_A_PUSH = "needs_a_push", "A special is short of its minimum six hours before it closes"
    FIRST_ORDER = "first_order", "The first order of a special"


class PushKind(models.TextChoices):
    """What guests who follow a special are told on their device; owners are told `NoticeKind`."""

    ONE_MORE = "one_more", "One more portion is needed"
    ITS_ON = "its_on", "The minimum is reached"


WITH_LINKS = (
    EmailKind.CHANGE_LINK,
    EmailKind.DATA_LINK,
    EmailKind.MY_ORDERS,
    EmailKind.NEW_LINK,
)
ABOUT_A_DISPUTE = frozenset(
    {EmailKind.DISPUTE_OPENED, EmailKind.DISPUTE_DUE, EmailKind.DISPUTE_CLOSED}
)
# The rest is about an order, and says what happens to the card.
_ABOUT_SOMETHING_ELSE = ABOUT_A_DISPUTE | {
    *WITH_LINKS,
    EmailKind.WAITLIST_JOINED,
    EmailKind.WAITLIST_INVITED,
    EmailKind.WAITLIST_ENDED,
    EmailKind.KITCHEN_SHEET,
    *(EmailKind(kind.value) for kind in NoticeKind),
    EmailKind.FRAUD_WARNING,
}
ABOUT_AN_ORDER = tuple(kind for kind in EmailKind if kind not in _ABOUT_SOMETHING_ELSE)


class WaitlistStatus(models.TextChoices):
    """The state of a waitlist entry for a full offer (decision 29)."""

    WAITING = "waiting", "Waiting"
    INVITED = "invited", "Portions kept"  # reserved for them until `reserved_until`
    TAKEN = "taken", "Ordered"
    LEFT = "left", "Left"
    LAPSED = "lapsed", "Didn't order in time"
    ENDED = "ended", "No portions opened up"


ON_WAITLIST = frozenset({WaitlistStatus.WAITING, WaitlistStatus.INVITED})


GUEST = "guest"  # as the actor of a change


class ReasonCode(models.TextChoices):
    """Why the program changed an order. Payment providers' own codes are stored beside these."""

    CHECKOUT_ABANDONED = "checkout_abandoned", "The guest left the checkout"
    CHECKOUT_NOT_OPENED = "checkout_not_opened", "The checkout page could not be opened"
    CHECKOUT_UNREADABLE = "checkout_unreadable", "Stripe couldn't say how the checkout ended"
    CHECKOUT_EXPIRED = "checkout_expired", "Checkout ended without a card"
    PROVIDER_UNREACHABLE = "provider_unreachable", "Stripe didn't respond"
    GUEST_UNKNOWN = "guest_unknown", "The checkout ended before the guest gave their name"
    WENT_AHEAD = "went_ahead", "The special goes ahead"
    GUARANTEED = "guaranteed", "Guaranteed by the restaurant"
    MINIMUM_MET = "minimum_met", "The minimum was met"
    MINIMUM_MISSED = "minimum_missed", "The special didn't reach its minimum"
    ALTERNATIVE_SERVED = "alternative_served", "The alternative is served"
    ALTERNATIVE_CHEAPER = "alternative_cheaper", "The alternative costs less"
    SERVE_DATE_OVER = "serve_date_over", "The day was over before the card was charged"
    REFUND_RETURNED = "refund_returned", "The guest's bank returned the refund"
    GIVEN_UP = "given_up", "Ended by the platform because the card couldn't be charged"
    NOT_PAID_IN_TIME = "not_paid_in_time", "The guest didn't pay in time"
    CANCELLED = "cancelled", "The order was canceled first"
    OFFER_CANCELLED = "offer_cancelled", "The restaurant canceled the special"
    RESTAURANT_SUSPENDED = "restaurant_suspended", "Fully Booked suspended the restaurant"
    RELEASED_FIRST = "released_first", "The guest released the hold to make room for a new one"
    NOT_REPLACED = "not_replaced", "No new hold was placed in time"
    SOLD_OUT = "sold_out", "The portions were gone before the card was added"
    TOO_MANY_DECLINES = "too_many_declines", "Too many cards were declined"
    REFUNDED = "refunded", "Refunded"
    DISPUTE_LOST = "dispute_lost", "The guest's bank paid the charge back"
    DISPUTE_WON = "dispute_won", "The guest's bank returned the charge"


class DisputeStatus(models.TextChoices):
    """Stripe's status of a dispute: https://docs.stripe.com/api/disputes/object

    The warnings are inquiries: the bank asks, and no money has moved.
    """

    WARNING_NEEDS_RESPONSE = "warning_needs_response", "The bank asks"
    WARNING_UNDER_REVIEW = "warning_under_review", "The bank reviews the answer"
    WARNING_CLOSED = "warning_closed", "Inquiry closed"
    NEEDS_RESPONSE = "needs_response", "Needs an answer"
    UNDER_REVIEW = "under_review", "The bank reviews the evidence"
    WON = "won", "Won"
    LOST = "lost", "Lost"
    PREVENTED = "prevented", "Prevented"


INQUIRY_STATUSES = frozenset(
    {
        DisputeStatus.WARNING_NEEDS_RESPONSE,
        DisputeStatus.WARNING_UNDER_REVIEW,
        DisputeStatus.WARNING_CLOSED,
    }
)
AWAITING_ANSWER = frozenset({DisputeStatus.NEEDS_RESPONSE, DisputeStatus.WARNING_NEEDS_RESPONSE})
OPEN_DISPUTES = AWAITING_ANSWER | {
    DisputeStatus.UNDER_REVIEW,
    DisputeStatus.WARNING_UNDER_REVIEW,
}
_DECIDED_DISPUTES = frozenset({DisputeStatus.WON, DisputeStatus.LOST, DisputeStatus.PREVENTED})
_CHARGEBACK = frozenset({DisputeStatus.NEEDS_RESPONSE, DisputeStatus.UNDER_REVIEW})
# Stripe's object is read again for every event, so several steps can be seen as one. A closed
# inquiry can still become a chargeback, and a bank can give in after its decision.
DISPUTE_ALLOWED: Allowed = {
    DisputeStatus.WARNING_NEEDS_RESPONSE: _CHARGEBACK
    | _DECIDED_DISPUTES
    | {DisputeStatus.WARNING_UNDER_REVIEW, DisputeStatus.WARNING_CLOSED},
    DisputeStatus.WARNING_UNDER_REVIEW: _CHARGEBACK
    | _DECIDED_DISPUTES
    | {DisputeStatus.WARNING_CLOSED},
    DisputeStatus.WARNING_CLOSED: _CHARGEBACK | _DECIDED_DISPUTES,
    DisputeStatus.NEEDS_RESPONSE: _DECIDED_DISPUTES | {DisputeStatus.UNDER_REVIEW},
    DisputeStatus.UNDER_REVIEW: _DECIDED_DISPUTES,
    DisputeStatus.LOST: frozenset({DisputeStatus.WON}),
}
