"""`{% payment_setup %}`: the banner about an unfinished payment setup (DECISIONS X68)."""

from typing import Any

from django import template
from django.template import Context

from apps.billing.payment_setup import SetupAction, describe
from apps.billing.services import STRIPE_PATH
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
