"""A restaurant's subscription status and its billing portal at Stripe.

Tiers don't need a subscription, because the platform earns by revenue share (DECISIONS X1). If a
restaurant is nevertheless a Stripe customer of the platform, this shows what Stripe says about it.
"""

import logging
from dataclasses import dataclass
from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common.errors import Conflict, Unavailable
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

UNKNOWN = "Unable to load subscription status"
NO_PORTAL = "Unable to open billing portal. Please try again."
NO_BILLS = "Your plan has no monthly fee, so there are no bills to manage."
ACTIVE = "active"
RETURN_TO = "/restaurant/settings?section=subscription"


@dataclass(frozen=True, slots=True)
class SubscriptionStatus:
    """`status` is Stripe's value, or `active` for a tier without a subscription."""

    tier: str
    status: str
    current_period_end: datetime | None
    has_stripe_customer: bool


def subscription_status(restaurant: Restaurant) -> SubscriptionStatus:
    """The restaurant's subscription status. Raises Unavailable if Stripe doesn't answer."""
    tier, customer = restaurant.subscription_tier, restaurant.payment_customer_id
    if not customer:
        return SubscriptionStatus(tier, ACTIVE, None, has_stripe_customer=False)
    try:
        found = gateway.latest_subscription(customer)
    except GatewayError as error:
        logger.warning("no subscription of %s: %s", restaurant.pk, error)
        raise Unavailable(UNKNOWN) from error
    if found is None:
        return SubscriptionStatus(tier, ACTIVE, None, has_stripe_customer=True)
    return SubscriptionStatus(tier, found.status, found.period_end, has_stripe_customer=True)


def billing_portal(restaurant: Restaurant) -> str:
    """The URL of Stripe's billing portal for this restaurant, valid for a few minutes.

    Raises Conflict for a restaurant without bills, and Unavailable if Stripe doesn't answer.
    """
    if not restaurant.payment_customer_id:
        raise Conflict(NO_BILLS)
    try:
        return gateway.billing_portal_url(
            restaurant.payment_customer_id, return_url=absolute_url(RETURN_TO)
        )
    except GatewayError as error:
        logger.warning("no billing portal for %s: %s", restaurant.pk, error)
        raise Unavailable(NO_PORTAL) from error
