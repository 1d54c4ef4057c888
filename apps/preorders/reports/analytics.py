"""Analytics of a restaurant's specials: visits, orders, money, outcomes, repeat guests.

The number of queries is constant, whatever the period; days are in the restaurant's time zone
(decision 21).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, DecimalField, F, Q, QuerySet, Sum, When
from django.db.models.functions import Lower, TruncDate

from apps.billing.models import PaymentHistory
from apps.offers.models import OfferViews, SpecialOffer
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OrderSource, PaymentStatus
from apps.restaurants.models import Restaurant

ZERO = Decimal("0.00")
MAX_DAILY_DAYS = 92  # longer periods are shown by week
MAX_OFFERS = 200  # rows in the table; the rest is only counted
ONE_DAY = timedelta(days=1)
ONE_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Period:
    """A range of days in the restaurant's time zone, both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Period":
        """The period of the same length right before this one."""
        return Period(self.first - ONE_DAY * self.days, self.first - ONE_DAY)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(slots=True)
class Figures:
    """The figures of a day, an offer, or a period. Only `web_orders` can come from a visit."""

    views: int = 0
    orders: int = 0
    web_orders: int = 0
    portions: int = 0
    revenue: Decimal = ZERO
    payout: Decimal = ZERO

    def add(self, other: "Figures") -> None:
        for name in Figures.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def conversion(self) -> Decimal | None:
        """Online orders per hundred visits; None if there are more orders than counted visits."""
        if self.web_orders > self.views:
            return None
        return percentage(self.web_orders, self.views)


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a period."""

    figures: Figures
    decided: int
    successful: int
    guests: int
    repeat_guests: int

    @property
    def success_rate(self) -> Decimal | None:
        return percentage(self.successful, self.decided)

    @property
    def repeat_rate(self) -> Decimal | None:
        return percentage(self.repeat_guests, self.guests)


@dataclass(frozen=True, slots=True)
class OfferFigures:
    offer: SpecialOffer
    figures: Figures


@dataclass(frozen=True, slots=True)
class Analytics:
    """The analytics page's data; `series` is keyed by each day, or each week's first day."""

    period: Period
    totals: Totals
    before: Totals
    unit: str
    series: dict[date, Figures]
    offers: list[OfferFigures]
    offers_left_out: int


def percentage(part: int, whole: int) -> Decimal | None:
    """The percentage with one decimal place; None if `whole` is 0."""
    if whole == 0:
        return None
    return (Decimal(100 * part) / whole).quantize(Decimal("0.1"))


def analytics_for(
    *, restaurant: Restaurant, period: Period, offer_id: UUID | None = None
) -> Analytics:
    """A period and the one before, of all offers or one; the table always has all offers."""
    rows = _Rows(restaurant, Period(period.before.first, period.last), offer_id)
    by_day = rows.by_day()
    unit, series = _in_steps(by_day, period)
    offers = _by_offer(restaurant, period)
    decided = rows.decided((period, period.before))
    return Analytics(
        period=period,
        totals=Totals(_sum(by_day, period), *decided[0], *rows.guests(period)),
        before=Totals(_sum(by_day, period.before), *decided[1], *rows.guests(period.before)),
        unit=unit,
        series=series,
        offers=offers[:MAX_OFFERS],
        offers_left_out=max(0, len(offers) - MAX_OFFERS),
    )


@dataclass(frozen=True)
class _Rows:
    """Queries for a period, of one offer or all."""

    restaurant: Restaurant
    period: Period
    offer_id: UUID | None = None
    _of: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        of: dict[str, Any] = {"restaurant": self.restaurant}
        if self.offer_id:
            of["offer"] = self.offer_id
        object.__setattr__(self, "_of", of)

    def _moments(self, name: str, period: Period | None = None) -> dict[str, datetime]:
        """Filter arguments that limit a datetime column to the period."""
        period = period or self.period
        zone = self.restaurant.zone
        return {
            f"{name}__gte": datetime.combine(period.first, time(), zone),
            f"{name}__lt": datetime.combine(period.last + ONE_DAY, time(), zone),
        }

    def views(self) -> QuerySet[OfferViews]:
        return OfferViews.objects.filter(
            **self._of, day__gte=self.period.first, day__lte=self.period.last
        )

    def orders(self) -> QuerySet[PreOrder]:
        return placed().filter(**self._of, **self._moments("created_at"))

    def money(self) -> QuerySet[PaymentHistory]:
        return PaymentHistory.objects.filter(**self._of, **self._moments("processed_at"))

    def by_day(self) -> dict[date, Figures]:
        """Figures by day, with three queries, one per table."""
        zone = self.restaurant.zone
        figures: dict[date, Figures] = defaultdict(Figures)
        collect(figures, self.views().values_list("day"), VIEWS)
        collect(figures, self.orders().values_list(TruncDate("created_at", tzinfo=zone)), ORDERS)
        collect(figures, self.money().values_list(TruncDate("processed_at", tzinfo=zone)), MONEY)
        return figures

    def by_offer(self) -> dict[UUID, Figures]:
        figures: dict[UUID, Figures] = defaultdict(Figures)
        collect(figures, self.views().values_list("offer_id"), VIEWS)
        collect(figures, self.orders().values_list("offer_id"), ORDERS)
        collect(figures, self.money().values_list("offer_id"), MONEY)
        return figures

    def decided(self, periods: Iterable[Period]) -> list[tuple[int, int]]:
        """For each period, the number of offers decided in it and how many went ahead."""
        offers = SpecialOffer.objects.filter(restaurant=self.restaurant, status__in=sorted(DECIDED))
        if self.offer_id:
            offers = offers.filter(pk=self.offer_id)
        went_ahead = Q(status=OfferStatus.SUCCEEDED)
        counts: dict[str, Count] = {}
        for number, period in enumerate(periods):
            inside = Q(**self._moments("deadline", period))
            counts[f"all{number}"] = Count("pk", filter=inside)
            counts[f"good{number}"] = Count("pk", filter=inside & went_ahead)
        found = offers.aggregate(**counts)
        return [(found[f"all{each}"], found[f"good{each}"]) for each in range(len(counts) // 2)]

    def guests(self, period: Period) -> tuple[int, int]:
        """The number of guests who ordered in the period, and of repeat guests among them."""
        moments = self._moments("created_at", period)
        inside = Q(**moments, **({"offer": self.offer_id} if self.offer_id else {}))
        guests = (
            placed()
            .filter(restaurant=self.restaurant, created_at__lt=moments["created_at__lt"])
            .exclude(customer_email="")
            .values(guest=Lower("customer_email"))
            .annotate(ever=Count("pk"), now=Count("pk", filter=inside))
            .filter(now__gt=0)
        )
        found = guests.aggregate(all=Count("guest"), again=Count("guest", filter=Q(ever__gt=1)))
        return found["all"], found["again"]


def placed() -> QuerySet[PreOrder]:
    """Orders whose card was ever held or charged; abandoned checkouts don't count."""
    charged = [PaymentStatus.CAPTURED, PaymentStatus.REFUNDED]
    return PreOrder.objects.filter(Q(authorized_at__isnull=False) | Q(payment_status__in=charged))


def _signed(name: str, signs: Mapping[str, int]) -> Sum:
    """The sum of a column, each ledger entry with the sign of its type."""
    cases = [When(transaction_type=kind, then=F(name) * sign) for kind, sign in signs.items()]
    return Sum(Case(*cases, default=ZERO, output_field=DecimalField()), default=ZERO)


_Kind = PaymentHistory.Type
_RETURNED: dict[str, int] = {_Kind.REFUND: -1, _Kind.TRANSFER_REVERSAL: -1}
VIEWS = {"views": Sum("visits")}
ORDERS = {
    "orders": Count("pk"),
    "web_orders": Count("pk", filter=Q(source=OrderSource.WEB)),
    "portions": Sum("quantity"),
}
MONEY = {
    # A dispute takes revenue like a refund, until it is won: then it comes back, less the fees.
    "revenue": _signed("amount", {_Kind.CAPTURE: 1, _Kind.TRANSFER_RETURN: 1, **_RETURNED})
    + _signed("platform_fee_amount", {_Kind.TRANSFER_RETURN: 1})
    + _signed("processing_fee_amount", {_Kind.TRANSFER_RETURN: 1}),
    # Like the ledger's total: a refund and a dispute return the fees too.
    "payout": _signed(
        "amount", {_Kind.CAPTURE: 1, _Kind.TRANSFER_RETURN: 1, _Kind.FEE: -1, **_RETURNED}
    )
    - _signed("platform_fee_amount", {_Kind.CAPTURE: 1, **_RETURNED})
    + _signed("processing_fee_amount", {kind: 1 for kind in _RETURNED}),
}


def collect(
    figures: dict[Any, Figures], grouped: QuerySet[Any, Any], sums: Mapping[str, Any]
) -> None:
    """Add the sums of `grouped` to `figures`, keyed by the column it is grouped by."""
    for key, *values in grouped.annotate(**sums).order_by():
        figures[key].add(Figures(**dict(zip(sums, values, strict=True))))


def _sum(by_day: Mapping[date, Figures], period: Period) -> Figures:
    total = Figures()
    for day, figures in by_day.items():
        if day in period:
            total.add(figures)
    return total


def _in_steps(by_day: Mapping[date, Figures], period: Period) -> tuple[str, dict[date, Figures]]:
    """The figures of every day of the period, or every week from its first day, even empty ones."""
    daily = period.days <= MAX_DAILY_DAYS
    step = ONE_DAY if daily else ONE_WEEK
    steps = {
        period.first + step * number: Figures() for number in range(-(-period.days // step.days))
    }
    for day, figures in by_day.items():
        if day in period:
            steps[period.first + step * ((day - period.first).days // step.days)].add(figures)
    return "day" if daily else "week", steps


def _by_offer(restaurant: Restaurant, period: Period) -> list[OfferFigures]:
    """Offers with any activity in the period, highest revenue first."""
    figures = _Rows(restaurant, period).by_offer()
    offers = SpecialOffer.objects.filter(restaurant=restaurant, pk__in=figures)
    found = [OfferFigures(offer, figures[offer.pk]) for offer in offers]
    return sorted(
        found,
        key=lambda row: (row.figures.revenue, row.figures.orders, row.figures.views),
        reverse=True,
    )
