"""An order whose hold was released."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.offers.presentation import Special
from apps.offers.states import UNDECIDED, OfferStatus
from apps.preorders.core.quantities import amount_on_hold
from apps.preorders.core.selectors import ended_too_late, was_sold_out
from apps.preorders.guest.order_status.dinner import fell_short
from apps.preorders.guest.order_status.text import (
    CANCELED,
    CANCELLED_TITLES,
    FELL_SHORT,
    OrderStatus,
    canceled,
    in_currency,
)
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, ReasonCode


def released(order: PreOrder, special: Special) -> OrderStatus:
    """Nobody was charged, and why."""
    operations = list(order.operations.all())
    kinds = {each.kind: each.actor for each in operations}
    headline, why = _("You weren't charged"), ""
    title = headline
    on_hold = in_currency(special, amount_on_hold(order))
    if hold_lapsed(order):
        return OrderStatus(
            _("This order has ended"),
            _("Order ended. You weren't charged"),
            _(
                "Your bank's hold of %(total)s ended before the deadline, and your order with it. "
                "You don't need to do anything."
            )
            % {"total": on_hold},
            "",
        )
    if ended_too_late(order, operations):
        headline = str(CANCELED)
        why = _("We couldn't complete your order in time.")
    elif was_sold_out(order):
        title = _("Sold out")
        headline = _("Sold out while you were checking out")
        why = _("The last portions were ordered by others before your card was held.")
    elif kinds.get(OperationKind.RELEASE) or _was_cancelled(operations):
        title = _("This order is canceled")
        headline = canceled(order, special)
    elif OperationKind.CAPTURE in kinds and special.offer.status not in CANCELLED_TITLES:
        headline = str(CANCELED)
        why = _("Your bank declined the charge, and no payment arrived in time.")
    elif special.offer.status == OfferStatus.FAILED:
        headline = str(FELL_SHORT)
        # Above it, the seats say how many were missing.
        is_counted = fell_short(order, special)
        why = "" if is_counted else _("It didn't get enough orders by the deadline.")
    elif special.offer.status == OfferStatus.DELETED:
        headline = str(CANCELED)
        why = _("The restaurant withdrew the special.")
    else:
        why = _("Your card was confirmed after the orders had been counted.")
    rest = _(
        "We released the hold of %(held)s on your card and charged nothing. You don't need to do "
        "anything. The hold can stay visible in your banking app for a few days."
    ) % {"held": on_hold}
    return OrderStatus(title, headline, f"{why} {rest}".strip(), "")


def hold_lapsed(order: PreOrder) -> bool:
    """Whether the hold of a released order ended by itself, before the deadline."""
    if any(each.kind in SETTLEMENT_KINDS for each in order.operations.all()) or was_sold_out(order):
        return False
    ended = order.payment_processed_at
    return order.offer.status in UNDECIDED or bool(ended and ended < order.offer.deadline)


def _was_cancelled(operations: Iterable[PaymentOperation]) -> bool:
    """Whether somebody canceled the order while an early charge was under way."""
    return any(each.error == ReasonCode.CANCELLED for each in operations)
