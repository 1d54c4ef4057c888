"""Opening hours, and the day from which orders are taken, for templates."""

from datetime import date, datetime

from django import template

from apps.common import clock
from apps.restaurants.models import Restaurant
from apps.restaurants.opening_day import planned_opening
from apps.restaurants.opening_hours import entries_of

register = template.Library()

# {{ restaurant.hours_of_operation|opening_hours }}: a list in the active language; empty if there
# are none.
register.filter("opening_hours", entries_of)


@register.simple_tag
def opening_day(restaurant: Restaurant, before: datetime | None = None) -> date | None:
    """`{% opening_day restaurant as day %}`: when it plans to take orders; None without a plan, or
    after that day, or if it's a later day than that of `before`."""
    day = planned_opening(restaurant, now=clock.now())
    is_too_late = day and before and day > before.astimezone(restaurant.zone).date()
    return None if is_too_late else day
