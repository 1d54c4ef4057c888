"""Opening hours for templates."""

from django import template

from apps.restaurants.opening_hours import in_words

register = template.Library()

# {{ restaurant.hours_of_operation|in_words }}: one line in the active language; empty if there are
# none.
register.filter("in_words", in_words)
