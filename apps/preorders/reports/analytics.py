"""How specials did in a period: visits, orders, money, outcomes and who came again (decision 21).

Whatever the period and however many rows, the same few statements are sent; days are days of the
restaurant's calendar.
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
DAILY_UP_TO = 92  # days; a longer period is shown by the week
MOST_OFFERS = 200  # in the table; the rest is counted
DAY = timedelta(days=1)
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days, both included, of the restaurant's calendar."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Period":
        """As many days, right before."""
        return Period(self.first - DAY * self.days, self.first - DAY)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(slots=True)
class Figures:
    """What happened, added up. A visit may lead to one of the `web_orders`."""

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
        """Online orders for each hundred visits; None where more ordered than were counted."""
        if self.web_orders > self.views:
            return None
        return percentage(self.web_orders, self.views)


@dataclass(frozen=True, slots=True)
class Totals:
    """A period as a whole."""

    figures: Figures
    decided: int
    successful: int
    diners: int
    repeat_guests: int

    @property
    def success_rate(self) -> Decimal | None:
        return percentage(self.successful, self.decided)

    @property
    def repeat_rate(self) -> Decimal | None:
        return percentage(self.repeat_guests, self.diners)


@dataclass(frozen=True, slots=True)
class OfferFigures:
    offer: SpecialOffer
    figures: Figures


@dataclass(frozen=True, slots=True)
class Analytics:
    """`series` has one entry for each day or week, the first day of it as its key."""

    period: Period
    totals: Totals
    before: Totals
    unit: str
    series: dict[date, Figures]
    offers: list[OfferFigures]
    offers_left_out: int


def percentage(part: int, whole: int) -> Decimal | None:
    """With one decimal; None of nothing."""
    if whole == 0:
        return None
    return (Decimal(100 * part) / whole).quantize(Decimal("0.1"))


def analytics_for(
    *, restaurant: Restaurant, period: Period, offer_id: UUID | None = None
) -> Analytics:
    """The period and the one before it, of all offers or of one; the table by offer is of all."""
    rows = _Rows(restaurant, Period(period.before.first, period.last), offer_id)
    by_day = rows.by_day()
    unit, series = _in_steps(by_day, period)
    offers = _by_offer(restaurant, period)
    decided = rows.decided((period, period.before))
    return Analytics(
        period=period,
        totals=Totals(_sum(by_day, period), *decided[0], *rows.diners(period)),
        before=Totals(_sum(by_day, period.before), *decided[1], *rows.diners(period.before)),
        unit=unit,
        series=series,
        offers=offers[:MOST_OFFERS],
        offers_left_out=max(0, len(offers) - MOST_OFFERS),
    )


@dataclass(frozen=True)
class _Rows:
    """The restaurant's rows of a period, of one offer or of all."""

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
        """A filter for the period by a column of moments."""
        period = period or self.period
        zone = self.restaurant.zone
        return {
            f"{name}__gte": datetime.combine(period.first, time(), zone),
            f"{name}__lt": datetime.combine(period.last + DAY, time(), zone),
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
        """Three statements, one for each table."""
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
        """Of each period the offers decided in it, and how many of them went ahead."""
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

    def diners(self, period: Period) -> tuple[int, int]:
        """How many ordered in the period, and how many of those not for the first time."""
        moments = self._moments("created_at", period)
        inside = Q(**moments, **({"offer": self.offer_id} if self.offer_id else {}))
        diners = (
            placed()
            .filter(restaurant=self.restaurant, created_at__lt=moments["created_at__lt"])
            .exclude(customer_email="")
            .values(diner=Lower("customer_email"))
            .annotate(ever=Count("pk"), now=Count("pk", filter=inside))
            .filter(now__gt=0)
        )
        found = diners.aggregate(all=Count("diner"), again=Count("diner", filter=Q(ever__gt=1)))
        return found["all"], found["again"]


def placed() -> QuerySet[PreOrder]:
    """Orders whose card was held or charged at some time; a checkout that was left is none."""
    charged = [PaymentStatus.CAPTURED, PaymentStatus.REFUNDED]
    return PreOrder.objects.filter(Q(authorized_at__isnull=False) | Q(payment_status__in=charged))


def _signed(name: str, signs: Mapping[str, int]) -> Sum:
    """The sum of a column, each entry with the sign of its kind."""
    cases = [When(transaction_type=kind, then=F(name) * sign) for kind, sign in signs.items()]
    return Sum(Case(*cases, default=ZERO, output_field=DecimalField()), default=ZERO)


_Kind = PaymentHistory.Type
VIEWS = {"views": Sum("visits")}
ORDERS = {
    "orders": Count("pk"),
    "web_orders": Count("pk", filter=Q(source=OrderSource.WEB)),
    "portions": Sum("quantity"),
}
MONEY = {
    "revenue": _signed("amount", {_Kind.CAPTURE: 1, _Kind.REFUND: -1}),
    # As the ledger's total has it: a refund returns our fees with it.
    "payout": _signed("amount", {_Kind.CAPTURE: 1, _Kind.REFUND: -1, _Kind.FEE: -1})
    - _signed("platform_fee_amount", {_Kind.CAPTURE: 1, _Kind.REFUND: -1})
    + _signed("processing_fee_amount", {_Kind.REFUND: 1}),
}


def collect(
    figures: dict[Any, Figures], grouped: QuerySet[Any, Any], sums: Mapping[str, Any]
) -> None:
    """Add what `grouped` counts by its one column to the figures of that value."""
    for key, *values in grouped.annotate(**sums).order_by():
        figures[key].add(Figures(**dict(zip(sums, values, strict=True))))


def _sum(by_day: Mapping[date, Figures], period: Period) -> Figures:
    total = Figures()
    for day, figures in by_day.items():
        if day in period:
            total.add(figures)
    return total


def _in_steps(by_day: Mapping[date, Figures], period: Period) -> tuple[str, dict[date, Figures]]:
    """Every day of the period, or its weeks from its first day on, those without anything too."""
    daily = period.days <= DAILY_UP_TO
    step = DAY if daily else WEEK
    steps = {
        period.first + step * number: Figures() for number in range(-(-period.days // step.days))
    }
    for day, figures in by_day.items():
        if day in period:
            steps[period.first + step * ((day - period.first).days // step.days)].add(figures)
    return "day" if daily else "week", steps


def _by_offer(restaurant: Restaurant, period: Period) -> list[OfferFigures]:
    """Offers with anything in the period, the highest revenue first."""
    figures = _Rows(restaurant, period).by_offer()
    offers = SpecialOffer.objects.filter(restaurant=restaurant, pk__in=figures)
    found = [OfferFigures(offer, figures[offer.pk]) for offer in offers]
    return sorted(
        found,
        key=lambda row: (row.figures.revenue, row.figures.orders, row.figures.views),
        reverse=True,
    )
