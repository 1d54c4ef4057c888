"""What became of an order and of the card, in plain words, for every state there is."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.offers.presenting import Special
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PreOrder
from apps.preorders.pricing import price_alternative
from apps.preorders.states import OperationKind, PaymentStatus, PreOrderStatus

# T41, kept by DECISIONS X20; the text says what it means.
SUCCESS_TITLE = gettext_lazy("Payment Successful!")
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
                _("Your payment needs you"),
                _("Your bank declined the charge. You were not charged"),
                _(
                    "%(dish)s is on. We have sent you a letter with a link to pay %(total)s with "
                    "this or another card. Without it the order is cancelled and you pay nothing."
                )
                % {"dish": order.served_name, "total": total},
                "berry",
            )
        case PaymentStatus.RELEASED:
            return _released(order, special, total)
        case PaymentStatus.REFUNDED:
            return Outcome(
                _("Refunded"),
                _("Your %(total)s is on its way back") % {"total": total},
                _("All of it goes to the card you paid with, usually within 5 to 10 days."),
                "",
            )


def _in_checkout(order: PreOrder) -> Outcome:
    if order.status == PreOrderStatus.CANCELLED:
        return Outcome(
            _("This order was not finished"),
            _("Nothing was held and nothing was charged"),
            _(
                "The checkout ended before a card was confirmed. You can order again while the "
                "special is open."
            ),
            "",
        )
    waiting = order.payment_status == PaymentStatus.REQUIRES_ACTION
    return Outcome(
        _("One moment"),
        _("Your bank wants to check that it is you")
        if waiting
        else _("We are checking with your bank"),
        _(
            "This page looks again by itself. Nothing has been charged. If you have not finished "
            "the checkout, go on with it."
        ),
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Go on with the checkout") if order.checkout_url else "",
    )


def _held(order: PreOrder, special: Special, total: str) -> Outcome:
    status = special.offer.status
    if order.status == PreOrderStatus.CANCELLED:
        return Outcome(
            _("This order is cancelled"),
            _("You will not be charged"),
            _("The hold of %(total)s on your card is being released.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if order.serves_alternative:
        return Outcome(
            str(SUCCESS_TITLE),
            _("You get %(dish)s") % {"dish": order.served_name},
            _(
                "Not enough guests booked %(special)s, so you are served %(dish)s instead, as you "
                "chose. %(total)s of the hold on your card is becoming a charge."
            )
            % {"special": special.offer.name, "dish": order.served_name, "total": total},
            "herb",
            refresh=CHECK_EVERY,
        )
    if status in (OfferStatus.FAILED, OfferStatus.DELETED):
        return Outcome(
            _("Not this time"),
            _("You will not be charged"),
            _("The hold of %(total)s on your card is being released.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if status == OfferStatus.SUCCEEDED:
        return Outcome(
            str(SUCCESS_TITLE),
            _("It's on"),
            _enough(special)
            + _(
                "The hold of %(total)s on your card is becoming a charge; we write to you when it "
                "is done."
            )
            % {"total": total},
            "herb",
            refresh=CHECK_EVERY,
        )
    if not special.is_open:
        return Outcome(
            str(SUCCESS_TITLE),
            _("Your card is held, not charged"),
            _(
                "The deadline has passed and the portions are being counted. %(total)s is charged "
                "only if there are enough; otherwise the hold is released."
            )
            % {"total": total},
            "honey",
            refresh=CHECK_EVERY,
        )
    sentences = [
        _("%(total)s is charged %(condition)s.") % {"total": total, "condition": special.condition}
    ]
    if price := price_alternative(order):
        text = _("If they are not, you are served %(dish)s instead and %(total)s is charged.")
        otherwise = text % {"dish": special.alternative, "total": price.total}
    else:
        otherwise = _("If they are not, the hold is released and you pay nothing.")
    if not special.offer.goes_ahead:
        sentences.append(otherwise)
    sentences.append(_("We have sent you a confirmation email."))
    return Outcome(
        str(SUCCESS_TITLE),
        _("Your card is held, not charged"),
        " ".join(sentences),
        "herb",
    )


def _enough(special: Special) -> str:
    """Said only where it is so: a restaurant may go ahead below the minimum."""
    return _("Enough guests booked.") + " " if special.needed == 0 else ""


def _charged(order: PreOrder, special: Special, total: str) -> Outcome:
    day = formats.day(special.offer.serve_date)
    if order.refunded_amount:
        return Outcome(
            _("Refunded in part"),
            _("%(amount)s of your %(total)s is on its way back")
            % {"amount": formats.money(order.refunded_amount), "total": total},
            _(
                "It goes to the card you paid with, usually within 5 to 10 days. Your order "
                "stands: %(dish)s on %(day)s."
            )
            % {"dish": order.served_name, "day": day},
            "herb",
        )
    if order.serves_alternative:
        text = _(
            "Not enough guests booked %(special)s, so you are served %(dish)s on %(day)s, as you "
            "chose. Give the order code when you pick up."
        )
        text %= {"special": special.offer.name, "dish": order.served_name, "day": day}
    elif special.offer.status in DECIDED:
        text = _("It's on: served on %(day)s. Give the order code when you pick up.")
        text %= {"day": day}
    else:
        # A hold that would not have lived to the deadline (DECISIONS X12).
        text = _(
            "Enough guests have booked already, so it is on for %(day)s. Your bank's hold would "
            "have ended before the deadline; that is why the charge came first."
        )
        text %= {"day": day}
    return Outcome(
        str(SUCCESS_TITLE),
        _("Confirmed. Your card was charged %(total)s") % {"total": total},
        text,
        "herb",
    )


def _released(order: PreOrder, special: Special, total: str) -> Outcome:
    asked_for = order.operations.filter(kind=OperationKind.RELEASE).exclude(reason="")
    if asked_for.exists():
        return Outcome(
            _("This order is cancelled"),
            _("You were not charged"),
            _(
                "The hold of %(total)s is released. There is nothing to do. Some banks take a few "
                "days to stop showing a hold."
            )
            % {"total": total},
            "",
        )
    why = {
        OfferStatus.FAILED: _("Not enough guests booked by the deadline, so it is not cooked."),
        OfferStatus.SUCCEEDED: _("Your card was confirmed after the pre-orders had been counted."),
        OfferStatus.DELETED: _("The restaurant has withdrawn the special."),
    }.get(OfferStatus(special.offer.status), _("The hold ended before the special was decided."))
    return Outcome(
        _("You were not charged"),
        _("The hold of %(total)s is released") % {"total": total},
        f"{why} " + _("There is nothing to do. Some banks take a few days to stop showing a hold."),
        "",
    )
