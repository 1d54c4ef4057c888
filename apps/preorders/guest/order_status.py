"""What became of an order and of the card, in plain words, for every state there is."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.common.money import Money
from apps.offers.presentation import Special
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.cart_items import (
    authorization_for,
    can_be_authorized,
    cart_item_outcome,
    finish_until,
)
from apps.preorders.core.pricing import price_alternative
from apps.preorders.guest.changes import ends_too_early
from apps.preorders.models import PreOrder
from apps.preorders.models.states import (
    CartItemStatus,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.operations import link_ends, pending_pay_link

# T41, kept by DECISIONS X20; the text says what it means.
SUCCESS_TITLE = gettext_lazy("Payment Successful!")
CHECK_EVERY = 4  # seconds
CANCELLED_TITLES = frozenset({OfferStatus.FAILED, OfferStatus.DELETED})


@dataclass(frozen=True, slots=True)
class OrderStatus:
    """`tone` is a notice's colour; `next_step` the text of the button that leads to where a card is
    given (`changing.page_to_finish`)."""

    title: str
    headline: str
    text: str
    tone: str
    refresh: int | None = None
    next_step: str = ""


def order_status(order: PreOrder, special: Special) -> OrderStatus:
    """What the confirmation page says about the order."""
    total = _say(special, order.total_amount)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            return (
                _line_in_checkout(order, special) if order.cart_id else _in_checkout(order, special)
            )
        case PaymentStatus.AUTHORIZED:
            return _held(order, special, total)
        case PaymentStatus.CAPTURED:
            return _charged(order, special, total)
        case PaymentStatus.CAPTURE_FAILED:
            return _capture_failed(order, special, total)
        case PaymentStatus.RELEASED:
            return _released(order, special, total)
        case PaymentStatus.REFUNDED:
            return OrderStatus(
                _("Refunded"),
                _("Your %(total)s is on its way back") % {"total": total},
                _("All of it goes to the card you paid with, usually within 5 to 10 days."),
                "",
            )


def _not_finished(why: str) -> OrderStatus:
    return OrderStatus(
        _("This order was not finished"), _("Nothing was held and nothing was charged"), why, ""
    )


def _line_in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    """A line of a cart whose card is not held, or not yet (X23)."""
    placing = authorization_for(order)
    state = cart_item_outcome(order, placing).state
    if not can_be_authorized(order, special.now):
        refused = placing is not None and placing.state == OperationStatus.FAILED
        return _not_finished(
            _(
                "Your bank did not hold your card, and the time to give another one is over. Your "
                "other orders are not touched by this."
            )
            if refused
            else _("The checkout ended before a card was confirmed.")
        )
    facts = {
        "total": _say(special, order.total_amount),
        "dish": order.served_name,
        "until": formats.moment(finish_until(order), special.restaurant.zone),
    }
    if state is CartItemStatus.DECLINED:
        return OrderStatus(
            _("This order is not finished"),
            _("Your card was declined"),
            _(
                "Your bank did not hold %(total)s for %(dish)s. Nothing is held for it and nothing "
                "was charged. Give this or another card by %(until)s: until then the portions are "
                "kept for you."
            )
            % facts,
            "berry",
            next_step=_("Give a card"),
        )
    if state is CartItemStatus.REQUIRES_ACTION:
        return OrderStatus(
            _("This order is not finished"),
            _("Your bank wants to check that it is you"),
            _(
                "Until you answer, nothing is held for %(dish)s and nothing is charged. Answer by "
                "%(until)s: until then the portions are kept for you."
            )
            % facts,
            "honey",
            next_step=_("Confirm with your bank"),
        )
    is_asked = placing is not None and placing.state == OperationStatus.PENDING
    if is_asked:
        return OrderStatus(
            _("One moment"),
            _("We are checking with your bank"),
            _("This page looks again by itself. Nothing has been charged."),
            "honey",
            refresh=CHECK_EVERY,
        )
    return OrderStatus(
        _("This order is not finished"),
        _("No card is held yet"),
        _(
            "Nothing was charged. The portions are kept for you until %(until)s; if no card is "
            "held by then, the order ends and you pay nothing."
        )
        % facts,
        "honey",
        # One of several lines waits for the cart's card, which its own tab asks for.
        next_step=_("Go on with the checkout") if order.payment_intent_id else "",
    )


def _in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    if order.status == PreOrderStatus.CANCELLED:
        return _not_finished(
            _(
                "The checkout ended before a card was confirmed. You can order again while the "
                "special is open."
            )
        )
    until = formats.moment(finish_until(order), special.restaurant.zone)
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        headline = _("Your bank wants to check that it is you")
        text = _(
            "Until you answer, nothing is held and nothing is charged. Go on with the checkout by "
            "%(until)s: until then the portions are kept for you. This page looks again by itself."
        )
    else:
        headline = _("Your order waits for a card")
        text = _(
            "We have not heard of one yet, and nothing was charged. If you have just given it, "
            "this page looks again by itself. Otherwise go on with the checkout by %(until)s: "
            "until then the portions are kept for you."
        )
    return OrderStatus(
        _("One moment"),
        headline,
        text % {"until": until},
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Go on with the checkout") if order.checkout_url else "",
    )


def _capture_failed(order: PreOrder, special: Special, total: str) -> OrderStatus:
    """The card is asked once more without the diner, then the diner is (design §3)."""
    title = _("Your payment needs you")
    headline = _("Your bank declined the charge. You were not charged")
    link = pending_pay_link(order, OperationKind.CAPTURE)
    facts = {"dish": order.served_name, "total": total}
    if link is None:
        text = _(
            "%(dish)s is on. We are asking your bank once more; if it says no again, we send you a "
            "link to pay with this or another card."
        )
        return OrderStatus(title, headline, text % facts, "berry", refresh=CHECK_EVERY)
    text = _(
        "%(dish)s is on. Pay %(total)s with this or another card by %(until)s to keep your order; "
        "the link is in the letter we sent you. After that it is cancelled and you pay nothing."
    )
    facts["until"] = formats.moment(link_ends(link), special.restaurant.zone)
    return OrderStatus(title, headline, text % facts, "berry")


def _held(order: PreOrder, special: Special, total: str) -> OrderStatus:
    status = special.offer.status
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order is cancelled"),
            _("You will not be charged"),
            _("The hold of %(total)s on your card is being released.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if order.serves_alternative:
        return OrderStatus(
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
    if status in CANCELLED_TITLES:
        return OrderStatus(
            _("Not this time"),
            _("You will not be charged"),
            _("The hold of %(total)s on your card is being released.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if status == OfferStatus.SUCCEEDED:
        return OrderStatus(
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
        return OrderStatus(
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
    renewal = pending_pay_link(order, OperationKind.RENEW) if ends_too_early(order) else None
    if renewal:
        return _to_be_renewed(order, special, link_ends(renewal), total)
    sentences = [
        _("%(total)s is charged %(condition)s.") % {"total": total, "condition": special.condition}
    ]
    if price := price_alternative(order):
        text = _("If they are not, you are served %(dish)s instead and %(total)s is charged.")
        otherwise = text % {"dish": special.alternative, "total": _say(special, price.total)}
    else:
        otherwise = _("If they are not, the hold is released and you pay nothing.")
    if not special.offer.goes_ahead:
        sentences.append(otherwise)
    sentences.append(_("We have sent you a confirmation email."))
    return OrderStatus(
        str(SUCCESS_TITLE),
        _("Your card is held, not charged"),
        " ".join(sentences),
        "herb",
    )


def _to_be_renewed(order: PreOrder, special: Special, until: datetime, total: str) -> OrderStatus:
    """A hold that would end too early, of a card whose bank wants its holder (DECISIONS X12)."""
    return OrderStatus(
        _("Your payment needs you"),
        _("Renew the hold on your card"),
        _(
            "Your bank's hold of %(total)s ends before it is decided, on %(deadline)s. Renew it by "
            "%(until)s to keep your order. If you do not, the order ends with the hold and you pay "
            "nothing."
        )
        % {
            "total": total,
            "deadline": special.deadline,
            "until": formats.moment(until, special.restaurant.zone),
        },
        "honey",
    )


def _say(special: Special, amount: Decimal | Money) -> str:
    return formats.money(amount, special.restaurant.currency)


def _enough(special: Special) -> str:
    """Said only where it is so: a restaurant may go ahead below the minimum."""
    return _("Enough guests booked.") + " " if special.needed == 0 else ""


def _charged(order: PreOrder, special: Special, total: str) -> OrderStatus:
    day = formats.day(special.offer.serve_date)
    if order.refunded_amount:
        return OrderStatus(
            _("Refunded in part"),
            _("%(amount)s of your %(total)s is on its way back")
            % {"amount": _say(special, order.refunded_amount), "total": total},
            _(
                "It goes to the card you paid with, usually within 5 to 10 days. Your order "
                "stands: %(dish)s on %(day)s."
            )
            % {"dish": order.served_name, "day": day},
            "herb",
        )
    if order.status == PreOrderStatus.FULFILLED:
        return OrderStatus(
            _("Picked up"),
            _("Picked up. Enjoy your meal"),
            _("Your card was charged %(total)s. Nothing more is due.") % {"total": total},
            "herb",
        )
    if order.status == PreOrderStatus.NO_SHOW:
        return OrderStatus(
            _("Not picked up"),
            _("Your order was not picked up"),
            _(
                "It was ready on %(day)s, and your card was charged %(total)s. If that is not so, "
                "or you are on your way, call the restaurant."
            )
            % {"day": day, "total": total},
            "honey",
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
    return OrderStatus(
        str(SUCCESS_TITLE),
        _("Confirmed. Your card was charged %(total)s") % {"total": total},
        text,
        "herb",
    )


def _released(order: PreOrder, special: Special, total: str) -> OrderStatus:
    kinds = {each.kind: each.reason for each in order.operations.all()}
    headline, why = _("You were not charged"), ""
    title = headline
    if kinds.get(OperationKind.RELEASE):  # somebody asked for it, and said why
        title = _("This order is cancelled")
        headline = _("Order cancelled. You were not charged")
    elif OperationKind.CAPTURE in kinds and special.offer.status not in CANCELLED_TITLES:
        headline = _("Order cancelled. You were not charged")
        why = _("Your bank declined the charge, and no payment arrived in time.")
    elif special.offer.status == OfferStatus.FAILED:
        headline = _("Not this time. You were not charged")
        why = _("Not enough guests booked by the deadline, so it is not cooked.")
    elif special.offer.status == OfferStatus.DELETED:
        why = _("The restaurant has withdrawn the special.")
    elif special.offer.status == OfferStatus.SUCCEEDED:
        why = _("Your card was confirmed after the pre-orders had been counted.")
    else:
        why = _("The hold ended before the special was decided.")
    rest = _(
        "The hold of %(total)s is released. There is nothing to do. Some banks take a few days to "
        "stop showing a hold."
    ) % {"total": total}
    return OrderStatus(title, headline, f"{why} {rest}".strip(), "")
