"""Full and partial refunds requested by the restaurant."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.fees import Fees, refunded_fees
from apps.billing.ledger import settlement_currency
from apps.common import formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import request_refund, requested
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    OperationKind,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement.refund_limits import (
    NotCovered,
    check_confirmed,
    check_covered,
    needs_confirmation,
    read_funds,
    shortfall,
    tell_staff,
)
from apps.restaurants.idempotency import Attempt

# The same request within this time counts as a double click, not as a second refund.
DUPLICATE_WINDOW = timedelta(seconds=30)

NOT_CHARGED = {
    PaymentStatus.UNPAID: "This order has no card yet, so there's nothing to refund. "
    "Cancel it instead.",
    PaymentStatus.REQUIRES_ACTION: "The guest's bank hasn't confirmed the payment yet, so there's "
    "nothing to refund. Cancel the order instead.",
    PaymentStatus.AUTHORIZED: "This card is on hold, not charged, so there's nothing to refund. "
    "You can cancel the order before the deadline, which releases the hold.",
    PaymentStatus.CAPTURE_FAILED: "This card wasn't charged, so there's nothing to refund.",
    PaymentStatus.RELEASED: "This card was never charged, so there's nothing to refund.",
    PaymentStatus.REFUNDED: "This order is already fully refunded.",
}


# https://docs.stripe.com/disputes: a refund of a charge that was taken back would pay it twice.
DISPUTED = (
    "The guest disputed this charge, and their bank took the money back, so it can't be refunded. "
    "Answer or accept the dispute instead."
)
# The restaurant's part was transferred again, apart from the charge, so a refund wouldn't take it.
DISPUTE_WON = (
    "The guest's bank decided the dispute of this charge in your favor, so it can't be refunded "
    "here. If you still want to pay the guest back, do it another way."
)


def refund_order(
    *,
    order: PreOrder,
    amount: Money | None,
    reason: str,
    by: str,
    now: datetime,
    confirmed: Money | None = None,
    is_released: bool = False,
    attempt: Attempt | None = None,
) -> PreOrder:
    """Request a refund of `amount`, or of all that is left if it is None.

    `confirmed` is the amount typed a second time, which a large refund needs; `is_released` that
    staff decided that the platform advances it (decision 47). If an earlier `attempt` requested it,
    nothing is requested.

    A worker executes it; `payment_status` and `refunded_amount` change, and the guest gets an
    email, once Stripe has done it. The order stays valid until it is fully refunded. `by` is who
    requested it, `reason` why; both are recorded. The caller must have checked access to the order.

    Raises Conflict if the order wasn't charged, another refund is pending, the same refund was
    requested moments ago, or the balance doesn't cover it; NeedsConfirmation; Invalid if the amount
    is zero or more than is left, or the reason is too long.
    """
    cause = requested(by, reason)
    if attempt and attempt.result_id:
        return order
    funds = None
    if not is_released:
        current = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
        effect = refund_effect(order=current, amount=amount)
        check_confirmed(effect.back, confirmed, current.offer.restaurant.currency)
        funds = read_funds(current.restaurant_id, now=now)
    try:
        return _request(order, amount, cause=cause, funds=funds, now=now, attempt=attempt)
    except NotCovered as refusal:
        tell_staff(refusal, now=now)
        raise


def _request(
    order: PreOrder,
    amount: Money | None,
    *,
    cause: Cause,
    funds: Decimal | None,
    now: datetime,
    attempt: Attempt | None,
) -> PreOrder:
    """`refund_order`, in one transaction. `funds`: what the account has; None if the platform
    advances it."""
    with transaction.atomic():
        locked = lock_order(order.pk)
        _check_charged(locked)
        _check_no_duplicate(locked, amount, cause, now)
        _check_card_takes_refunds(locked)
        left = _checked_remainder(locked, amount)
        if funds is not None:
            effect = refund_effect(order=locked, amount=amount)
            check_covered(locked, effect.less_payout, funds=funds)
        up_to = None
        if amount is not None and amount < left:
            up_to = Money.of(locked.refunded_amount) + amount
        request_refund(locked, up_to=up_to, cause=cause, now=now)
        record(
            Kind.REFUND_RELEASED if funds is None else Kind.REFUND_REQUESTED,
            restaurant=locked.restaurant_id,
            about=("order", locked.pk),
            amount=str((amount or left).amount),
            currency=locked.offer.restaurant.currency,
            now=now,
        )
        recount(locked.offer, now=now)
        if attempt:
            attempt.record(locked.pk)
    return locked


@dataclass(frozen=True, slots=True)
class RefundEffect:
    """The effect of refunding `back` to the guest; `fees` are returned to the restaurant."""

    back: Money
    fees: Fees

    @property
    def less_payout(self) -> Money:
        return self.back - self.fees.application_fee


def refund_effect(*, order: PreOrder, amount: Money | None) -> RefundEffect:
    """The effect of `refund_order`, to the cent; nothing is written.

    `amount` None means all that is left. Raises Conflict and Invalid like `refund_order`.
    """
    _check_charged(order)
    _check_card_takes_refunds(order)
    left = _checked_remainder(order, amount)
    charged, before = Money.of(order.total_amount), Money.of(order.refunded_amount)
    back = left if amount is None else amount
    fees = price_of(order).fees
    after = refunded_fees(fees, charged=charged, refunded=before + back)
    return RefundEffect(back, after - refunded_fees(fees, charged=charged, refunded=before))


@dataclass(frozen=True, slots=True)
class RefundPreview:
    """The effect of a refund, and what the owner must know before: `advance` is what the platform
    pays until the balance is filled again, in the account's `currency`."""

    effect: RefundEffect
    needs_confirmation: bool
    advance: Decimal
    currency: str


def refund_preview(*, order: PreOrder, amount: Money | None, now: datetime) -> RefundPreview:
    """What `refund_order` would do. Reads the balance from Stripe. Raises like `refund_effect`."""
    effect = refund_effect(order=order, amount=amount)
    restaurant = order.offer.restaurant
    return RefundPreview(
        effect=effect,
        needs_confirmation=needs_confirmation(effect.back, restaurant.currency),
        advance=shortfall(
            order, effect.less_payout, funds=read_funds(order.restaurant_id, now=now)
        ),
        currency=settlement_currency(restaurant),
    )


def _check_charged(order: PreOrder) -> None:
    if order.payment_status != PaymentStatus.CAPTURED:
        raise Conflict(NOT_CHARGED[PaymentStatus(order.payment_status)], code=ErrorCode.NOT_CHARGED)
    if order.disputed_amount:
        raise Conflict(DISPUTED)
    # Whatever its status, a dispute whose money is back returned the restaurant's part.
    if order.disputes.filter(movements__gt=0).exists():
        raise Conflict(DISPUTE_WON)


def _check_card_takes_refunds(order: PreOrder) -> None:
    """Raises Conflict after a refund that the guest's bank returned; the next one would be too."""
    if order.returned_amount:
        amount = formats.money(order.returned_amount, order.offer.restaurant.currency)
        raise Conflict(
            f"The guest's bank returned a refund of {amount}, so this card can't be refunded. "
            "We'll pay the guest another way; contact us to refund more."
        )


def _checked_remainder(order: PreOrder, amount: Money | None) -> Money:
    """The amount that can still be refunded. Raises Invalid if `amount` is zero or exceeds it."""
    left = Money.of(order.total_amount) - Money.of(order.refunded_amount)
    if amount is not None and amount.cents <= 0:
        _refuse_amount("Refund at least 1 cent.")
    if amount is not None and amount > left:
        shown = formats.money(left, order.offer.restaurant.currency)
        _refuse_amount(f"You can refund at most {shown}, the remaining amount.")
    return left


def _check_no_duplicate(order: PreOrder, amount: Money | None, cause: Cause, now: datetime) -> None:
    currency = order.offer.restaurant.currency
    refunds = PaymentOperation.objects.filter(pre_order=order, kind=OperationKind.REFUND)
    if pending := refunds.filter(state=OperationStatus.PENDING).first():
        what = (
            "the remaining amount"
            if pending.amount is None
            else formats.money(pending.amount, currency)
        )
        raise Conflict(
            f"A refund of {what} is in progress. Try again in a moment.",
            code=ErrorCode.REFUND_IN_PROGRESS,
        )
    same = refunds.filter(
        amount=None if amount is None else amount.amount,
        **cause.columns,
        created_at__gt=now - DUPLICATE_WINDOW,
    )
    if amount is not None and same.exists():
        raise Conflict(
            f"You refunded {formats.money(amount, currency)} for the same reason moments ago. "
            "To refund it again, wait 30 seconds."
        )


def _refuse_amount(message: str) -> None:
    raise Invalid.because([FieldError("amount", message)])
