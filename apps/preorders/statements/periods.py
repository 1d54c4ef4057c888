"""The days and months that statements are about, in the restaurant's time zone."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from apps.common import formats
from apps.restaurants.tiers import month_of

FIRST_YEAR = 2000


@dataclass(frozen=True, slots=True)
class Period:
    """A day, or a whole month: `2027-03-22`, `2027-03`."""

    first: date
    last: date

    @classmethod
    def month(cls, day: date) -> "Period":
        return cls(*month_of(day))

    @property
    def is_month(self) -> bool:
        return self.first != self.last

    @property
    def name(self) -> str:
        """As in addresses and file names."""
        return f"{self.first:%Y-%m}" if self.is_month else self.first.isoformat()

    @property
    def label(self) -> str:
        """As people read it: `March 2027`."""
        return f"{self.first:%B %Y}" if self.is_month else formats.date_with_year(self.first)

    @property
    def before(self) -> "Period":
        day = self.first - timedelta(days=1)
        return Period.month(day) if self.is_month else Period(day, day)

    @property
    def after(self) -> "Period":
        day = self.last + timedelta(days=1)
        return Period.month(day) if self.is_month else Period(day, day)

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """The moments in which it begins and ends, the second one no longer in it."""
        midnight = time(tzinfo=zone)
        return (
            datetime.combine(self.first, midnight),
            datetime.combine(self.last + timedelta(days=1), midnight),
        )


def read_period(name: str) -> Period | None:
    """The period with this name; None if there is none."""
    is_month = len(name) == len("2027-03")
    try:
        day = date.fromisoformat(f"{name}-01" if is_month else name)
    except ValueError:
        return None
    # Beyond these a calendar has no month before or after.
    if not FIRST_YEAR <= day.year < date.max.year:
        return None
    return Period.month(day) if is_month else Period(day, day)
