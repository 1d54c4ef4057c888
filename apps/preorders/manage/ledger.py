"""The restaurant's ledger as its staff reads it; apps/billing/ledger.py writes it."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, Sum

from apps.billing.models import PaymentHistory
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.restaurants.models import Restaurant

ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class LedgerTotals:
    """The totals of the restaurant's ledger."""

    captured: Decimal
    platform_fees: Decimal
    processing_fees: Decimal
    refunded: Decimal
    disputed: Decimal  # taken from the restaurant for disputes, with its fees
    payout: Decimal


@dataclass(frozen=True, slots=True)
class Ledger:
    entries: list[PaymentHistory]
    totals: LedgerTotals
    currency: str
    next_cursor: str | None


def ledger_for_restaurant(
    *, restaurant: Restaurant, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Ledger:
    """One page of ledger entries, newest first, and the totals of all of them.

    `cursor` is the previous page's `next_cursor`. Raises InvalidCursor.
    """
    entries = PaymentHistory.objects.filter(restaurant=restaurant)
    kind = PaymentHistory.Type
    returned = [kind.REFUND, kind.TRANSFER_REVERSAL]
    sums = entries.aggregate(
        captured=Sum("amount", filter=Q(transaction_type=kind.CAPTURE)),
        platform=Sum("platform_fee_amount", filter=Q(transaction_type=kind.CAPTURE)),
        platform_back=Sum("platform_fee_amount", filter=Q(transaction_type__in=returned)),
        platform_again=Sum("platform_fee_amount", filter=Q(transaction_type=kind.TRANSFER_RETURN)),
        processing=Sum("amount", filter=Q(transaction_type=kind.FEE)),
        refunded=Sum("amount", filter=Q(transaction_type=kind.REFUND)),
        # A refund and a dispute return the fees too; a dispute that is won takes them again.
        processing_back=Sum("processing_fee_amount", filter=Q(transaction_type__in=returned)),
        processing_again=Sum(
            "processing_fee_amount", filter=Q(transaction_type=kind.TRANSFER_RETURN)
        ),
        reversed=Sum("amount", filter=Q(transaction_type=kind.TRANSFER_REVERSAL)),
        again=Sum("amount", filter=Q(transaction_type=kind.TRANSFER_RETURN)),
    )
    value = {name: amount or ZERO for name, amount in sums.items()}
    fees_again = value["platform_again"] + value["processing_again"]
    shares = value["platform"] - value["platform_back"] + value["platform_again"]
    processing = value["processing"] - value["processing_back"] + value["processing_again"]
    disputed = value["reversed"] - value["again"] - fees_again
    rows = entries.select_related("pre_order__sold").order_by("-processed_at", "-pk")
    if before := moment_and_key(cursor, int):
        moment, key = before
        rows = rows.filter(Q(processed_at__lt=moment) | Q(processed_at=moment, pk__lt=key))
    page = list(rows[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    return Ledger(
        entries=page[:limit],
        currency=restaurant.currency,
        next_cursor=cursor_after(last.processed_at, last.pk) if last else None,
        totals=LedgerTotals(
            captured=value["captured"],
            platform_fees=shares,
            processing_fees=processing,
            refunded=value["refunded"],
            disputed=disputed,
            payout=value["captured"] - value["refunded"] - disputed - shares - processing,
        ),
    )
