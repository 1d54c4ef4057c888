"""Tiers: their revenue share, and use per calendar month (DECISIONS X6, X7, X8).

What a plan includes is in `entitlements`.
"""

from datetime import date, datetime, timedelta
from decimal import Decimal

from django.conf import settings

from apps.restaurants.models import Restaurant

PREMIUM, BASIC = "premium", "basic"


def tier_rate(tier: str) -> Decimal:
    """The tier's revenue share in percent. The free tier's first offers each month carry none."""
    if tier == Restaurant.Tier.FREE:
        return settings.FREE_REVENUE_SHARE_RATE
    return settings.BRANDED_REVENUE_SHARE_RATE


def share_rate(restaurant: Restaurant, tier: str) -> Decimal:
    """The revenue share, in percent, that this restaurant has on a plan: the subscribers' share
    while it has a subscription, otherwise the plan's (decision 126)."""
    rate = tier_rate(tier)
    if tier == Restaurant.Tier.FREE or not restaurant.has_subscription:
        return rate
    return min(rate, settings.SUBSCRIPTION_REVENUE_SHARE_RATE)


def tier_type(tier: str) -> str:
    """The tier's name in the list of tenants; branded and enterprise share one (DECISIONS X6)."""
    return BASIC if tier == Restaurant.Tier.FREE else PREMIUM


def tier_at(restaurant: Restaurant, *, now: datetime) -> str:
    """The tier that counts for what is published at `now`.

    A change that is due counts from the first minute of its day where the restaurant is, whether or
    not it was already carried out (decision 121).
    """
    starts = restaurant.next_tier_from
    is_due = starts is not None and now.astimezone(restaurant.zone).date() >= starts
    return restaurant.next_tier if is_due else restaurant.subscription_tier


def month_of(day: date) -> tuple[date, date]:
    """The first and last day of `day`'s month."""
    first = day.replace(day=1)
    next_first = (first + timedelta(days=32)).replace(day=1)
    return first, next_first - timedelta(days=1)


def offers_this_month(restaurant: Restaurant, *, now: datetime) -> int:
    """Number of offers published this calendar month.

    The column keeps last month's number until the next publication resets it.
    """
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    reset = restaurant.last_special_offer_reset_date
    return restaurant.monthly_special_offers_count if reset and reset >= first else 0


def has_reached_limit(restaurant: Restaurant, *, now: datetime) -> bool:
    """Whether the month's offers without platform fee are used up; never on other plans."""
    is_free = tier_at(restaurant, now=now) == Restaurant.Tier.FREE
    return is_free and not free_offers_remaining(restaurant, now=now)


def free_offers_remaining(restaurant: Restaurant, *, now: datetime) -> int:
    """How many offers without platform fee are left this month on the free tier."""
    return max(0, settings.FREE_OFFERS_PER_MONTH - offers_this_month(restaurant, now=now))
