"""The day on which a restaurant plans to take orders, while it takes none (decision 188)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.restaurants.models import Restaurant

FARTHEST = timedelta(days=365)
TOO_EARLY = "Choose today or a later day."
TOO_LATE = "Choose a day within a year."


def opening_day_problem(day: date | None, zone: ZoneInfo, *, now: datetime) -> str:
    """What is wrong with this plan, made `now`; empty if nothing is."""
    today = now.astimezone(zone).date()
    if day is None or today <= day <= today + FARTHEST:
        return ""
    return TOO_EARLY if day < today else TOO_LATE


def planned_opening(
    restaurant: Restaurant, *, now: datetime, before: datetime | None = None
) -> date | None:
    """The day it plans to take orders; None without a plan, after that day, or if it's a later day
    than that of `before`."""
    day, zone = restaurant.opening_day, restaurant.zone
    is_to_come = day is not None and day >= now.astimezone(zone).date()
    is_in_time = day is not None and (before is None or day <= before.astimezone(zone).date())
    return day if is_to_come and is_in_time else None
