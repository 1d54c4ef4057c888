"""`{% payment_setup %}`: what the payment account lacks, on every page of its owner (X68)."""

from typing import Any

from django import template
from django.template import Context

from apps.billing.payment_setup import SetupAction, describe
from apps.billing.services import STRIPE_PATH
from apps.restaurants.permissions import CurrentMembership, Permission

register = template.Library()


@register.inclusion_tag("billing/payment_banner.html", takes_context=True)
def payment_setup(context: Context) -> dict[str, Any]:
    """Nothing for who may not finish it, and nothing on the page that is about it."""
    request = context.get("request")
    post: CurrentMembership | None = getattr(request, "shown_post", None)
    if request is None or post is None or request.path == STRIPE_PATH:
        return {}
    setup = describe(getattr(post.restaurant, "connect_account", None))
    if setup.is_complete or not post.may(Permission.MANAGE):
        return {}
    return {
        "setup": setup,
        "leads_on": setup.action is SetupAction.ONBOARDING,
        "payments_url": STRIPE_PATH,
        "csrf_token": context.get("csrf_token"),
    }
