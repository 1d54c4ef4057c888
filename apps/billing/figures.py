"""What ledger entries add up to: the same figures for a day, a month, a restaurant, or all."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Aggregate, Count, Q, QuerySet, Sum

from apps.billing.models import PaymentHistory

Type = PaymentHistory.Type
Row = dict[str, Any]
ZERO = Decimal("0.00")
RETURNED = (Type.REFUND, Type.TRANSFER_REVERSAL)  # both return fees
_AMOUNTS = {
    "sum_held": Type.AUTHORIZATION,
    "sum_released": Type.RELEASE,
    "sum_captured": Type.CAPTURE,
    "sum_refunded": Type.REFUND,
    "sum_fee": Type.FEE,
    "sum_reversed": Type.TRANSFER_REVERSAL,
    "sum_again": Type.TRANSFER_RETURN,
    "sum_dispute_fees": Type.DISPUTE_FEE,
    "sum_dispute_fees_back": Type.DISPUTE_FEE_RETURNED,
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

    @property
    def is_empty(self) -> bool:
        return self == NOTHING

    @property
    def has_moved(self) -> bool:
        """Whether money moved; a hold moves none."""
        return any((self.captured, self.refunded, self.disputed, self.fees))


NOTHING = Figures(0, *(ZERO,) * 8)


def figures_of(entries: QuerySet[PaymentHistory]) -> Figures:
    """The figures of these entries, in one statement."""
    return _figures(entries.aggregate(**_SUMS))


def figures_by(entries: QuerySet[PaymentHistory], *names: str) -> list[tuple[Row, Figures]]:
    """The figures of each group with the same values of these columns or annotations."""
    groups = entries.order_by(*names).values(*names).annotate(**_SUMS)
    return [({name: row[name] for name in names}, _figures(row)) for row in groups]


def total(parts: Iterable[Figures]) -> Figures:
    """The sum of figures in one currency."""
    rows = [astuple(each) for each in parts]
    columns = zip(*rows, strict=True) if rows else []
    return Figures(*(sum(column) for column in columns)) if rows else NOTHING


def _sums() -> dict[str, Aggregate]:
    sums: dict[str, Aggregate] = {
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
            sums[f"sum_{fee}_{moment}"] = Sum(column, filter=only, default=ZERO)
    sums["sum_orders"] = Count("pk", filter=Q(transaction_type=Type.CAPTURE))
    return sums


_SUMS = _sums()


def _figures(value: Row) -> Figures:
    fees_again = value["sum_share_again"] + value["sum_card_again"]
    returned = value["sum_share_back"], value["sum_card_back"]
    return Figures(
        orders=value["sum_orders"],
        held=value["sum_held"],
        released=value["sum_released"],
        captured=value["sum_captured"],
        refunded=value["sum_refunded"],
        disputed=value["sum_reversed"] - value["sum_again"] - fees_again,
        revenue_share=value["sum_share_taken"] - returned[0] + value["sum_share_again"],
        processing=value["sum_fee"] - returned[1] + value["sum_card_again"],
        dispute_fees=value["sum_dispute_fees"] - value["sum_dispute_fees_back"],
    )
