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
    """`{% opening_day restaurant as day %}`, as `planned_opening`."""
    return planned_opening(restaurant, now=clock.now(), before=before)
