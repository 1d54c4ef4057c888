"""An order whose card was charged, or should have been: disputed, refunded, picked up, declined."""

from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.presentation import Special
from apps.offers.states import DECIDED
from apps.preorders.checkout.terms import terms_of
from apps.preorders.guest.order_status.dinner import is_day_over
from apps.preorders.guest.order_status.text import (
    CHECK_EVERY,
    SUCCESS_TITLE,
    OrderStatus,
    counting_orders,
    in_currency,
    next_moment,
)
from apps.preorders.guest.rating import can_rate
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus, PreOrderStatus
from apps.preorders.settlement.alarms import (
    is_refund_delayed,
    is_refund_owed,
    is_refund_stuck,
    was_refund_returned,
)
from apps.preorders.settlement.operations import link_ends, pending_pay_link


def charged(order: PreOrder, special: Special, total: str) -> OrderStatus:
    """Charged, and perhaps refunded in part."""
    return (
        _refund_returned(order, special)
        or _being_refunded(order, special, total)
        or _paid(order, special, total)
    )


def refunded(total: str) -> OrderStatus:
    """Refunded in whole."""
    return OrderStatus(
        _("Refunded"),
        _("We refunded your %(total)s") % {"total": total},
        _("It goes to the card you paid with, usually within 5 to 10 days."),
        "",
    )


def _paid(order: PreOrder, special: Special, total: str) -> OrderStatus:
    day = formats.day(special.offer.serve_date)
    if order.disputed_amount:
        return OrderStatus(
            _("Payment disputed"),
            _("Your bank took the payment back"),
            _(
                "Your payment of %(total)s was disputed, so the restaurant doesn't have it. If "
                "that's a mistake, ask your bank to withdraw the dispute, then call the restaurant."
            )
            % {"total": total}
            + _while_disputed(order, special),
            "berry",
        )
    if order.status == PreOrderStatus.CANCELLED and is_refund_stuck(order):
        return OrderStatus(
            _("This order is canceled"),
            _("We haven't refunded your %(total)s yet") % {"total": total},
            _(
                "The refund couldn't be made. You don't need to do anything: we're looking into it "
                "and will contact you."
            ),
            "berry",
        )
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order is canceled"),
            _("Order canceled. We're refunding your %(total)s") % {"total": total},
            _("It goes to the card you paid with, usually within 5 to 10 days."),
            "",
            refresh=CHECK_EVERY,
        )
    if order.refunded_amount:
        return OrderStatus(
            _("Partly refunded"),
            _("We refunded %(amount)s of your %(total)s")
            % {"amount": in_currency(special, order.refunded_amount), "total": total},
            _("It goes to the card you paid with, usually within 5 to 10 days.")
            + _stands(order, special),
            "herb",
        )
    if order.status == PreOrderStatus.NO_SHOW:
        return _missed(order, total, day)
    if order.status == PreOrderStatus.FULFILLED or is_day_over(order, special.now):
        headline = _("Enjoy your meal!")
        if is_day_over(order, special.now):
            can_answer = can_rate(order, now=special.now)
            headline = _("How was %(dish)s?") if can_answer else _("You had %(dish)s")
            headline %= {"dish": order.served_name}
        return OrderStatus(
            headline,
            headline,
            _("We charged your card %(total)s. Your order is paid, tax included.")
            % {"total": total},
            "herb",
            is_about_meal=True,
        )
    brief = ""
    if order.serves_alternative:
        text = _(
            "%(special)s didn't get enough orders, so you're getting the dish you chose instead."
        )
        text %= {"special": order.sold.spoken_name}
        headline = _("You're getting %(dish)s") % {"dish": order.served_name}
    elif special.offer.status in DECIDED:
        headline = _("%(dish)s is on") % {"dish": order.served_name}
        text = _("Your order is paid, tax included.")
        brief = _("It's on")
    elif not special.is_open:
        return counting_orders(terms_of(order, special.now))
    else:
        # The hold would have ended before the deadline (DECISIONS X12).
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("You're in for %(dish)s") % {"dish": order.served_name},
            terms_of(order, special.now),
            "herb",
        )
    return OrderStatus(
        str(SUCCESS_TITLE),
        headline,
        _("We charged your card %(total)s.") % {"total": total} + " " + text,
        "herb",
        below_its_dish=brief,
    )


def _stands(order: PreOrder, special: Special) -> str:
    """That the guest still gets the order, as long as that is to come; with a space before."""
    if order.status == PreOrderStatus.CANCELLED or is_day_over(order, special.now):
        return ""
    return " " + _("Your order stands: %(dish)s.") % {"dish": order.served_name}


def _while_disputed(order: PreOrder, special: Special) -> str:
    """The same for an order whose payment is disputed: that it may be refused."""
    if is_day_over(order, special.now):
        return ""
    return " " + _("Until then you may not get the order.")


def _missed(order: PreOrder, total: str, day: str) -> OrderStatus:
    title, headline = _("Not picked up"), _("Your order wasn't picked up")
    text = _(
        "It was ready on %(day)s, and we charged your card %(total)s. If you did pick it up or are "
        "on your way, call the restaurant."
    )
    if order.is_eaten_there:
        title = headline = _("We missed you")
        text = _(
            "Your meal was ready on %(day)s, and we charged your card %(total)s. If you did come "
            "or are on your way, call the restaurant."
        )
    return OrderStatus(title, headline, text % {"day": day, "total": total}, "honey")


def capture_failed(order: PreOrder, special: Special, total: str) -> OrderStatus:
    """The card is tried once more on its own, then the guest gets a payment link (design §3)."""
    title = _("Your payment needs attention")
    headline = _("Your payment didn't go through")
    link = pending_pay_link(order, OperationKind.CAPTURE)
    facts = {"dish": order.served_name, "total": total}
    if link is None:
        text = _(
            "%(dish)s is on, but your bank declined the charge. We're trying once more; if it "
            "declines again, we'll email you a link to pay with this or another card."
        )
        return OrderStatus(title, headline, text % facts, "berry", refresh=CHECK_EVERY)
    text = _(
        "It's on, but your bank declined the charge. You haven't paid, and nothing is held. Pay "
        "%(total)s with this or another card, or we'll cancel your order."
    )
    pay_by = next_moment(_("Pay by %(moment)s"), link_ends(link), special)
    return OrderStatus(title, headline, text % facts, "berry", moment=pay_by)


def _refund_returned(order: PreOrder, special: Special) -> OrderStatus | None:
    """A refund that failed, mostly because the guest's bank sent it back; a person pays it another
    way."""
    if not order.returned_amount or not was_refund_returned(order):
        return None
    amount = {"amount": in_currency(special, order.returned_amount)}
    stands = _stands(order, special)
    if is_refund_owed(order):
        return OrderStatus(
            _("Refund not received"),
            _("Our refund of %(amount)s didn't reach you") % amount,
            _(
                "You don't have this money yet. We'll pay it to you another way and contact you "
                "about it."
            )
            + stands,
            "berry",
        )
    return OrderStatus(
        _("Refunded"),
        _("We paid your refund of %(amount)s another way") % amount,
        _("The first one didn't reach your card.") + stands,
        "",
    )


def pending_refund(order: PreOrder) -> PaymentOperation | None:
    """The refund that Stripe hasn't finished, from what was prefetched."""
    pending = (
        each
        for each in order.operations.all()
        if each.kind == OperationKind.REFUND and each.state == OperationStatus.PENDING
    )
    return next(pending, None)


def is_whole(refund: PaymentOperation | None) -> bool:
    """Whether it refunds all that is left, which ends the order."""
    return refund is not None and refund.amount is None


def _being_refunded(order: PreOrder, special: Special, total: str) -> OrderStatus | None:
    """A refund that Stripe hasn't finished: seconds as a rule, at times days."""
    refund = pending_refund(order)
    if refund is None:
        return None
    sent = _(
        "It's on its way to the card you paid with, and we'll email you when your bank has it."
    )
    if is_refund_delayed(order):
        sent = _(
            "It's taking longer than usual because of a problem on our side. You don't need to do "
            "anything: it goes to the card you paid with, and we'll email you when your bank has "
            "it."
        )
    if refund.amount is None or order.status == PreOrderStatus.CANCELLED:
        left = in_currency(special, refund.amount or order.total_amount - order.refunded_amount)
        was_served = order.status in (PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW)
        return OrderStatus(
            _("Refund in progress"),
            _("We're refunding your %(amount)s") % {"amount": left},
            sent + ("" if was_served else " " + _("This order has ended.")),
            "honey",
        )
    return OrderStatus(
        _("Partial refund in progress"),
        _("We're refunding %(amount)s of your %(total)s")
        % {"amount": in_currency(special, refund.amount), "total": total},
        sent + _stands(order, special),
        "herb",
    )
