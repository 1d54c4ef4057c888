"""What the pages show of weekly series."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from uuid import UUID

from apps.common.errors import NotFound
from apps.offers.models import OfferSeries, SeriesDate
from apps.offers.series.schedule import WEEKDAYS, Dates, dates_from
from apps.offers.series.services import UNKNOWN_SERIES
from apps.restaurants.models import Restaurant

SHOWN_DATES = 8


@dataclass(frozen=True, slots=True)
class PlannedDate:
    """A serve date to come; `row` is None while nothing happened to it."""

    series: OfferSeries
    dates: Dates
    row: SeriesDate | None

    @property
    def status(self) -> str:
        """`planned`, or the status of its row."""
        return self.row.status if self.row else "planned"

    @property
    def key(self) -> str:
        """The date as forms send it."""
        return self.dates.serve_date.isoformat()


def series_of(restaurant: Restaurant) -> list[OfferSeries]:
    """The running series, newest first."""
    running = OfferSeries.objects.filter(restaurant=restaurant, stopped_at=None)
    return list(running.select_related("restaurant", "pattern").order_by("-created_at"))


def series_for_page(restaurant: Restaurant, series_id: UUID) -> OfferSeries:
    """One series, a stopped one too. Raises NotFound."""
    rows = OfferSeries.objects.select_related("restaurant", "pattern__photo")
    found = rows.filter(restaurant=restaurant, pk=series_id).first()
    if found is None:
        raise NotFound(UNKNOWN_SERIES)
    return found


def dates_to_come(series: OfferSeries, *, now: datetime) -> list[PlannedDate]:
    """The next dates of a running series, published and skipped ones too; today's is the first."""
    today = now.astimezone(series.restaurant.zone).date()
    return list(islice(_planned(series, today), SHOWN_DATES))


def planned_between(
    running: Iterable[OfferSeries], first: date, last: date, *, now: datetime
) -> list[PlannedDate]:
    """The dates of these series in `first` … `last` that aren't published, for the calendar."""
    found: list[PlannedDate] = []
    for series in running:
        for planned in _planned(series, max(first, series.next_serve_date)):
            if planned.dates.serve_date > last:
                break
            if planned.dates.deadline > now and not (planned.row and planned.row.offer_id):
                found.append(planned)
    return found


def _planned(series: OfferSeries, first: date) -> Iterator[PlannedDate]:
    zone = series.restaurant.zone
    rows = {
        row.serve_date: row
        for row in series.dates.select_related("offer").filter(serve_date__gte=first)
    }
    begins = max(first, min([series.next_serve_date, *rows]))
    for dates in dates_from(series, begins, zone):
        yield PlannedDate(series, dates, rows.get(dates.serve_date))


def rhythm(series: OfferSeries) -> str:
    """`Every Thursday`."""
    return f"Every {WEEKDAYS[series.weekday]}"


def closing_day(series: OfferSeries) -> str:
    """The weekday of the deadline: `Tuesday`."""
    return WEEKDAYS[(series.weekday - series.deadline_days_before) % 7]
