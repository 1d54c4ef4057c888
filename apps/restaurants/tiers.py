"""Tiers, their revenue share, and the features they include (DECISIONS X6, X7)."""

from decimal import Decimal

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


def can_embed(restaurant: Restaurant) -> bool:
    """Whether the plan includes embedding in other sites (DECISIONS X66)."""
    return restaurant.subscription_tier != Restaurant.Tier.FREE


def can_analyze(restaurant: Restaurant) -> bool:
    """Whether the plan includes analytics (DECISIONS X66)."""
    return restaurant.subscription_tier != Restaurant.Tier.FREE
