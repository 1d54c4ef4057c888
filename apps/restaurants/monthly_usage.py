"""What a restaurant has used of its calendar month, counted in its own zone (DECISIONS X8)."""

from datetime import date, datetime, timedelta

from django.conf import settings

from apps.restaurants.models import Restaurant


def month_of(day: date) -> tuple[date, date]:
    """The first and the last day of the month that `day` is in."""
    first = day.replace(day=1)
    next_first = (first + timedelta(days=32)).replace(day=1)
    return first, next_first - timedelta(days=1)


def offers_this_month(restaurant: Restaurant, *, now: datetime) -> int:
    """How many offers the restaurant published this calendar month, in its own zone. The column
    keeps the last month's number until the next publication resets it."""
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    reset = restaurant.last_special_offer_reset_date
    return restaurant.monthly_special_offers_count if reset and reset >= first else 0


def free_offers_remaining(restaurant: Restaurant, *, now: datetime) -> int:
    """What is left of the free tier's month (C2)."""
    return max(0, settings.FREE_OFFERS_PER_MONTH - offers_this_month(restaurant, now=now))
