"""An order's amounts, as its page breaks them down for the restaurant's team."""

from dataclasses import dataclass
from decimal import Decimal

from apps.billing.models import PaymentHistory
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus


@dataclass(frozen=True, slots=True)
class MoneySummary:
    """An order's amounts. Fees and payout are net of refunds and of what was deducted for disputes,
    and zero if nobody pays."""

    unit_price: Decimal
    subtotal: Decimal
    tax_rate: Decimal
    tax: Decimal
    total: Decimal
    refunded: Decimal
    disputed: Decimal
    revenue_share: Decimal
    processing_fee: Decimal
    payout: Decimal


ZERO = Decimal("0.00")
_NOBODY_PAYS = frozenset({PaymentStatus.RELEASED})


def money_of(order: PreOrder) -> MoneySummary:
    """The order's price, fees, and payout: expected before the charge, actual after it."""
    kind = PaymentHistory.Type
    refunded, refunded_share, refunded_processing = _sums(order, kind.REFUND)
    disputed, disputed_share, disputed_processing = _sums(order, kind.TRANSFER_REVERSAL)
    again, share_again, processing_again = _sums(order, kind.TRANSFER_RETURN)
    disputed -= again + share_again + processing_again
    refunded_share += disputed_share - share_again
    refunded_processing += disputed_processing - processing_again
    lost = order.payment_status in _NOBODY_PAYS or (
        order.status == PreOrderStatus.CANCELLED and not refunded and not disputed
    )
    share = ZERO if lost else order.revenue_share - refunded_share
    processing = ZERO if lost else order.processing_fee - refunded_processing
    taken = ZERO if lost else order.total_amount - refunded - disputed
    return MoneySummary(
        unit_price=order.unit_price,
        subtotal=order.subtotal,
        tax_rate=order.tax_rate,
        tax=order.tax,
        total=order.total_amount,
        refunded=refunded,
        disputed=disputed,
        revenue_share=share,
        processing_fee=processing,
        payout=taken - share - processing,
    )


def _sums(order: PreOrder, kind: PaymentHistory.Type) -> tuple[Decimal, Decimal, Decimal]:
    """The sums of the order's ledger entries of this type: amount, revenue share, processing."""
    entries = [entry for entry in order.payment_history.all() if entry.transaction_type == kind]
    return (
        sum((entry.amount for entry in entries), ZERO),
        sum((entry.platform_fee_amount for entry in entries), ZERO),
        sum((entry.processing_fee_amount for entry in entries), ZERO),
    )
