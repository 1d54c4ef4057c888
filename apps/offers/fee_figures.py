"""The fee figures on the landing page and in the terms, computed from the fee schedule, in the
platform's currency."""

from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.billing.fees import order_fees, processing_fixed
from apps.billing.subscriptions.terms import is_sold, monthly_price, price_currency
from apps.common.currencies import PLATFORM_CURRENCY
from apps.common.money import Money
from apps.restaurants.entitlements import upgrade_summary
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import tier_rate

EXAMPLE_ORDER = Decimal("48.00")


def fee_figures() -> dict[str, Any]:
    """Template context: the rates in percent, and an example order for each plan (DECISIONS X3)."""
    return {
        "free_offers": settings.FREE_OFFERS_PER_MONTH,
        "free_rate": tier_rate(Restaurant.Tier.FREE),
        "branded_includes": upgrade_summary(),
        "branded_rate": tier_rate(Restaurant.Tier.BRANDED),
        "processing_rate": settings.PROCESSING_FEE_RATE,
        "processing_fixed": processing_fixed(PLATFORM_CURRENCY),
        "currency": PLATFORM_CURRENCY,
        "subscription": _subscription(),
        "example": EXAMPLE_ORDER,
        "columns": [
            _example("Free, first specials of the month", Decimal(0)),
            _example("Free, after that", tier_rate(Restaurant.Tier.FREE)),
            _example("Branded", tier_rate(Restaurant.Tier.BRANDED)),
        ],
    }


def _subscription() -> dict[str, Any] | None:
    """What a subscription costs; None where none is sold (decision 126)."""
    if not is_sold():
        return None
    return {
        "price": monthly_price(),
        "currency": price_currency(),
        "share": settings.SUBSCRIPTION_REVENUE_SHARE_RATE,
    }


def _example(name: str, rate: Decimal) -> dict[str, Any]:
    total = Money.of(EXAMPLE_ORDER)
    fees = order_fees(
        subtotal=total, total=total, revenue_share_rate=rate, currency=PLATFORM_CURRENCY
    )
    return {
        "name": name,
        "rate": rate,
        "share": fees.revenue_share.amount,
        "processing": fees.processing.amount,
        "payout": (total - fees.application_fee).amount,
    }
