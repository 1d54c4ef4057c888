"""Giving a charge back, in whole or in part, because a person of the restaurant says so."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from apps.billing.fees import Fees, refunded_fees
from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import reason_of, request_refund
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus, PaymentStatus

# A second press of the button is not a second refund.
PRESSED_TWICE = timedelta(seconds=30)

NOT_CHARGED = {
    PaymentStatus.UNPAID: "No card was given for this order yet, so there is nothing to refund. "
    "Cancel it instead.",
    PaymentStatus.REQUIRES_ACTION: "The guest's bank has not agreed yet, so there is nothing to "
    "refund. Cancel the order instead.",
    PaymentStatus.AUTHORIZED: "This card is held, not charged, so there is nothing to refund. "
    "Before the deadline you can cancel the order; the hold is then released.",
    PaymentStatus.CAPTURE_FAILED: "This card was not charged, so there is nothing to refund.",
    PaymentStatus.RELEASED: "This card was never charged, so there is nothing to refund.",
    PaymentStatus.REFUNDED: "All of this order has been refunded already.",
}


def refund_order(
    *, order: PreOrder, amount: Money | None, reason: str, by: str, now: datetime
) -> PreOrder:
    """Write down that `amount` of the order's charge goes back, None: all that is left of it.

    A worker carries it out; `payment_status` and `refunded_amount` change when the processor has
    done it, and the diner gets a letter then. The order stands as long as a part of its charge is
    left. `by` is who asked, `reason` why; both are kept. The order must be one the caller may see.

    Raises Conflict when the order was not charged, or a refund of it is under way or was made the
    same way a moment ago; Invalid for an amount that is nothing or more than is left, or a reason
    too long to be kept.
    """
    why = reason_of(reason, by)
    with transaction.atomic():
        locked = lock_order(order.pk)
        _check_charged(locked)
        _check_not_pressed_twice(locked, amount, why, now)
        left = _left_after_check(locked, amount)
        up_to = None
        if amount is not None and amount < left:
            up_to = Money.of(locked.refunded_amount) + amount
        request_refund(locked, up_to=up_to, reason=why, now=now)
        recount(locked.offer)
    return locked


@dataclass(frozen=True, slots=True)
class RefundEffect:
    """What giving `back` to the diner comes to; `fees` return to the restaurant with it."""

    back: Money
    fees: Fees

    @property
    def less_payout(self) -> Money:
        return self.back - self.fees.application_fee


def refund_effect(*, order: PreOrder, amount: Money | None) -> RefundEffect:
    """What `refund_order` would come to, to the cent as it is booked; nothing is written.

    `amount` None is all that is left. Raises Conflict and Invalid as `refund_order` does.
    """
    _check_charged(order)
    left = _left_after_check(order, amount)
    charged, before = Money.of(order.total_amount), Money.of(order.refunded_amount)
    back = left if amount is None else amount
    fees = price_of(order).fees
    after = refunded_fees(fees, charged=charged, refunded=before + back)
    return RefundEffect(back, after - refunded_fees(fees, charged=charged, refunded=before))


def _check_charged(order: PreOrder) -> None:
    if order.payment_status != PaymentStatus.CAPTURED:
        raise Conflict(NOT_CHARGED[PaymentStatus(order.payment_status)])


def _left_after_check(order: PreOrder, amount: Money | None) -> Money:
    """What is left of the charge; Invalid for an amount that is nothing or more than that."""
    left = Money.of(order.total_amount) - Money.of(order.refunded_amount)
    if amount is not None and amount.cents <= 0:
        _refuse_amount("Refund at least 1 cent.")
    if amount is not None and amount > left:
        shown = formats.money(left, order.offer.restaurant.currency)
        _refuse_amount(f"Only {shown} of this charge is left. Refund that or less.")
    return left


def _check_not_pressed_twice(
    order: PreOrder, amount: Money | None, why: str, now: datetime
) -> None:
    currency = order.offer.restaurant.currency
    refunds = PaymentOperation.objects.filter(pre_order=order, kind=OperationKind.REFUND)
    if pending := refunds.filter(state=OperationStatus.PENDING).first():
        what = "the rest" if pending.amount is None else formats.money(pending.amount, currency)
        raise Conflict(f"A refund of {what} is under way. Wait a moment until it is done.")
    same = refunds.filter(
        amount=None if amount is None else amount.amount,
        reason=why,
        created_at__gt=now - PRESSED_TWICE,
    )
    if amount is not None and same.exists():
        raise Conflict(
            f"{formats.money(amount, currency)} was refunded for the same reason a moment ago. "
            "To refund as much again, wait half a minute."
        )


def _refuse_amount(message: str) -> None:
    raise Invalid.because([FieldError("amount", message)])
