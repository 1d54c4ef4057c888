"""When a series is served, opens, and closes; and when one special can run again.

Everything is local time of the restaurant, so a deadline at 6 PM stays at 6 PM when the clocks
change. A local time that the change skips counts as an hour later, one that comes twice as the
first of them: https://docs.python.org/3/library/datetime.html#datetime.datetime.fold
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from apps.offers.validation import MAX_OPEN_TIME

if TYPE_CHECKING:
    from apps.offers.models import OfferSeries, SpecialOffer

WEEK = timedelta(days=7)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Dates:
    """One special of a series: its serve date, and when it takes orders (UTC)."""

    serve_date: date
    opens_at: datetime
    deadline: datetime


def local_moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """This local time as UTC."""
    return datetime.combine(day, at, zone).astimezone(ZoneInfo("UTC"))


def dates_of(series: "OfferSeries", serve_date: date, zone: ZoneInfo) -> Dates:
    """The dates of the series' special on this serve date.

    It opens at the hour of its deadline, `opens_days_before` days earlier, and never longer before
    than a card hold lasts: a week in which the clocks go back is an hour too long.
    """
    closing_day = serve_date - timedelta(days=series.deadline_days_before)
    deadline = local_moment(closing_day, series.deadline_time, zone)
    opening_day = closing_day - timedelta(days=series.opens_days_before)
    opens_at = local_moment(opening_day, series.deadline_time, zone)
    return Dates(serve_date, max(opens_at, deadline - MAX_OPEN_TIME), deadline)


def dates_from(series: "OfferSeries", first: date, zone: ZoneInfo) -> Iterator[Dates]:
    """The dates from `first` on, without end. `first` counts if it is the series' weekday."""
    day = first + timedelta(days=(series.weekday - first.weekday()) % 7)
    while True:
        yield dates_of(series, day, zone)
        day += WEEK


def days_before(offer: "SpecialOffer", zone: ZoneInfo) -> tuple[int, time]:
    """How many days before its serve date the offer closed, and at which local time."""
    closed = offer.deadline.astimezone(zone)
    return (offer.serve_date - closed.date()).days, closed.time().replace(second=0, microsecond=0)


def next_dates(offer: "SpecialOffer", *, now: datetime, zone: ZoneInfo) -> tuple[date, datetime]:
    """The next serve date on the offer's weekday and its deadline, in weeks from the offer's own,
    at the same local hour. The deadline is after `now`, and at most as far as a hold lasts."""
    days, at = days_before(offer, zone)
    serve_date = offer.serve_date
    weeks = max(0, (now.astimezone(zone).date() - serve_date).days // 7)
    serve_date += weeks * WEEK
    while (deadline := local_moment(serve_date - timedelta(days=days), at, zone)) <= now:
        serve_date += WEEK
    return serve_date, min(deadline, now + MAX_OPEN_TIME)
