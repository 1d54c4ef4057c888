"""What to expect of a special: from how many portions on it carries its cost, and how likely so
many are (decision 19).

The break-even is arithmetic with the one fee schedule. The chance is what past specials say: the
restaurant's own, drawn toward those of all restaurants, the more so the fewer it has had.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
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

# Fewer comparable specials than this, all restaurants together, say too little.
ENOUGH_OFFERS = 20
# Those of others are used only when they are of so many restaurants: the answer then tells nothing
# about any one of them.
ENOUGH_RESTAURANTS = 5
LOOK_BACK = timedelta(days=730)
CACHE_SECONDS = 60 * 60  # seconds: what all restaurants sold changes slowly
# How many specials of one's own weigh as much as what all restaurants have in common: within these
# bounds it is estimated from how much restaurants differ.
LEAST_WEIGHT, MOST_WEIGHT, USUAL_WEIGHT = 2.0, 60.0, 10.0


# --- break-even -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BreakEven:
    """`portions` is None when a portion leaves nothing toward the fixed cost; `left` is what one
    does leave, after fees and its own cost."""

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
    """From how many portions on the special carries `fixed_cost`. Rates are in per cent.

    Fees are those of orders of one portion, the dearest case: a larger order pays the processor's
    fixed part once. Tax passes through; only its part of the fees is counted.
    """
    total = price + price.percent(tax_rate)
    fees = order_fees(subtotal=price, total=total, revenue_share_rate=share_rate, currency=currency)

    def say(amount: Money) -> str:
        return formats.money(amount, currency)

    left = price - fees.application_fee - portion_cost
    each = f"At {say(price)} and {say(portion_cost)} of cost a portion"
    if left.cents <= 0:
        lost = f"{each}, fees of {say(fees.application_fee)} leave nothing toward the fixed cost."
        return BreakEven(None, left, lost, "Raise the price, or make a portion cheaper.")
    portions = max(1, -(-fixed_cost.cents // left.cents))
    verb = "carries" if portions == 1 else "carry"
    sentence = (
        f"{each}, {formats.count(portions, 'portion')} {verb} {say(fixed_cost)} of fixed cost "
        f"after fees. Each one more leaves {say(left)}."
    )
    warning = ""
    if maximum is not None and maximum < portions:
        warning = f"Your maximum of {maximum} is below that: it cannot carry its cost."
    elif minimum < portions:
        loss = fixed_cost - left * minimum
        warning = f"With a minimum of {minimum} it may go ahead at a loss of up to {say(loss)}."
    return BreakEven(portions, left, sentence, warning)


# --- chance ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TrackRecord:
    """Of so many comparable specials so many sold enough."""

    offers: int
    reached: int


@dataclass(frozen=True, slots=True)
class Tally:
    """All restaurants' comparable specials in five sums: how many restaurants and specials, how
    many sold enough, and what tells how much restaurants differ; as of `counted_at`."""

    counted_at: datetime
    restaurants: int = 0
    offers: int = 0
    reached: int = 0
    offers_squared: float = 0.0
    reached_squared_by_offers: float = 0.0

    def without(self, own: TrackRecord) -> "Tally":
        """Everybody else's. `own` is the restaurant's part in it, counted at the same moment."""
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
        """How many of all sold enough, never quite none or all of them."""
        return (self.reached + 0.5) / (self.offers + 1)

    @property
    def weight(self) -> float:
        """How many specials of one's own it takes to weigh as much as everybody else's: many when
        restaurants are alike, few when they differ (the beta-binomial's intra-class correlation by
        the analysis of variance)."""
        between, within = self.restaurants - 1, self.offers - self.restaurants
        if between < 1 or within < 1:
            return USUAL_WEIGHT
        spread = self.reached_squared_by_offers
        mean_between = (spread - self.reached**2 / self.offers) / between
        mean_within = (self.reached - spread) / within
        size = (self.offers - self.offers_squared / self.offers) / between
        total = mean_between + (size - 1) * mean_within
        if total <= 0:
            return USUAL_WEIGHT
        alike = (mean_between - mean_within) / total
        if alike <= 0:
            return MOST_WEIGHT
        return min(MOST_WEIGHT, max(LEAST_WEIGHT, 1 / alike - 1))


@dataclass(frozen=True, slots=True)
class Chance:
    """`percent` is None when there is too little to go by."""

    percent: int | None
    sentence: str
    evidence: str
    own: TrackRecord
    others: TrackRecord


def chance_of(*, restaurant: Restaurant, portions: int, now: datetime, booked: int = 0) -> Chance:
    """How likely `portions` are, judged by specials that could have sold so many and sold at least
    `booked`, which are sold already."""
    if booked >= portions:
        none = TrackRecord(0, 0)
        words = f"{formats.count(portions, 'portion')} are booked: the minimum is met."
        return Chance(100, words, "", none, none)
    everybody = _everybody(portions, booked, now)
    own, own_then = _own_record(restaurant.pk, portions, booked, now, everybody.counted_at)
    others = everybody.without(own_then)
    if others.restaurants < ENOUGH_RESTAURANTS:
        others = Tally(now)
    record = TrackRecord(others.offers, others.reached)
    if own.offers + others.offers < ENOUGH_OFFERS:
        return Chance(None, _too_little(own), _evidence(own, record, portions), own, record)
    weight = others.weight if others.offers else 1.0
    share = (own.reached + weight * others.share) / (own.offers + weight)
    percent = min(99, max(1, round(100 * share)))
    return Chance(
        percent,
        f"The chance of {formats.count(portions, 'portion')} is about {percent}%.",
        _evidence(own, record, portions),
        own,
        record,
    )


def _comparable(portions: int, booked: int, now: datetime) -> QuerySet[SpecialOffer]:
    """Decided specials that were not capped below `portions`, each with what diners bought of it;
    portions the house took itself say nothing about demand."""
    could_sell = Q(max_preorders=None) | Q(max_preorders__gte=portions)
    decided = SpecialOffer.objects.filter(
        could_sell, status__in=sorted(DECIDED), decided_at__gte=now - LOOK_BACK
    )
    return decided.annotate(sold=F("ordered_portions") - F("restaurant_portions")).filter(
        sold__gte=booked
    )


def _own_record(
    restaurant_id: UUID, portions: int, booked: int, now: datetime, then: datetime
) -> tuple[TrackRecord, TrackRecord]:
    """The restaurant's record as it is now, and as it was when everybody's was counted."""
    sold_enough, before = Q(sold__gte=portions), Q(decided_at__lt=then)
    mine = _comparable(portions, booked, now).filter(restaurant_id=restaurant_id)
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


def _everybody(portions: int, booked: int, now: datetime) -> Tally:
    """The sums over all restaurants, at most an hour old. Nothing of any one restaurant is kept."""
    key = f"advisor:{portions}:{booked}"
    kept: Tally | None = cache.get(key)
    if kept is None:
        with rls.acting_as(rls.PLATFORM):
            kept = _count_everybody(portions, booked, now)
        cache.set(key, kept, CACHE_SECONDS)
    return kept


def _count_everybody(portions: int, booked: int, now: datetime) -> Tally:
    """One statement: counted per restaurant, then summed, in the database."""
    each = (
        _comparable(portions, booked, now)
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


def _too_little(own: TrackRecord) -> str:
    had = f"you have had {own.offers}" if own.offers else "you have had none"
    return (
        "There is too little to go by yet: it takes the record of "
        f"{ENOUGH_OFFERS} specials, and {had}."
    )


def _evidence(own: TrackRecord, others: TrackRecord, portions: int) -> str:
    """`Based on your 7 offers and 412 of others: 5 of yours and 63% of theirs sold 12 or more.`"""
    parts = [f"{own.reached} of your {formats.count(own.offers, 'offer')}"] if own.offers else []
    if others.offers:
        share = round(100 * others.reached / others.offers)
        parts.append(f"{share}% of {others.offers:,} offers of other restaurants")
    if not parts:
        return ""
    return f"Based on the last two years: {' and '.join(parts)} sold {portions} or more."
