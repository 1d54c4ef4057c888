"""Payment accounts and monthly counters."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid5

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from apps.accounts.rate_limits import Limit
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import note_restriction
from apps.billing.gateway import Account, GatewayError, Refused
from apps.billing.models import ConnectAccount, MonthlyBillingCycle
from apps.billing.subscriptions.terms import subscription_of, wants_free_plan
from apps.common.background import after_commit
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Forbidden, Unavailable
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant
from apps.restaurants.profile_completion import missing_profile_fields
from apps.restaurants.regions import SETTLEMENT_CURRENCIES, country_code, unpaid_country
from apps.restaurants.services.registration import require_confirmed_owner
from apps.restaurants.tiers import (
    free_offers_remaining,
    month_of,
    offers_this_month,
    share_rate,
    tier_at,
)

logger = logging.getLogger(__name__)

ACCOUNT_MAX_AGE = timedelta(seconds=30)  # an account read longer ago is read again
ACCOUNT_READ_LIMIT = Limit("connect-reads", times=20, window=60)
RETRY_PAUSE_SECONDS = 15
SETTINGS_PATH = "/restaurant/settings"
STRIPE_PATH = "/restaurant/stripe-management"
# The pages that lead to Stripe and that Stripe can send the owner back to.
RETURN_PATHS = (
    SETTINGS_PATH,
    STRIPE_PATH,
    "/restaurant",
    "/free-tier-dashboard",
    "/free-tier-quick-start",
)
NOT_CONNECTED = "Failed to connect to Stripe. Please try again."
NOT_STARTED = (
    "Failed to start Stripe onboarding: Stripe declined the request. Contact us and we'll find "
    "out why."
)
NO_COUNTRY = (
    "Add your restaurant's country in the settings first. It decides where you can be paid, and "
    "it can't be changed once you're connected to Stripe."
)
NOT_ACTIVE = "Your restaurant is suspended, so you can't publish specials. Contact us about it."
LAPSED = (
    "Your subscription's last payment failed, so you can't publish new specials. Pay the open bill "
    "in your settings, or change to the Free plan. Specials you've published stay open."
)
NO_DASHBOARD = "Stripe can't open this account's dashboard. Contact us and we'll find out why."
ONBOARDING_FIRST = "Complete your Stripe setup first. The dashboard is available after that."


class NeedsOnboarding(Conflict):
    """The Stripe dashboard isn't available until onboarding is complete."""

    code = ErrorCode.NEEDS_ONBOARDING

    def __init__(self) -> None:
        super().__init__(ONBOARDING_FIRST, extra={"needsOnboarding": True})


# --- payment accounts -----------------------------------------------------------------------------
def create_payment_account(*, restaurant: Restaurant, now: datetime) -> ConnectAccount:
    """The restaurant's payment account, created at Stripe on first use."""
    existing = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if existing:
        return existing
    # For a key, Stripe replays a stored error and refuses other details. With an hour in it neither
    # stops the onboarding; an account that is created again after a lost answer stays unused.
    # https://docs.stripe.com/api/idempotent_requests
    country = _account_country(restaurant)
    details = uuid5(restaurant.pk, f"{restaurant.email}\n{restaurant.name}\n{country}")
    account = gateway.create_account(
        email=restaurant.email,
        name=restaurant.name,
        country=country,
        key=f"account:{details}:{now:%Y%m%d%H}",
    )
    with transaction.atomic():
        row, is_new = ConnectAccount.objects.get_or_create(
            restaurant=restaurant,
            defaults={
                "account_id": account.account_id,
                "synced_at": now,
                **_account_columns(account),
            },
        )
        if is_new:
            about = ("payout_account", row.account_id)
            record(Kind.PAYOUT_ACCOUNT_CONNECTED, restaurant=restaurant, about=about, now=now)
    return row


def _account_country(restaurant: Restaurant) -> str:
    """The code of the restaurant's country. Raises Conflict if it can't be paid there."""
    if not restaurant.country.strip():
        raise Conflict(NO_COUNTRY, fields=[FieldError("country", NO_COUNTRY)])
    code = country_code(restaurant.country)
    if code not in SETTLEMENT_CURRENCIES:
        message = unpaid_country(restaurant.country)
        raise Conflict(message, fields=[FieldError("country", message)])
    return code


def begin_onboarding(
    *, restaurant: Restaurant, now: datetime, return_to: str = SETTINGS_PATH
) -> str:
    """The URL of Stripe's onboarding pages for this restaurant.

    Stripe sends the owner back to `return_to`, one of `RETURN_PATHS`, with `success`, or with
    `refresh` if the link expired. The return URL names the restaurant, because the owner may have
    switched to another one. Raises Unavailable if Stripe doesn't answer, Conflict if it refuses,
    and Forbidden while no owner's email is confirmed (DECISIONS X40).
    """
    require_confirmed_owner(restaurant)
    try:
        account = create_payment_account(restaurant=restaurant, now=now)
        url = gateway.onboarding_url(
            account.account_id,
            return_url=absolute_url(f"{return_to}?success=1&restaurant={restaurant.pk}"),
            refresh_url=absolute_url(f"{return_to}?refresh=1&restaurant={restaurant.pk}"),
        )
    except Refused as error:
        logger.error("onboarding refused for %s: %s", restaurant.pk, error)
        raise Conflict(NOT_STARTED) from error
    except GatewayError as error:
        logger.warning("no onboarding for %s: %s", restaurant.pk, error)
        raise Unavailable(NOT_CONNECTED) from error
    _note_opened(account, "onboarding", now)
    return url


def _note_opened(account: ConnectAccount, what: str, now: datetime) -> None:
    about = ("payout_account", account.account_id)
    restaurant = account.restaurant_id
    record(Kind.PAYOUT_ACCOUNT_OPENED, restaurant=restaurant, about=about, page=what, now=now)


def open_dashboard(*, restaurant: Restaurant, now: datetime) -> str:
    """The URL of the restaurant's Stripe dashboard.

    Raises NeedsOnboarding until onboarding is complete, Conflict if Stripe refuses for another
    reason, and Unavailable if it doesn't answer.
    """
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if account is None:
        raise NeedsOnboarding
    try:
        url = gateway.dashboard_url(account.account_id)
    except Refused as error:
        # Stripe refuses until the details are submitted; only a current reading tells why.
        if read_account(restaurant=restaurant, now=now, refresh=True).details_submitted:
            logger.warning("no dashboard for %s: %s", account.account_id, error)
            raise Conflict(NO_DASHBOARD) from error
        raise NeedsOnboarding from error
    except GatewayError as error:
        logger.warning("no dashboard for %s: %s", account.account_id, error)
        raise Unavailable(NOT_CONNECTED) from error
    _note_opened(account, "dashboard", now)
    return url


@dataclass(frozen=True, slots=True)
class AccountReading:
    """A restaurant's payment account, if any; `is_current` is False if Stripe didn't answer.
    `country` is the restaurant's, as its owner wrote it."""

    account: ConnectAccount | None
    is_current: bool
    country: str

    @property
    def details_submitted(self) -> bool:
        return self.account is not None and self.account.details_submitted


def read_account(*, restaurant: Restaurant, now: datetime, refresh: bool = False) -> AccountReading:
    """The stored account, read again from Stripe if older than ACCOUNT_MAX_AGE, or on `refresh`.

    Refreshes are limited to twenty a minute. Never raises: if Stripe doesn't answer, it returns the
    stored account and doesn't ask again for RETRY_PAUSE_SECONDS, so that pages don't wait for
    Stripe again and again.
    """
    country = restaurant.country
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if account is None:
        return AccountReading(None, True, country)
    is_due = now - account.synced_at > ACCOUNT_MAX_AGE or (
        refresh and ACCOUNT_READ_LIMIT.record(account.account_id) <= ACCOUNT_READ_LIMIT.times
    )
    if not is_due:
        return AccountReading(account, True, country)
    pause = f"connect-pause:{account.account_id}"
    if cache.get(pause):
        return AccountReading(account, False, country)
    try:
        fresh = sync_account(account_id=account.account_id, now=now)
    except GatewayError as error:
        logger.warning("account %s cannot be read: %s", account.account_id, error)
        cache.set(pause, True, RETRY_PAUSE_SECONDS)
        return AccountReading(account, False, country)
    return AccountReading(fresh or account, True, country)


def sync_account(*, account_id: str, now: datetime) -> ConnectAccount | None:
    """Read the account from Stripe and store it; None if it belongs to no restaurant.

    Of two concurrent reads, the one that started later wins.
    """
    row = ConnectAccount.objects.filter(account_id=account_id).first()
    if row is None:
        logger.info("account %s belongs to no restaurant here", account_id)
        return None
    facts = _account_columns(gateway.retrieve_account(account_id))
    with transaction.atomic():
        later = ConnectAccount.objects.filter(pk=row.pk, synced_at__lte=now)
        was_complete = row.is_complete
        is_stored = later.update(**facts, synced_at=now)
        row.refresh_from_db()
        if is_stored:
            Restaurant.objects.filter(pk=row.restaurant_id).update(stripe_completed=row.is_complete)
            note_restriction(row, was_complete=was_complete, now=now)
    return row


def note_bank_account(*, account_id: str, change: str, now: datetime) -> None:
    """Log that the bank account for payouts was created, updated, or deleted, and email the owners.

    Stripe also sends `updated` when it has verified one; only who has an account here is told.
    """
    row = ConnectAccount.objects.filter(account_id=account_id).select_related("restaurant").first()
    if row is None:
        logger.info("account %s belongs to no restaurant here", account_id)
        return
    about = ("payout_account", account_id)
    restaurant = row.restaurant
    record(Kind.BANK_ACCOUNT_CHANGED, restaurant=restaurant, about=about, change=change, now=now)
    after_commit(current_app.tasks["billing.send_bank_account_changed"], str(restaurant.pk))


def _account_columns(account: Account) -> dict[str, Any]:
    """The account's values by column name."""
    return {
        "details_submitted": account.details_submitted,
        "charges_enabled": account.charges_enabled,
        "payouts_enabled": account.payouts_enabled,
        "requirements": {**account.requirements, "disabled_reason": account.disabled_reason},
        "country": account.country,
        "currency": account.currency,
    }


# --- the month's counter --------------------------------------------------------------------------
def count_publication(*, restaurant_id: UUID, now: datetime) -> Decimal:
    """Count a published offer in the restaurant's month; returns its revenue share in percent.

    Call it inside a transaction: the restaurant's row stays locked until it ends, so two offers
    published at once are the tenth and the eleventh, never both the tenth. On the free tier, the
    first ten of a calendar month (in the restaurant's time zone) are free and later ones pay the
    tier's rate; other tiers always pay theirs (DECISIONS X2, X8). Raises Forbidden for a free
    restaurant's eleventh offer while its profile is incomplete, for one whose subscription has
    lapsed, and for one that isn't active: a suspension takes the same lock, so none is published
    after it.
    """
    # no_key: inserting rows that reference the restaurant doesn't have to wait.
    restaurant = Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant_id)
    if restaurant.status != Restaurant.Status.ACTIVE:
        raise Forbidden(NOT_ACTIVE, code=ErrorCode.RESTAURANT_CLOSED)
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    count = offers_this_month(restaurant, now=now)
    tier = tier_at(restaurant, now=now)
    free_tier = tier == Restaurant.Tier.FREE
    free = free_tier and count < settings.FREE_OFFERS_PER_MONTH
    if free_tier and not free and not restaurant.profile_completed:
        missing = missing_profile_fields(restaurant)
        what = f" Missing: {', '.join(missing)}." if missing else ""
        raise Forbidden(
            f"You've published {count} specials this month. "
            f"Complete your restaurant's profile to publish more.{what}",
            code=ErrorCode.PROFILE_INCOMPLETE,
        )
    subscription = subscription_of(restaurant)
    if subscription is not None and subscription.is_lapsed and not wants_free_plan(restaurant):
        raise Forbidden(LAPSED, code=ErrorCode.SUBSCRIPTION_LAPSED)
    rate = Decimal("0.00") if free else share_rate(restaurant, tier)
    count += 1
    reached = free_tier and count >= settings.FREE_OFFERS_PER_MONTH
    Restaurant.objects.filter(pk=restaurant.pk).update(
        monthly_special_offers_count=count,
        last_special_offer_reset_date=first,
        special_offers_limit_reached=reached,
    )
    cycle = billing_cycle(restaurant=restaurant, now=now)
    MonthlyBillingCycle.objects.filter(pk=cycle.pk).update(
        special_offers_count=F("special_offers_count") + 1,
        revenue_share_active=F("revenue_share_active") if free else True,
        # The plan can have changed since the month began.
        subscription_tier=tier,
        revenue_share_rate=share_rate(restaurant, tier),
    )
    return rate


def next_share_rate(restaurant: Restaurant, *, now: datetime) -> Decimal:
    """The revenue share, in percent, that an offer published now would get; nothing is written."""
    tier = tier_at(restaurant, now=now)
    if tier == Restaurant.Tier.FREE and free_offers_remaining(restaurant, now=now):
        return Decimal("0.00")
    return share_rate(restaurant, tier)


def billing_cycle(*, restaurant: Restaurant, now: datetime) -> MonthlyBillingCycle:
    """The restaurant's billing cycle for the month of `now`, created on first use."""
    today = now.astimezone(restaurant.zone).date()
    first, last = month_of(today)
    tier = tier_at(restaurant, now=now)
    cycle, _ = MonthlyBillingCycle.objects.get_or_create(
        restaurant=restaurant,
        year=today.year,
        month=today.month,
        defaults={
            "cycle_start_date": first,
            "cycle_end_date": last,
            "subscription_tier": tier,
            "revenue_share_rate": share_rate(restaurant, tier),
        },
    )
    return cycle
