"""The tax report: what was sold and refunded at each rate of sales tax.

The restaurant owes this tax, not the platform. A partial refund returns the same share of the tax
as of the total; rounding the sum of all refunds so far, rather than each, makes a full refund
return exactly the order's tax, in any number of parts.
"""

from collections import defaultdict
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import Count, F, Q, QuerySet, Sum, Window

from apps.billing.models import PaymentHistory

Type = PaymentHistory.Type
ZERO, CENT = Decimal("0.00"), Decimal("0.01")


@dataclass(slots=True)
class TaxLine:
    """What was sold at one rate; `taxable` and `tax` are net of refunds."""

    rate: Decimal  # percent
    orders: int = 0
    sold: Decimal = ZERO  # without tax
    sold_tax: Decimal = ZERO
    refunded: Decimal = ZERO  # without tax
    refunded_tax: Decimal = ZERO

    @property
    def taxable(self) -> Decimal:
        return self.sold - self.refunded

    @property
    def tax(self) -> Decimal:
        return self.sold_tax - self.refunded_tax


def tax_lines(entries: QuerySet[PaymentHistory]) -> list[TaxLine]:
    """The lines of these ledger entries, by rate. Disputes change no sale, so they aren't in it."""
    lines: dict[Decimal, TaxLine] = {}
    sold = (
        entries.filter(transaction_type=Type.CAPTURE)
        .order_by("pre_order__tax_rate")
        .values("pre_order__tax_rate")
        .annotate(
            count=Count("pk"), without=Sum("pre_order__subtotal"), with_it=Sum("pre_order__tax")
        )
    )
    for row in sold:
        rate = row["pre_order__tax_rate"]
        lines[rate] = TaxLine(rate, row["count"], row["without"], row["with_it"])
    for rate, (amount, tax) in _refunded(entries).items():
        line = lines.setdefault(rate, TaxLine(rate))
        line.refunded, line.refunded_tax = amount - tax, tax
    return sorted(lines.values(), key=lambda line: line.rate)


def _refunded(entries: QuerySet[PaymentHistory]) -> dict[Decimal, tuple[Decimal, Decimal]]:
    """What was refunded, and the tax in it, by rate."""
    refunds = entries.filter(transaction_type=Type.REFUND)
    # All refunds of these orders, also earlier ones: the tax is rounded over all of them.
    every = PaymentHistory.objects.filter(
        transaction_type=Type.REFUND, pre_order__in=refunds.values("pre_order")
    ).annotate(
        so_far=Window(Sum("amount"), partition_by="pre_order_id", order_by=F("pk").asc()),
        is_wanted=Q(pk__in=refunds.values("pk")),
    )
    sums: dict[Decimal, list[Decimal]] = defaultdict(lambda: [ZERO, ZERO])
    rows = every.values_list(
        "is_wanted",
        "amount",
        "so_far",
        "pre_order__tax_rate",
        "pre_order__tax",
        "pre_order__total_amount",
    )
    for is_wanted, amount, so_far, rate, tax, charged in rows.iterator():
        if is_wanted:
            sums[rate][0] += amount
            sums[rate][1] += refunded_tax(tax, so_far, charged) - refunded_tax(
                tax, so_far - amount, charged
            )
    return {rate: (amount, tax) for rate, (amount, tax) in sums.items()}


def refunded_tax(tax: Decimal, refunded: Decimal, charged: Decimal) -> Decimal:
    """The part of an order's tax that is returned once so much of the charge was refunded."""
    return (tax * refunded / charged).quantize(CENT, ROUND_HALF_UP)
