"""The owner's payments page, and the button that leads to Stripe."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from apps.billing import services
from apps.billing.api.views.connect import LINK_LIMIT, stored_status
from apps.billing.fees import processing_fixed
from apps.common import clock, formats
from apps.common.errors import DomainError
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.views.onboarding import island_page


def processing_fee(currency: str) -> str:
    """`4.9% + $0.30 per successful transaction`, from the fee schedule (DECISIONS X3)."""
    rate = formats.rate(settings.PROCESSING_FEE_RATE)
    fixed = formats.money(processing_fixed(currency), currency)
    return f"{rate} + {fixed} per successful transaction"


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE, visitors_start=True)
def stripe_management(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The payments page. It shows the stored status; the island then reads it from Stripe."""
    props: dict[str, Any] = {
        "restaurantName": membership.restaurant.name,
        "timeZone": membership.restaurant.timezone,
        "status": stored_status(membership.restaurant),
        "fee": processing_fee(membership.restaurant.currency),
        "feesUrl": "/restaurant/tiers",
        "settingsUrl": services.SETTINGS_PATH,
        "payoutsUrl": reverse("payouts"),
        "problem": " ".join(str(message) for message in messages.get_messages(request)),
    }
    return island_page(request, "payments/stripe-management", title="Payments", props=props)


@require_POST
@member_page(Permission.MANAGE)
def connect(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Redirect to Stripe's onboarding; works without JavaScript (DECISIONS X68)."""
    try:
        LINK_LIMIT.count(str(membership.restaurant.pk))
        return redirect(
            services.begin_onboarding(
                restaurant=membership.restaurant, now=clock.now(), return_to=services.STRIPE_PATH
            )
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("payments")
