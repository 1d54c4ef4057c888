"""The restaurant's ledger as its staff reads it; apps/billing/ledger.py writes it."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q

from apps.billing.figures import figures_of
from apps.billing.models import PaymentHistory
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.restaurants.models import Restaurant


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
    figures = figures_of(entries)
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
            captured=figures.captured,
            platform_fees=figures.revenue_share,
            processing_fees=figures.processing,
            refunded=figures.refunded,
            disputed=figures.disputed,
            payout=figures.net,
        ),
    )
