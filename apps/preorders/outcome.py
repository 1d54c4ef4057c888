"""What became of an order and of the card, in plain words, for every state there is."""

from dataclasses import dataclass

from apps.common import formats
from apps.offers.presenting import Special
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PreOrder
from apps.preorders.pricing import price_alternative
from apps.preorders.states import OperationKind, PaymentStatus, PreOrderStatus

SUCCESS_TITLE = "Payment Successful!"  # T41, kept by DECISIONS X20; the text says what it means
CHECK_EVERY = 4  # seconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """`tone` is a notice's colour; `next_step` a button's text, which leads to the checkout."""

    title: str
    headline: str
    text: str
    tone: str
    refresh: int | None = None
    next_step: str = ""


def outcome_of(order: PreOrder, special: Special) -> Outcome:
    """What the confirmation page says about the order."""
    total = formats.money(order.total_amount)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            return _in_checkout(order)
        case PaymentStatus.AUTHORIZED:
            return _held(order, special, total)
        case PaymentStatus.CAPTURED:
            return _charged(order, special, total)
        case PaymentStatus.CAPTURE_FAILED:
            return Outcome(
                "Your payment needs you",
                "Your bank declined the charge. You were not charged",
                f"{order.served_name} is on. We have sent you a letter with a link to pay {total} "
                "with this or another card. Without it the order is cancelled and you pay nothing.",
                "berry",
            )
        case PaymentStatus.RELEASED:
            return _released(order, special, total)
        case PaymentStatus.REFUNDED:
            return Outcome(
                "Refunded",
                f"Your {total} is on its way back",
                "All of it goes to the card you paid with, usually within 5 to 10 days.",
                "",
            )


def _in_checkout(order: PreOrder) -> Outcome:
    if order.status == PreOrderStatus.CANCELLED:
        return Outcome(
            "This order was not finished",
            "Nothing was held and nothing was charged",
            "The checkout ended before a card was confirmed. You can order again while the special "
            "is open.",
            "",
        )
    waiting = order.payment_status == PaymentStatus.REQUIRES_ACTION
    return Outcome(
        "One moment",
        "Your bank wants to check that it is you" if waiting else "We are checking with your bank",
        "This page looks again by itself. Nothing has been charged. If you have not finished the "
        "checkout, go on with it.",
        "honey",
        refresh=CHECK_EVERY,
        next_step="Go on with the checkout" if order.checkout_url else "",
    )


def _held(order: PreOrder, special: Special, total: str) -> Outcome:
    status = special.offer.status
    if order.status == PreOrderStatus.CANCELLED:
        return Outcome(
            "This order is cancelled",
            "You will not be charged",
            f"The hold of {total} on your card is being released.",
            "",
            refresh=CHECK_EVERY,
        )
    if order.serves_alternative:
        return Outcome(
            SUCCESS_TITLE,
            f"You get {order.served_name}",
            f"Not enough guests booked {special.offer.name}, so you are served {order.served_name} "
            f"instead, as you chose. {total} of the hold on your card is becoming a charge.",
            "herb",
            refresh=CHECK_EVERY,
        )
    if status in (OfferStatus.FAILED, OfferStatus.DELETED):
        return Outcome(
            "Not this time",
            "You will not be charged",
            f"The hold of {total} on your card is being released.",
            "",
            refresh=CHECK_EVERY,
        )
    if status == OfferStatus.SUCCEEDED:
        return Outcome(
            SUCCESS_TITLE,
            "It's on",
            f"{_enough(special)}The hold of {total} on your card is becoming a charge; we "
            "write to you when it is done.",
            "herb",
            refresh=CHECK_EVERY,
        )
    if not special.is_open:
        return Outcome(
            SUCCESS_TITLE,
            "Your card is held, not charged",
            f"The deadline has passed and the portions are being counted. {total} is charged only "
            "if there are enough; otherwise the hold is released.",
            "honey",
            refresh=CHECK_EVERY,
        )
    otherwise = "If they are not, the hold is released and you pay nothing. "
    if special.offer.goes_ahead:
        otherwise = ""
    elif price := price_alternative(order):
        otherwise = (
            f"If they are not, you are served {special.alternative} instead and {price.total} is "
            "charged. "
        )
    return Outcome(
        SUCCESS_TITLE,
        "Your card is held, not charged",
        f"{total} is charged {special.condition}. {otherwise}We have sent you a confirmation "
        "email.",
        "herb",
    )


def _enough(special: Special) -> str:
    """Said only where it is so: a restaurant may go ahead below the minimum."""
    return "Enough guests booked. " if special.needed == 0 else ""


def _charged(order: PreOrder, special: Special, total: str) -> Outcome:
    day = formats.day(special.offer.serve_date)
    if order.refunded_amount:
        return Outcome(
            "Refunded in part",
            f"{formats.money(order.refunded_amount)} of your {total} is on its way back",
            "It goes to the card you paid with, usually within 5 to 10 days. Your order stands: "
            f"{order.served_name} on {day}.",
            "herb",
        )
    if order.serves_alternative:
        text = (
            f"Not enough guests booked {special.offer.name}, so you are served "
            f"{order.served_name} on {day}, as you chose. Give the order code when you pick up."
        )
    elif special.offer.status in DECIDED:
        text = f"It's on: served on {day}. Give the order code when you pick up."
    else:
        # A hold that would not have lived to the deadline (DECISIONS X12).
        text = (
            f"Enough guests have booked already, so it is on for {day}. Your bank's hold would "
            "have ended before the deadline; that is why the charge came first."
        )
    return Outcome(SUCCESS_TITLE, f"Confirmed. Your card was charged {total}", text, "herb")


def _released(order: PreOrder, special: Special, total: str) -> Outcome:
    asked_for = order.operations.filter(kind=OperationKind.RELEASE).exclude(reason="")
    if asked_for.exists():
        return Outcome(
            "This order is cancelled",
            "You were not charged",
            f"The hold of {total} is released. There is nothing to do. Some banks take a few days "
            "to stop showing a hold.",
            "",
        )
    why = {
        OfferStatus.FAILED: "Not enough guests booked by the deadline, so it is not cooked.",
        OfferStatus.SUCCEEDED: "Your card was confirmed after the pre-orders had been counted.",
        OfferStatus.DELETED: "The restaurant has withdrawn the special.",
    }.get(OfferStatus(special.offer.status), "The hold ended before the special was decided.")
    return Outcome(
        "You were not charged",
        f"The hold of {total} is released",
        f"{why} There is nothing to do. Some banks take a few days to stop showing a hold.",
        "",
    )
