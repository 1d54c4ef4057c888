"""The owner's pages about the restaurant's account: settings, payment set-up, tiers and fees."""

import logging
from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.billing import services
from apps.billing.fees import order_fees
from apps.billing.gateway import GatewayError
from apps.billing.models import ConnectAccount
from apps.common import clock
from apps.common.errors import DomainError
from apps.common.money import Money
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant
from apps.restaurants.pages import member_page
from apps.restaurants.roles import Post, Right
from apps.restaurants.tiers import tier_rate

logger = logging.getLogger(__name__)

CONNECTED = "Connect Setup Complete!"  # R70
REFRESHED = "Data refreshed"
NOT_CONNECTED = "Failed to connect to Stripe. Please try again."  # T15
MOST_SALES = Decimal(1_000_000)
EXAMPLE_SALES = Decimal(500)


@require_safe
@never_cache
@member_page(Right.MANAGE)
def owner_settings(request: HttpRequest, post: Post) -> HttpResponse:
    """What we know of the restaurant, and where its payment set-up stands.

    Coming back from the processor (`success` or `refresh`), the account is read afresh first: the
    webhook may still be on its way.
    """
    account = ConnectAccount.objects.filter(restaurant=post.restaurant).first()
    if account and {"success", "refresh"} & request.GET.keys():
        _read_afresh(request, account)
        return redirect("settings")
    context = {
        "restaurant": post.restaurant,
        "account": account,
        "web_address": absolute_url("/", restaurant=post.restaurant),
        "missing": services.missing_profile_fields(post.restaurant),
    }
    return render(request, "billing/settings.html", context)


def _read_afresh(request: HttpRequest, account: ConnectAccount) -> None:
    try:
        account = services.sync_account(account_id=account.account_id, now=clock.now()) or account
    except GatewayError as error:
        logger.warning("account %s cannot be read: %s", account.account_id, error)
        messages.error(request, NOT_CONNECTED)
        return
    messages.success(request, CONNECTED if account.charges_enabled else REFRESHED)


@require_POST
@member_page(Right.MANAGE)
def connect(request: HttpRequest, post: Post) -> HttpResponse:
    """On to the processor's own onboarding page."""
    try:
        return redirect(services.begin_onboarding(restaurant=post.restaurant, now=clock.now()))
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("settings")
    except GatewayError as error:
        logger.warning("no onboarding for %s: %s", post.restaurant.pk, error)
        messages.error(request, NOT_CONNECTED)
        return redirect("settings")


@require_safe
@member_page(Right.MANAGE)
def tiers(request: HttpRequest, post: Post) -> HttpResponse:
    """The tiers side by side, and what is left of an amount of sales in each (X3)."""
    sales = _sales(request.GET.get("sales"))
    context = {
        "restaurant": post.restaurant,
        "sales": sales,
        "tiers": [_tier(tier, post.restaurant, sales) for tier in ("free", "branded")],
        "processing_rate": settings.PROCESSING_FEE_RATE,
        "processing_fixed": Money(settings.PROCESSING_FEE_FIXED_CENTS).amount,
        "free_offers": settings.FREE_OFFERS_PER_MONTH,
    }
    return render(request, "billing/tiers.html", context)


def _sales(typed: str | None) -> Decimal:
    """The amount asked about, in dollars; an example where none that makes sense was typed."""
    try:
        sales = Decimal(typed or "").quantize(Decimal("0.01"))
    except InvalidOperation:
        return EXAMPLE_SALES
    return sales if 0 < sales <= MOST_SALES else EXAMPLE_SALES


def _tier(tier: str, restaurant: Restaurant, sales: Decimal) -> dict[str, Any]:
    total = Money.of(sales)
    rate = tier_rate(tier)
    fees = order_fees(subtotal=total, total=total, revenue_share_rate=rate)
    is_free = tier == Restaurant.Tier.FREE
    return {
        "name": "Free" if is_free else "Branded",
        "is_free": is_free,
        "is_current": is_free == (restaurant.subscription_tier == Restaurant.Tier.FREE),
        "rate": rate,
        "revenue_share": fees.revenue_share.amount,
        "processing": fees.processing.amount,
        "payout": (total - fees.application_fee).amount,
    }
