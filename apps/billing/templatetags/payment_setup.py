"""The banners about an unfinished payment setup (DECISIONS X68) and an unpaid subscription."""

from typing import Any

from django import template
from django.template import Context

from apps.billing.payment_setup import SetupAction, describe
from apps.billing.services import STRIPE_PATH
from apps.billing.subscriptions.portal import RETURN_TO
from apps.billing.subscriptions.renewal import grace_ends_at
from apps.billing.subscriptions.terms import subscription_of, wants_free_plan
from apps.common import formats
from apps.restaurants.permissions import CurrentMembership, Permission

register = template.Library()


@register.inclusion_tag("billing/payment_banner.html", takes_context=True)
def payment_setup(context: Context) -> dict[str, Any]:
    """The banner's context; empty for people who can't finish the setup, and on its own page."""
    request = context.get("request")
    membership: CurrentMembership | None = getattr(request, "shown_membership", None)
    if request is None or membership is None or request.path == STRIPE_PATH:
        return {}
    restaurant = membership.restaurant
    setup = describe(getattr(restaurant, "connect_account", None), country=restaurant.country)
    if setup.is_complete or not membership.can(Permission.MANAGE):
        return {}
    return {
        "setup": setup,
        "leads_on": setup.action is SetupAction.ONBOARDING,
        "payments_url": STRIPE_PATH,
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("billing/subscription_banner.html", takes_context=True)
def unpaid_subscription(context: Context) -> dict[str, Any]:
    """The banner's context; empty where nothing is owed, and for people who can't pay it."""
    request = context.get("request")
    membership: CurrentMembership | None = getattr(request, "shown_membership", None)
    if membership is None or not membership.restaurant.payment_customer_id:
        return {}
    restaurant = membership.restaurant
    if not membership.can(Permission.MANAGE) or wants_free_plan(restaurant):
        return {}
    subscription = subscription_of(restaurant)
    pay_by = grace_ends_at(subscription) if subscription else None
    if subscription is None or pay_by is None:
        return {}
    return {
        "price": formats.money(subscription.price, subscription.currency),
        "pay_by": formats.moment(pay_by, restaurant.zone),
        "is_lapsed": subscription.is_lapsed,
        "settings_url": RETURN_TO,
    }
