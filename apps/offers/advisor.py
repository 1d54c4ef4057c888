"""Forecast of a special: its break-even, and its chance of success (decision 19).

The break-even is arithmetic with the fee schedule. The chance comes from past specials: the
restaurant's own, weighted toward those of all restaurants if it has had few of its own.
"""

from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import Count, F, FloatField, Q, QuerySet, Sum
from django.db.models.functions import Cast

from apps.billing.fees import order_fees
from apps.common import formats, rls
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED
from apps.restaurants.models import Restaurant

# With fewer comparable specials, over all restaurants, there is no forecast.
MIN_OFFERS = 20
# Other restaurants' specials are used only if there are this many of those restaurants, so the
# answer reveals nothing about any one of them.
MIN_OTHER_RESTAURANTS = 5
LOOK_BACK = timedelta(days=730)
TALLY_CACHE_SECONDS = 60 * 60  # what all restaurants sold changes slowly
# How many of its own specials a restaurant needs for them to weigh as much as everybody else's.
# Estimated, within these bounds, from how much restaurants differ.
MIN_WEIGHT, MAX_WEIGHT, DEFAULT_WEIGHT = 2.0, 60.0, 10.0


# --- break-even -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BreakEven:
    """`left` is what one portion leaves toward the fixed cost, after fees and its own cost;
    `portions` is None if that is nothing."""

    portions: int | None
    left: Money
    sentence: str
    warning: str


def break_even(
    *,
    price: Money,
    tax_rate: Decimal,
    share_rate: Decimal,
    fixed_cost: Money,
    portion_cost: Money,
    minimum: int,
    maximum: int | None,
    currency: str,
) -> BreakEven:
    """The number of portions that covers `fixed_cost`. Rates are in percent.

    Assumes orders of one portion, the most expensive case: a larger order pays the processor's
    fixed fee once. Tax itself is passed through; only the fees on it count.
    """
    total = price + price.percent(tax_rate)
    fees = order_fees(subtotal=price, total=total, revenue_share_rate=share_rate, currency=currency)

    def say(amount: Money) -> str:
        return formats.money(amount, currency)

    left = price - fees.application_fee - portion_cost
    each = f"At a price of {say(price)} and a cost of {say(portion_cost)} per portion"
    if left.cents <= 0:
        lost = f"{each}, nothing is left for fixed costs after {say(fees.application_fee)} in fees."
        return BreakEven(None, left, lost, "Raise the price, or lower the cost per portion.")
    portions = max(1, -(-fixed_cost.cents // left.cents))
    sentence = (
        f"{each}, you need {formats.count(portions, 'portion')} to cover {say(fixed_cost)} in "
        f"fixed costs after fees. Each portion beyond that earns {say(left)}."
    )
    warning = ""
    if maximum is not None and maximum < portions:
        warning = f"Your maximum of {maximum} is below that, so this special can't cover its costs."
    elif minimum < portions:
        loss = fixed_cost - left * minimum
        warning = f"With a minimum of {minimum}, you could lose up to {say(loss)}."
    return BreakEven(portions, left, sentence, warning)


# --- chance ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TrackRecord:
    """How many comparable specials there are, and how many of them sold enough portions."""

    offers: int
    reached: int


@dataclass(frozen=True, slots=True)
class Tally:
    """All restaurants' comparable specials, as sums at `counted_at`: restaurants, specials, how
    many sold enough, and two sums that show how much restaurants differ."""

    counted_at: datetime
    restaurants: int = 0
    offers: int = 0
    reached: int = 0
    offers_squared: float = 0.0
    reached_squared_by_offers: float = 0.0

    def without(self, own: TrackRecord) -> "Tally":
        """The tally of all other restaurants. `own` must be counted at the same moment."""
        if not own.offers:
            return self
        return Tally(
            self.counted_at,
            self.restaurants - 1,
            self.offers - own.offers,
            self.reached - own.reached,
            self.offers_squared - own.offers**2,
            self.reached_squared_by_offers - own.reached**2 / own.offers,
        )

    @property
    def share(self) -> float:
        """The share of specials that sold enough, between 0 and 1 but never exactly either."""
        return (self.reached + 0.5) / (self.offers + 1)

    @property
    def weight(self) -> float:
        """How many of its own specials a restaurant needs for them to weigh as much as everybody
        else's: many if restaurants are alike, few if they differ. Estimated from the intraclass
        correlation of the beta-binomial model by analysis of variance."""
        between, within = self.restaurants - 1, self.offers - self.restaurants
        if between < 1 or within < 1:
            return DEFAULT_WEIGHT
        spread = self.reached_squared_by_offers
        mean_between = (spread - self.reached**2 / self.offers) / between
        mean_within = (self.reached - spread) / within
        size = (self.offers - self.offers_squared / self.offers) / between
        total = mean_between + (size - 1) * mean_within
        if total <= 0:
            return DEFAULT_WEIGHT
        alike = (mean_between - mean_within) / total
        if alike <= 0:
            return MAX_WEIGHT
        return min(MAX_WEIGHT, max(MIN_WEIGHT, 1 / alike - 1))


@dataclass(frozen=True, slots=True)
class Chance:
    """`percent` is None if there are too few comparable specials."""

    percent: int | None
    sentence: str
    evidence: str
    own: TrackRecord
    others: TrackRecord


def chance_of(
    *, restaurant: Restaurant, portions: int, now: datetime, already_ordered: int = 0
) -> Chance:
    """The chance of selling `portions`, of which guests have ordered `already_ordered` so far.

    Compares with past specials that could have sold that many and sold at least `already_ordered`.
    """
    if already_ordered >= portions:
        none = TrackRecord(0, 0)
        are = "is" if already_ordered == 1 else "are"
        sentence = (
            f"{formats.count(already_ordered, 'portion')} {are} ordered, so the minimum is met."
        )
        return Chance(100, sentence, "", none, none)
    overall = _all_restaurants(portions, already_ordered, now)
    own, own_then = _own_record(restaurant.pk, portions, already_ordered, now, overall.counted_at)
    others = overall.without(own_then)
    if others.restaurants < MIN_OTHER_RESTAURANTS:
        others = Tally(now)
    record = TrackRecord(others.offers, others.reached)
    if own.offers + others.offers < MIN_OFFERS:
        return Chance(None, _too_few_specials(own), _evidence(own, record, portions), own, record)
    weight = others.weight if others.offers else 1.0
    share = (own.reached + weight * others.share) / (own.offers + weight)
    percent = min(99, max(1, round(100 * share)))
    return Chance(
        percent,
        f"The chance of reaching {formats.count(portions, 'portion')} is about {percent}%.",
        _evidence(own, record, portions),
        own,
        record,
    )


def _comparable(portions: int, already_ordered: int, now: datetime) -> QuerySet[SpecialOffer]:
    """Decided specials whose maximum allowed `portions`, annotated with what guests ordered.
    Portions the restaurant added itself say nothing about demand."""
    could_sell = Q(max_preorders=None) | Q(max_preorders__gte=portions)
    decided = SpecialOffer.objects.filter(
        could_sell, status__in=sorted(DECIDED), decided_at__gte=now - LOOK_BACK
    )
    return decided.annotate(sold=F("ordered_portions") - F("restaurant_portions")).filter(
        sold__gte=already_ordered
    )


def _own_record(
    restaurant_id: UUID, portions: int, already_ordered: int, now: datetime, then: datetime
) -> tuple[TrackRecord, TrackRecord]:
    """The restaurant's record now, and at `then`, when the tally of all restaurants was counted."""
    sold_enough, before = Q(sold__gte=portions), Q(decided_at__lt=then)
    mine = _comparable(portions, already_ordered, now).filter(restaurant_id=restaurant_id)
    counted = mine.aggregate(
        offers=Count("pk"),
        reached=Count("pk", filter=sold_enough),
        offers_then=Count("pk", filter=before),
        reached_then=Count("pk", filter=sold_enough & before),
    )
    return (
        TrackRecord(counted["offers"], counted["reached"]),
        TrackRecord(counted["offers_then"], counted["reached_then"]),
    )


def _all_restaurants(portions: int, already_ordered: int, now: datetime) -> Tally:
    """The tally of all restaurants, at most an hour old. Holds no data of a single restaurant."""
    key = f"advisor:{portions}:{already_ordered}"
    cached: list[Any] | None = cache.get(key)
    if cached is not None:
        counted_at, *sums = cached
        return Tally(datetime.fromisoformat(counted_at), *sums)
    with rls.acting_as(rls.PLATFORM):
        tally = _count_all_restaurants(portions, already_ordered, now)
    counted_at, *sums = astuple(tally)
    cache.set(key, [counted_at.isoformat(), *sums], TALLY_CACHE_SECONDS)
    return tally


def _count_all_restaurants(portions: int, already_ordered: int, now: datetime) -> Tally:
    """Counts per restaurant and sums, in one query."""
    each = (
        _comparable(portions, already_ordered, now)
        .filter(decided_at__lt=now)
        .values("restaurant_id")
        .annotate(n=Count("pk"), k=Count("pk", filter=Q(sold__gte=portions)))
    )
    n, k = Cast("n", FloatField()), Cast("k", FloatField())
    sums = each.aggregate(
        restaurants=Count("restaurant_id"),
        offers=Sum("n"),
        reached=Sum("k"),
        n_squared=Sum(n * n),
        k_squared_by_n=Sum(k * k / n),
    )
    return Tally(
        now,
        sums["restaurants"],
        sums["offers"] or 0,
        sums["reached"] or 0,
        sums["n_squared"] or 0.0,
        sums["k_squared_by_n"] or 0.0,
    )


def _too_few_specials(own: TrackRecord) -> str:
    had = f"You've had {own.offers} so far." if own.offers else "You haven't had any yet."
    return f"Forecasts start after {MIN_OFFERS} comparable specials. {had}"


def _evidence(own: TrackRecord, others: TrackRecord, portions: int) -> str:
    """`In the last two years, 5 of your 7 specials and 63% of 412 specials at other restaurants
    sold 12 or more.`"""
    parts = [f"{own.reached} of your {formats.count(own.offers, 'special')}"] if own.offers else []
    if others.offers:
        share = round(100 * others.reached / others.offers)
        parts.append(f"{share}% of {others.offers:,} specials at other restaurants")
    if not parts:
        return ""
    return f"In the last two years, {' and '.join(parts)} sold {portions} or more."
