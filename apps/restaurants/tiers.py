"""The tiers, and what the platform's share of an order is in each (C3, DECISIONS X6, X7)."""

from decimal import Decimal

from django.conf import settings

from apps.restaurants.models import Restaurant

PREMIUM, BASIC = "premium", "basic"


def tier_rate(tier: str) -> Decimal:
    """The tier's revenue share in per cent (C3); the free tier's first offers of a month are 0."""
    if tier == Restaurant.Tier.FREE:
        return settings.FREE_REVENUE_SHARE_RATE
    return settings.BRANDED_REVENUE_SHARE_RATE


def tier_type(tier: str) -> str:
    """What the list of tenants calls the tier: branded and enterprise are one (DECISIONS X6)."""
    return BASIC if tier == Restaurant.Tier.FREE else PREMIUM


def can_embed(restaurant: Restaurant) -> bool:
    """Whether the plan lets other sites show the specials in a frame (DECISIONS X66)."""
    return restaurant.subscription_tier != Restaurant.Tier.FREE


def can_analyze(restaurant: Restaurant) -> bool:
    """Whether the plan includes analytics (DECISIONS X66)."""
    return restaurant.subscription_tier != Restaurant.Tier.FREE
