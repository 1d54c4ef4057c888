"""A restaurant's subscription and its bills at the processor (A35, A36).

The platform earns by revenue share (DECISIONS X1): a tier counts without a subscription. Where a
restaurant is a customer of the platform's, what the processor says of it is shown.
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

UNKNOWN = "Unable to load subscription status"  # T52
NO_PORTAL = "Unable to open billing portal. Please try again."  # T52
NO_BILLS = "There are no bills to manage: your tier has no monthly fee."
ACTIVE = "active"
RETURN_TO = "/restaurant/settings?section=subscription"


@dataclass(frozen=True, slots=True)
class SubscriptionStatus:
    """`status` is the processor's word; of a tier without a subscription it is `active`."""

    tier: str
    status: str
    current_period_end: datetime | None
    has_stripe_customer: bool


def subscription_status(restaurant: Restaurant) -> SubscriptionStatus:
    """Where the restaurant's subscription stands. Raises Unavailable when nobody answers."""
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
    """A link to the restaurant's bills at the processor; it works for some minutes.

    Raises Conflict for a restaurant without bills, and Unavailable when nobody answers.
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
