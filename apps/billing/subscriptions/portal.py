"""A restaurant's subscription as its owner sees it, and Stripe's billing portal."""

import logging
from dataclasses import dataclass
from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import Subscription
from apps.billing.subscriptions.renewal import grace_ends_at, sync_subscription
from apps.billing.subscriptions.terms import subscription_of
from apps.common import formats
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
    """`status` is Stripe's value, or `active` for a plan without a subscription."""

    tier: str
    status: str
    current_period_end: datetime | None
    has_stripe_customer: bool
    price: str = ""  # a month, such as `$29.00`; empty without a subscription
    ends_at_period_end: bool = False
    can_cancel: bool = False
    pay_by: datetime | None = None  # after a failed renewal: the end of the grace
    is_lapsed: bool = False


def subscription_status(restaurant: Restaurant, *, now: datetime) -> SubscriptionStatus:
    """The restaurant's subscription status, read from Stripe if there is one. Raises Unavailable if
    Stripe doesn't answer."""
    tier, has_customer = restaurant.subscription_tier, bool(restaurant.payment_customer_id)
    row = subscription_of(restaurant)
    if row is None:
        return SubscriptionStatus(tier, ACTIVE, None, has_stripe_customer=has_customer)
    row = _read(row, now)
    return SubscriptionStatus(
        tier=row.restaurant.subscription_tier,
        status=row.status,
        current_period_end=row.period_ends_at,
        has_stripe_customer=has_customer,
        price=formats.money(row.price, row.currency),
        ends_at_period_end=row.ends_at_period_end and row.is_open,
        can_cancel=row.is_open and row.subscription_id is not None,
        pay_by=grace_ends_at(row),
        is_lapsed=row.is_lapsed,
    )


def _read(row: Subscription, now: datetime) -> Subscription:
    """Up to date, so that who comes back from the portal sees what they did there."""
    if row.subscription_id is None or not row.is_open:
        return row
    try:
        sync_subscription(row.subscription_id, now=now)
    except GatewayError as error:
        logger.warning("no subscription of %s: %s", row.restaurant_id, error)
        raise Unavailable(UNKNOWN) from error
    return Subscription.objects.select_related("restaurant").get(pk=row.pk)


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
