"""The restaurant's ledger as its staff reads it; apps/billing/ledger.py writes it."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Max, Q

from apps.billing.figures import Figures, figures_by, figures_of
from apps.billing.models import PaymentHistory
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.preorders.models import PreOrder
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


@dataclass(frozen=True, slots=True)
class OrderInLedger:
    """What an order's ledger entries add up to."""

    figures: Figures
    entries: list[PaymentHistory]  # oldest first

    @property
    def order(self) -> PreOrder:
        found: PreOrder = self.entries[0].pre_order
        return found

    @property
    def latest(self) -> PaymentHistory:
        return self.entries[-1]

    @property
    def held(self) -> Decimal:
        """What is on hold and was neither charged nor released."""
        figures = self.figures
        return max(figures.held - figures.released - figures.captured, Decimal("0.00"))


@dataclass(frozen=True, slots=True)
class LedgerByOrder:
    orders: list[OrderInLedger]
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
        totals=_totals(figures),
    )


def _totals(figures: Figures) -> LedgerTotals:
    return LedgerTotals(
        captured=figures.captured,
        platform_fees=figures.revenue_share,
        processing_fees=figures.processing,
        refunded=figures.refunded,
        disputed=figures.disputed,
        payout=figures.net,
    )


def ledger_by_order(
    *, restaurant: Restaurant, cursor: str | None = None, limit: int = PAGE_SIZE
) -> LedgerByOrder:
    """One page of the ledger with its entries added up by order, the order that changed last first.

    `cursor` is the previous page's `next_cursor`. Raises InvalidCursor.
    """
    entries = PaymentHistory.objects.filter(restaurant=restaurant)
    groups = (
        entries.exclude(pre_order=None)
        .order_by()
        .values("pre_order_id")
        .annotate(latest=Max("processed_at"))
    )
    if before := moment_and_key(cursor):
        moment, key = before
        groups = groups.filter(Q(latest__lt=moment) | Q(latest=moment, pre_order_id__lt=key))
    page = list(groups.order_by("-latest", "-pre_order_id")[: limit + 1])
    shown = [row["pre_order_id"] for row in page[:limit]]
    own = entries.filter(pre_order__in=shown)
    figures = {row["pre_order_id"]: sums for row, sums in figures_by(own, "pre_order_id")}
    rows: dict[UUID, list[PaymentHistory]] = {key: [] for key in shown}
    for entry in own.select_related("pre_order__sold").order_by("processed_at", "pk"):
        assert entry.pre_order_id is not None
        rows[entry.pre_order_id].append(entry)
    last = page[limit - 1] if len(page) > limit else None
    return LedgerByOrder(
        orders=[OrderInLedger(figures[key], rows[key]) for key in shown],
        totals=_totals(figures_of(entries)),
        currency=restaurant.currency,
        next_cursor=cursor_after(last["latest"], last["pre_order_id"]) if last else None,
    )
