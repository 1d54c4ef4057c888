"""A month of a restaurant's specials by serve date, planned ones of series included."""

import calendar
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from apps.offers.models import OfferSeries, SpecialOffer
from apps.offers.presentation import Special
from apps.offers.series.selectors import PlannedDate, planned_between
from apps.restaurants.models import Restaurant

MAX_ROWS = 500  # specials of a month
MONTHS_AHEAD = timedelta(days=366)  # how far planned dates are shown
_MONTH = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Day:
    """One day with what is served on it."""

    date: date
    is_in_month: bool
    is_today: bool
    specials: list[Special] = field(default_factory=list)
    planned: list[PlannedDate] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not self.specials and not self.planned


@dataclass(frozen=True, slots=True)
class Month:
    """Weeks of seven days, beginning on Sunday, that cover the month."""

    first: date
    weeks: list[list[Day]]

    @property
    def before(self) -> date:
        return (self.first - timedelta(days=1)).replace(day=1)

    @property
    def after(self) -> date:
        return (self.first + timedelta(days=31)).replace(day=1)

    @property
    def agenda(self) -> list[Day]:
        """The month's own days that have something, from today on if today is in it."""
        return [day for day in self._own_days if day.date >= self._begin]

    @property
    def earlier(self) -> list[Day]:
        """Those before today, while the month lasts."""
        return [day for day in self._own_days if day.date < self._begin]

    @property
    def _own_days(self) -> list[Day]:
        days = [day for week in self.weeks for day in week]
        return [day for day in days if day.is_in_month and not day.is_empty]

    @property
    def _begin(self) -> date:
        days = [day for week in self.weeks for day in week]
        return next((day.date for day in days if day.is_today and day.is_in_month), self.first)


def read_month(text: str) -> date | None:
    """The first day of `2026-11`; None if it isn't a month between 2000 and 2999."""
    found = _MONTH.fullmatch(text)
    return date(int(found[1]), int(found[2]), 1) if found else None


def month_of(
    restaurant: Restaurant, first: date, *, series: list[OfferSeries], now: datetime
) -> Month:
    """The month that begins on `first`. `series` are the running ones."""
    weeks = calendar.Calendar(calendar.SUNDAY).monthdatescalendar(first.year, first.month)
    begin, end = weeks[0][0], weeks[-1][-1]
    offers = SpecialOffer.objects.for_display().filter(
        restaurant=restaurant, serve_date__range=(begin, end), deleted_at=None
    )
    specials: dict[date, list[Special]] = defaultdict(list)
    for offer in offers.order_by("deadline", "pk")[:MAX_ROWS]:
        specials[offer.serve_date].append(Special(offer, now))
    planned: dict[date, list[PlannedDate]] = defaultdict(list)
    today = now.astimezone(restaurant.zone).date()
    if begin <= today + MONTHS_AHEAD:
        for each in planned_between(series, begin, end, now=now):
            planned[each.dates.serve_date].append(each)
    return Month(
        first,
        [
            [
                Day(each, each.month == first.month, each == today, specials[each], planned[each])
                for each in week
            ]
            for week in weeks
        ],
    )
