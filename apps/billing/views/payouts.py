"""The owner's payouts page; works without JavaScript."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.rate_limits import Limit
from apps.billing import payouts, services
from apps.billing.new_restaurants import new_restaurant_limit
from apps.billing.selectors import payout_overview
from apps.common import clock
from apps.common.errors import DomainError
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

# Each try is a call to Stripe and a transfer to a bank.
RETRY_LIMIT = Limit("payout-retries", times=5, window=60 * 60)
RETRIED = "We'll try the payout again now. It usually arrives within two business days."


@require_safe
@never_cache
@member_page(Permission.MANAGE)
def payouts_page(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    restaurant = membership.restaurant
    context = {
        "restaurant": restaurant,
        "overview": payout_overview(restaurant, now=clock.now()),
        "delay_days": settings.PAYOUT_DELAY_DAYS,
        "limit": new_restaurant_limit(restaurant),
        "payments_url": services.STRIPE_PATH,
    }
    return render(request, "billing/payouts.html", context)


@require_POST
@member_page(Permission.MANAGE)
def retry(request: HttpRequest, membership: CurrentMembership, payout_id: UUID) -> HttpResponse:
    """Request a failed payout again."""
    try:
        RETRY_LIMIT.count(str(membership.restaurant.pk))
        payouts.retry_payout(restaurant=membership.restaurant, payout_id=payout_id, now=clock.now())
        messages.success(request, RETRIED)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("payouts")
