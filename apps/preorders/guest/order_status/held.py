"""An order whose card is held: before the deadline, and until the decision is carried out."""

from datetime import datetime

from django.utils.translation import gettext as _

from apps.common.money import Money
from apps.offers.card_terms import no_charge
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from apps.preorders.checkout.terms import terms_of, terms_of_hold
from apps.preorders.core.decisive import reached_minimum
from apps.preorders.core.quantities import amount_on_hold
from apps.preorders.core.selectors import was_sold_out
from apps.preorders.guest.changes import ends_too_early
from apps.preorders.guest.order_status.text import (
    CANCELLED_TITLES,
    CHECK_EVERY,
    CHECK_LATER,
    FELL_SHORT,
    SUCCESS_TITLE,
    OrderStatus,
    canceled,
    counting_orders,
    in_currency,
    next_moment,
)
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OperationKind, PreOrderStatus
from apps.preorders.settlement.operations import link_ends, pending_pay_link
from apps.preorders.settlement.overdue import OVERDUE_AFTER


def held(order: PreOrder, special: Special, total: str) -> OrderStatus:
    """The card is held; what follows depends on where the special is. The hold can be for more
    than the order costs (decision 26)."""
    status = special.offer.status
    amount = amount_on_hold(order)
    on_hold = in_currency(special, amount)
    rest = _rest(amount, order, on_hold, total)
    if order.status == PreOrderStatus.CANCELLED and was_sold_out(order):
        return OrderStatus(
            _("Sold out"),
            _("Sold out while you were checking out"),
            _(
                "The last portions were ordered by others before your card was held. We're "
                "releasing the hold of %(total)s, and you pay nothing."
            )
            % {"total": on_hold},
            "",
            refresh=CHECK_EVERY,
        )
    if order.status == PreOrderStatus.CANCELLED:
        return _being_released(_("This order is canceled"), canceled(order, special), on_hold)
    if order.serves_alternative:
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("You're getting %(dish)s") % {"dish": order.served_name},
            _(
                "%(special)s didn't get enough orders, so you'll get %(dish)s instead, as you "
                "chose. We're charging your card %(total)s and releasing the rest of the hold."
            )
            % {"special": order.sold.spoken_name, "dish": order.served_name, "total": total},
            "herb",
            refresh=CHECK_EVERY,
        )
    if status in CANCELLED_TITLES:
        ended = FELL_SHORT if status == OfferStatus.FAILED else canceled(order, special)
        return _being_released(_("Not this time"), str(ended), on_hold)
    if status == OfferStatus.SUCCEEDED:
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("It's on"),
            _enough(special)
            + _("We're charging your card %(total)s and will email you when it's done.")
            % {"total": total}
            + rest,
            "herb",
            refresh=CHECK_EVERY,
        )
    if not special.is_open and special.now >= special.offer.deadline + OVERDUE_AFTER:
        # Settlement is paused, or something is broken: no promise about when (decision 80).
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("This is taking longer than usual"),
            _(
                "Your order is in. Your card is held for %(total)s and isn't charged yet. We'll "
                "email you as soon as it's decided. If we can't decide before your bank's hold "
                "ends or the day is over, you pay nothing."
            )
            % {"total": on_hold}
            + rest,
            "honey",
            refresh=CHECK_LATER,
        )
    if not special.is_open:
        return counting_orders(terms_of(order, special.now) + rest)
    renewal = pending_pay_link(order, OperationKind.RENEW) if ends_too_early(order) else None
    if renewal:
        return _to_be_renewed(special, link_ends(renewal), on_hold, rest)
    is_made = reached_minimum(order, special.offer)
    headline = _("You made %(dish)s happen!") if is_made else _("You're in for %(dish)s")
    return OrderStatus(
        str(SUCCESS_TITLE),
        headline % {"dish": order.served_name},
        no_charge(special.offer, special.now) + rest
        if rest
        else terms_of_hold(order, special.now, total=total),
        "card",
        made_it_happen=is_made,
    )


def _being_released(title: str, headline: str, on_hold: str) -> OrderStatus:
    """The order has ended; its hold is gone in a moment. The headline is what it will be then."""
    text = _(
        "We're releasing the hold of %(held)s on your card. You pay nothing, and you don't need to "
        "do anything. The hold can stay visible in your banking app for a few days."
    )
    return OrderStatus(title, headline, text % {"held": on_hold}, "", refresh=CHECK_EVERY)


def _rest(amount: Money, order: PreOrder, on_hold: str, total: str) -> str:
    """That the hold is for more than the order costs, with a space before; empty otherwise."""
    if amount <= Money.of(order.total_amount):
        return ""
    return " " + _(
        "Your bank still holds %(held)s, but we'll charge %(total)s at most and release the rest."
    ) % {"held": on_hold, "total": total}


def _to_be_renewed(special: Special, until: datetime, on_hold: str, rest: str) -> OrderStatus:
    """A hold that ends too early, whose bank wants the guest to confirm (DECISIONS X12)."""
    return OrderStatus(
        _("Your payment needs attention"),
        _("Renew the hold on your card"),
        _(
            "Your bank's hold of %(total)s ends before the deadline, %(deadline)s. Renew it to "
            "keep your order. If you don't, the order ends with the hold and you pay nothing."
        )
        % {"total": on_hold, "deadline": special.deadline}
        + rest,
        "honey",
        moment=next_moment(_("Renew it by %(moment)s"), until, special),
    )


def _enough(special: Special) -> str:
    """Said only where it is true: a restaurant may go ahead below the minimum."""
    return _("Enough guests ordered.") + " " if special.needed == 0 else ""
