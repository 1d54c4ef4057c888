"""Opening hours for templates."""

from django import template

from apps.restaurants.opening_hours import entries_of

register = template.Library()

# {{ restaurant.hours_of_operation|opening_hours }}: a list in the active language; empty if there
# are none.
register.filter("opening_hours", entries_of)
