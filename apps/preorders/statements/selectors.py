"""What a statement says; every amount is a sum of ledger entries."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from apps.billing.figures import Figures, figures_by, figures_of, total
from apps.billing.models import (
    FeeInvoice,
    MonthlyBillingCycle,
    PaymentHistory,
    Payout,
    PayoutEntry,
)
from apps.billing.stripe_fees import stripe_fees_between
from apps.preorders.manage.taxes import TaxLine, tax_lines
from apps.preorders.statements.periods import Period
from apps.restaurants.models import Restaurant

# What an entry adds to the restaurant's balance, in the account's currency.
SETTLED = Coalesce("entry__settled_amount", "entry__conversion__amount", Decimal(0))


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """A payout with how many orders it contains."""

    payout: Payout
    orders: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A restaurant's day or month. `days` has only the days on which money moved."""

    restaurant: Restaurant
    period: Period
    figures: Figures
    days: list[tuple[date, Figures]]
    payouts: list[PayoutLine]
    taxes: list[TaxLine]
    cycle: MonthlyBillingCycle | None  # of a month, once something happened in it
    invoice: FeeInvoice | None

    @property
    def is_empty(self) -> bool:
        return self.figures.is_empty and not self.payouts

    @property
    def is_closed(self) -> bool:
        return self.cycle is not None and self.cycle.closed_at is not None

    @property
    def paid_out(self) -> Decimal:
        return sum((each.payout.amount for each in self.payouts), Decimal("0.00"))


def entries_of(restaurant: Restaurant, period: Period) -> QuerySet[PaymentHistory]:
    """The ledger entries of a day or a month, without an order.

    A month's are those of its billing cycle, so a restaurant that changes its time zone changes no
    closed month. Holds belong to no cycle and are found by their time.
    """
    return _entries_in(restaurant, period, cycle_of(restaurant, period))


def _entries_in(
    restaurant: Restaurant, period: Period, cycle: MonthlyBillingCycle | None
) -> QuerySet[PaymentHistory]:
    begin, end = period.bounds(restaurant.zone)
    entries = PaymentHistory.objects.filter(restaurant=restaurant)
    in_time = Q(processed_at__gte=begin, processed_at__lt=end)
    if not period.is_month:
        return entries.filter(in_time)
    if cycle is None:
        return entries.filter(in_time, cycle=None)
    return entries.filter(Q(cycle=cycle) | Q(in_time, cycle=None))


def cycle_of(restaurant: Restaurant, period: Period) -> MonthlyBillingCycle | None:
    """A month's billing cycle, once something happened in it; a day has none of its own."""
    if not period.is_month:
        return None
    return MonthlyBillingCycle.objects.filter(
        restaurant=restaurant, year=period.first.year, month=period.first.month
    ).first()


def statement_of(restaurant: Restaurant, period: Period) -> Statement:
    cycle = cycle_of(restaurant, period)
    entries = _entries_in(restaurant, period, cycle)
    return Statement(
        restaurant=restaurant,
        period=period,
        figures=figures_of(entries),
        days=_days(restaurant, entries) if period.is_month else [],
        payouts=_payouts(restaurant, period),
        taxes=tax_lines(entries),
        cycle=cycle,
        invoice=FeeInvoice.objects.filter(cycle=cycle).first() if cycle else None,
    )


def _days(restaurant: Restaurant, entries: QuerySet[PaymentHistory]) -> list[tuple[date, Figures]]:
    dated = entries.annotate(local_day=TruncDate("processed_at", tzinfo=restaurant.zone))
    groups = figures_by(dated, "local_day")
    return [(row["local_day"], figures) for row, figures in groups if figures.has_moved]


def _payouts(restaurant: Restaurant, period: Period) -> list[PayoutLine]:
    """Those that were made in the period, oldest first."""
    begin, end = period.bounds(restaurant.zone)
    made = Payout.objects.filter(
        restaurant=restaurant, created_at__gte=begin, created_at__lt=end
    ).annotate(order_count=Count("entries__entry__pre_order", distinct=True))
    return [PayoutLine(each, each.order_count) for each in made.order_by("created_at", "pk")]


# --- one payout -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PaidOrder:
    """An order's part of a payout, in the account's currency; negative if more was returned."""

    order_id: UUID
    code: str
    offer_name: str
    serve_date: date
    amount: Decimal


def orders_in(payout: Payout) -> QuerySet[PayoutEntry, dict[str, Any]]:
    """The orders in a payout with the sum of their entries, by serve date and code; for
    `paid_orders`."""
    related = "entry__pre_order__"
    rows = PayoutEntry.objects.filter(payout=payout).values(
        f"{related}id",
        f"{related}short_code",
        f"{related}sold__name",
        "entry__offer__serve_date",
    )
    found: QuerySet[PayoutEntry, dict[str, Any]] = rows.annotate(amount=Sum(SETTLED)).order_by(
        "entry__offer__serve_date", f"{related}short_code", f"{related}id"
    )
    return found


def paid_orders(rows: Iterable[dict[str, Any]]) -> Iterator[PaidOrder]:
    related = "entry__pre_order__"
    for row in rows:
        yield PaidOrder(
            order_id=row[f"{related}id"],
            code=row[f"{related}short_code"],
            offer_name=row[f"{related}sold__name"],
            serve_date=row["entry__offer__serve_date"],
            amount=row["amount"],
        )


# --- all restaurants ------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RestaurantLine:
    name: str
    restaurant_id: UUID
    currency: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class PlatformStatement:
    """A month of all restaurants; amounts of different currencies are never added."""

    period: Period
    lines: list[RestaurantLine]
    totals: list[tuple[str, Figures]]  # by currency
    # What Stripe took from the platform, by the currency it settles in; days are UTC's.
    stripe_fees: list[tuple[str, Decimal]]


def platform_statement(period: Period) -> PlatformStatement:
    """The month of every restaurant in which money moved. Act as the platform.

    Each restaurant's own month, in its own time zone: what its statement says.
    """
    entries = PaymentHistory.objects.filter(
        cycle__year=period.first.year, cycle__month=period.first.month
    )
    groups = figures_by(entries, "currency", "restaurant__name", "restaurant_id")
    lines = [
        RestaurantLine(row["restaurant__name"], row["restaurant_id"], row["currency"], figures)
        for row, figures in groups
    ]
    currencies = sorted({line.currency for line in lines})
    totals = [
        (currency, total(line.figures for line in lines if line.currency == currency))
        for currency in currencies
    ]
    stripe_fees = stripe_fees_between(period.first, period.last)
    return PlatformStatement(period, lines, totals, stripe_fees)
