"""What ledger entries add up to: the same figures for a day, a month, a restaurant or all."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum

from apps.billing.models import PaymentHistory

Type = PaymentHistory.Type
ZERO = Decimal("0.00")
RETURNED = (Type.REFUND, Type.TRANSFER_REVERSAL)  # both return fees
_AMOUNTS = {
    "held": Type.AUTHORIZATION,
    "released": Type.RELEASE,
    "captured": Type.CAPTURE,
    "refunded": Type.REFUND,
    "fee": Type.FEE,
    "reversed": Type.TRANSFER_REVERSAL,
    "again": Type.TRANSFER_RETURN,
    "dispute_fees": Type.DISPUTE_FEE,
    "dispute_fees_back": Type.DISPUTE_FEE_RETURNED,
}


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums of ledger entries. Fees are net of what refunds and disputes returned."""

    orders: int  # that were charged
    held: Decimal
    released: Decimal
    captured: Decimal
    refunded: Decimal
    disputed: Decimal  # taken from the restaurant for disputes, with its fees, less what came back
    revenue_share: Decimal
    processing: Decimal
    dispute_fees: Decimal  # paid by the platform to Stripe

    @property
    def sales(self) -> Decimal:
        """What guests paid and didn't get back."""
        return self.captured - self.refunded - self.disputed

    @property
    def fees(self) -> Decimal:
        return self.revenue_share + self.processing

    @property
    def net(self) -> Decimal:
        """What came into the restaurant's balance, or left it if negative."""
        return self.sales - self.fees


def figures_of(entries: QuerySet[PaymentHistory]) -> Figures:
    """The figures of these entries, in one statement."""
    sums = {
        name: Sum("amount", filter=Q(transaction_type=kind), default=ZERO)
        for name, kind in _AMOUNTS.items()
    }
    for fee, column in (("share", "platform_fee_amount"), ("card", "processing_fee_amount")):
        for moment, kinds in (
            ("taken", (Type.CAPTURE,)),
            ("back", RETURNED),
            ("again", (Type.TRANSFER_RETURN,)),
        ):
            only = Q(transaction_type__in=kinds)
            sums[f"{fee}_{moment}"] = Sum(column, filter=only, default=ZERO)
    value = entries.aggregate(
        orders=Count("pk", filter=Q(transaction_type=Type.CAPTURE)),
        **sums,
    )
    fees_again = value["share_again"] + value["card_again"]
    return Figures(
        orders=value["orders"],
        held=value["held"],
        released=value["released"],
        captured=value["captured"],
        refunded=value["refunded"],
        disputed=value["reversed"] - value["again"] - fees_again,
        revenue_share=value["share_taken"] - value["share_back"] + value["share_again"],
        processing=value["fee"] - value["card_back"] + value["card_again"],
        dispute_fees=value["dispute_fees"] - value["dispute_fees_back"],
    )
