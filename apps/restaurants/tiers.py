"""Tiers: their revenue share, features, and use per calendar month (DECISIONS X6, X7, X8)."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from django.conf import settings

from apps.restaurants.models import Restaurant

PREMIUM, BASIC = "premium", "basic"


def tier_rate(tier: str) -> Decimal:
    """The tier's revenue share in percent. The free tier's first offers each month carry none."""
    if tier == Restaurant.Tier.FREE:
        return settings.FREE_REVENUE_SHARE_RATE
    return settings.BRANDED_REVENUE_SHARE_RATE


def tier_type(tier: str) -> str:
    """The tier's name in the list of tenants; branded and enterprise share one (DECISIONS X6)."""
    return BASIC if tier == Restaurant.Tier.FREE else PREMIUM


class Feature(StrEnum):
    """What a plan can include besides the share; a page that sells one reads `FEATURE_LABELS`."""

    EMBEDDING = "embedding"
    ANALYTICS = "analytics"


FEATURES: Mapping[str, frozenset[Feature]] = {
    Restaurant.Tier.FREE: frozenset(),
    Restaurant.Tier.BRANDED: frozenset(Feature),
    Restaurant.Tier.ENTERPRISE: frozenset(Feature),
}
FEATURE_LABELS = {
    Feature.EMBEDDING: "Your specials on your own site",
    Feature.ANALYTICS: "Sales analytics",
}


def can_embed(restaurant: Restaurant) -> bool:
    """Whether the plan includes embedding in other sites (DECISIONS X66)."""
    return Feature.EMBEDDING in FEATURES[restaurant.subscription_tier]


def can_analyze(restaurant: Restaurant) -> bool:
    """Whether the plan includes analytics (DECISIONS X66)."""
    return Feature.ANALYTICS in FEATURES[restaurant.subscription_tier]


def features_of(tier: str) -> list[str]:
    """What the plan includes, as plan pages list it: nothing that isn't there."""
    included = FEATURES[tier]
    labels = [label for feature, label in FEATURE_LABELS.items() if feature in included]
    return labels if tier == Restaurant.Tier.FREE else ["Unlimited specials", *labels]


def upgrade_summary() -> str:
    """What the branded plan adds to the free one, in a sentence."""
    first, *rest = features_of(Restaurant.Tier.BRANDED)
    *between, last = (label[0].lower() + label[1:] for label in rest)
    return f"{', '.join([first, *between])}, and {last}."


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
    is_free = restaurant.subscription_tier == Restaurant.Tier.FREE
    return is_free and not free_offers_remaining(restaurant, now=now)


def free_offers_remaining(restaurant: Restaurant, *, now: datetime) -> int:
    """How many offers without platform fee are left this month on the free tier."""
    return max(0, settings.FREE_OFFERS_PER_MONTH - offers_this_month(restaurant, now=now))
