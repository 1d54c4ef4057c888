"""What a subscription costs and changes, for every page and rule that says so."""

from calendar import monthrange
from datetime import datetime

from django.conf import settings

from apps.billing.models import Subscription
from apps.common.currencies import PLATFORM_CURRENCY
from apps.common.money import Money
from apps.restaurants.models import Restaurant

SUBSCRIPTION_MODE = "subscription"


def is_sold() -> bool:
    """Whether restaurants can subscribe. Subscriptions that exist go on in any case."""
    return settings.BILLING_MODE == SUBSCRIPTION_MODE


def monthly_price() -> Money:
    return Money(settings.SUBSCRIPTION_PRICE_CENTS)


def price_currency() -> str:
    return PLATFORM_CURRENCY


def subscription_of(restaurant: Restaurant) -> Subscription | None:
    return Subscription.objects.filter(restaurant=restaurant).first()


def wants_free_plan(restaurant: Restaurant) -> bool:
    """Whether the restaurant has, or has chosen, the plan that a subscription isn't for."""
    return Restaurant.Tier.FREE in (restaurant.subscription_tier, restaurant.next_tier)


def a_month_after(moment: datetime) -> datetime:
    """The same day of the next month, or its last one, as Stripe counts months:
    https://docs.stripe.com/billing/subscriptions/billing-cycle"""
    year, month = divmod(moment.year * 12 + moment.month, 12)
    month += 1
    day = min(moment.day, monthrange(year, month)[1])
    return moment.replace(year=year, month=month, day=day)
