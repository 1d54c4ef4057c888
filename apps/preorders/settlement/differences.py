"""How an order and its intent at Stripe differ, as one sentence for a person.

Compared are the status, the currency, and every amount: the hold, the charge, our application fee,
the transfer, and the refunds with the fee and the transfer they took back.
"""

from django.db.models import Q, Sum

from apps.billing.gateway import IntentSnapshot, IntentStatus, RefundStatus, RefundTotals
from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.common.money import Money
from apps.preorders.core.pricing import price_of
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus

_EXPECTED = {
    PaymentStatus.UNPAID: {IntentStatus.OPEN, IntentStatus.PROCESSING, IntentStatus.DEAD},
    PaymentStatus.REQUIRES_ACTION: {IntentStatus.NEEDS_ACTION, IntentStatus.PROCESSING},
    PaymentStatus.AUTHORIZED: {IntentStatus.HELD},
    PaymentStatus.CAPTURED: {IntentStatus.CAPTURED},
    PaymentStatus.REFUNDED: {IntentStatus.CAPTURED},
    PaymentStatus.RELEASED: {IntentStatus.DEAD},
    PaymentStatus.CAPTURE_FAILED: {
        IntentStatus.HELD,
        IntentStatus.OPEN,
        IntentStatus.PROCESSING,
        IntentStatus.DEAD,
    },
}


def difference(order: PreOrder, hold: IntentSnapshot) -> str:
    """A sentence about how the order and the intent differ; empty if they agree."""
    status = PaymentStatus(order.payment_status)
    if order.payment_intent_id not in (None, hold.intent_id):
        return _stray(hold)
    if order.payment_intent_id is None and hold.state in (IntentStatus.OPEN, IntentStatus.DEAD):
        return ""
    if not order.customer_name and hold.state is IntentStatus.HELD:
        return ""  # it counts once the guest's name is known (DECISIONS X24)
    if hold.state not in _EXPECTED[status]:
        return f"Stripe says {hold.state}, the order says {status}"
    currency = order.offer.restaurant.currency
    if hold.currency != currency:
        return f"Stripe says {hold.currency}, the restaurant charges in {currency}"
    total = Money.of(order.total_amount)
    if status == PaymentStatus.AUTHORIZED and hold.amount < total:
        return _amounts(order, "holds", hold.amount, total)
    if hold.state is not IntentStatus.CAPTURED:
        return ""
    return _charge(order, hold, total) or (_refunds(order, hold) if hold.refunds else "")


def _stray(hold: IntentSnapshot) -> str:
    if hold.state not in (IntentStatus.HELD, IntentStatus.CAPTURED):
        return ""
    returned = hold.refunds.total(RefundStatus.SUCCEEDED) if hold.refunds else hold.refunded
    is_refunded = hold.captured.cents and returned >= hold.captured
    return "" if is_refunded else f"a second intent is {hold.state}"


def _amounts(order: PreOrder, what: str, theirs: Money, ours: Money) -> str:
    currency = order.offer.restaurant.currency
    return (
        f"Stripe {what} {formats.money(theirs, currency)}, "
        f"the order says {formats.money(ours, currency)}"
    )


def _charge(order: PreOrder, hold: IntentSnapshot, total: Money) -> str:
    if hold.captured != total:
        return _amounts(order, "charged", hold.captured, total)
    fee = price_of(order).fees.application_fee
    if hold.fee != fee:
        return _amounts(order, "collected a fee of", hold.fee, fee)
    recorded = PaymentHistory.objects.filter(
        payment_intent_id=hold.intent_id, transaction_type=PaymentHistory.Type.TRANSFER
    ).values_list("transfer_id", flat=True)
    if list(recorded) != [hold.transfer_id]:
        ours = ", ".join(recorded) or "none"
        return f"Stripe's transfer is {hold.transfer_id or 'none'}, the ledger says {ours}"
    return ""


def _refunds(order: PreOrder, hold: IntentSnapshot) -> str:
    totals = hold.refunds or RefundTotals((), Money(0), Money(0))
    back = totals.total(RefundStatus.SUCCEEDED)
    if back != Money.of(order.refunded_amount):
        return _amounts(order, "refunded", back, Money.of(order.refunded_amount))
    returned = totals.total(RefundStatus.FAILED)
    if returned != Money.of(order.returned_amount):
        ours = Money.of(order.returned_amount)
        return _amounts(order, "has failed refunds of", returned, ours)
    if totals.total(RefundStatus.PENDING).cents:
        return ""  # the fee and the transfer may already be back
    disputed = Q(transaction_type=PaymentHistory.Type.TRANSFER_REVERSAL)
    if PaymentHistory.objects.filter(disputed, payment_intent_id=hold.intent_id).exists():
        return ""  # a dispute took back its part of the fee and the transfer too
    refund = Q(transaction_type=PaymentHistory.Type.REFUND)
    sums = PaymentHistory.objects.filter(refund, payment_intent_id=hold.intent_id).aggregate(
        amount=Sum("amount", default=0),
        fee=Sum("platform_fee_amount", default=0) + Sum("processing_fee_amount", default=0),
    )
    if totals.fee != Money.of(sums["fee"]):
        return _amounts(order, "returned a fee of", totals.fee, Money.of(sums["fee"]))
    sent = Money.of(sums["amount"])
    if abs(totals.reversed.cents - sent.cents) > totals.rounding.cents:
        return _amounts(order, "reversed a transfer of", totals.reversed, sent)
    return ""
