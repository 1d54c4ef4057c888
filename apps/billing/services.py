"""Payment accounts, the month's counters, and what became of webhooks."""

import logging
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from djstripe.models import WebhookEventTrigger

from apps.billing import stripe_gateway as gateway
from apps.billing.models import ConnectAccount, MonthlyBillingCycle, ProcessedEvent
from apps.common.errors import Forbidden
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant
from apps.restaurants.services.registration import require_confirmed_owner
from apps.restaurants.tiers import tier_rate

logger = logging.getLogger(__name__)

WEBHOOK_PATIENCE = timedelta(seconds=30)
WEBHOOKS_AT_ONCE = 200
PROFILE_FIELDS = {
    "name": "name",
    "owner_name": "owner's name",
    "phone": "phone",
    "street_address": "street address",
    "city": "city",
    "country": "country",
}


# --- webhooks -------------------------------------------------------------------------------------
def record_event(
    *, event_id: str, event_type: str, now: datetime, payment_intent_id: str | None = None
) -> bool:
    """Note that an event was acted on; False when it had been already (DECISIONS X62).

    `payment_intent_id` is given only for the event that ends an intent. A second such event of the
    same intent keeps its row, without the intent.
    """
    row, is_new = ProcessedEvent.objects.get_or_create(
        stripe_event_id=event_id, defaults={"event_type": event_type, "processed_at": now}
    )
    if is_new and payment_intent_id:
        with suppress(IntegrityError), transaction.atomic():
            ProcessedEvent.objects.filter(pk=row.pk).update(payment_intent_id=payment_intent_id)
    return is_new


def process_webhook(*, trigger_id: int) -> None:
    """Let dj-stripe mirror a recorded delivery and call the receivers; done once per delivery."""
    trigger = WebhookEventTrigger.objects.get(pk=trigger_id)
    if trigger.processed:
        return
    with transaction.atomic():
        trigger.process()


def waiting_webhooks(*, now: datetime) -> list[int]:
    """Verified deliveries nobody worked on: the queue lost them, or their worker died."""
    waiting = WebhookEventTrigger.objects.filter(
        valid=True, processed=False, created__lt=now - WEBHOOK_PATIENCE
    ).order_by("id")
    return list(waiting.values_list("pk", flat=True)[:WEBHOOKS_AT_ONCE])


# --- payment accounts -----------------------------------------------------------------------------
def open_account(*, restaurant: Restaurant, now: datetime) -> ConnectAccount:
    """The restaurant's payment account, created at the processor on first use."""
    existing = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if existing:
        return existing
    account = gateway.create_account(
        email=restaurant.email, name=restaurant.name, key=f"account:{restaurant.pk}"
    )
    row, _ = ConnectAccount.objects.get_or_create(
        restaurant=restaurant, defaults={"account_id": account.account_id, "synced_at": now}
    )
    return row


def begin_onboarding(*, restaurant: Restaurant, now: datetime) -> str:
    """Where the owner goes on with the payment set-up, at the processor (R61, R70).

    Raises GatewayError when the processor does not answer, and Forbidden while no owner's e-mail is
    confirmed (DECISIONS X40).
    """
    require_confirmed_owner(restaurant)
    account = open_account(restaurant=restaurant, now=now)
    return gateway.onboarding_url(
        account.account_id,
        return_url=absolute_url("/restaurant/settings?success=1"),
        refresh_url=absolute_url("/restaurant/settings?refresh=1"),
    )


def sync_account(*, account_id: str, now: datetime) -> ConnectAccount | None:
    """Read the account afresh and keep what it says; None when it is nobody's here."""
    row = ConnectAccount.objects.select_related("restaurant").filter(account_id=account_id).first()
    if row is None:
        logger.info("account %s belongs to no restaurant here", account_id)
        return None
    account = gateway.retrieve_account(account_id)
    row.details_submitted = account.details_submitted
    row.charges_enabled = account.charges_enabled
    row.payouts_enabled = account.payouts_enabled
    row.requirements = account.requirements
    row.synced_at = now
    with transaction.atomic():
        row.save(
            update_fields=[
                "details_submitted",
                "charges_enabled",
                "payouts_enabled",
                "requirements",
                "synced_at",
            ]
        )
        complete = account.details_submitted and account.charges_enabled and account.payouts_enabled
        Restaurant.objects.filter(pk=row.restaurant_id).update(stripe_completed=complete)
    return row


# --- the month's counter --------------------------------------------------------------------------
def _month_of(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    next_first = (first + timedelta(days=32)).replace(day=1)
    return first, next_first - timedelta(days=1)


def missing_profile_fields(restaurant: Restaurant) -> list[str]:
    """What a profile still lacks, in people's words."""
    return [label for name, label in PROFILE_FIELDS.items() if not getattr(restaurant, name)]


def count_publication(*, restaurant_id: UUID, now: datetime) -> Decimal:
    """Count one published offer in the restaurant's month and answer its revenue share in per cent.

    Inside the caller's transaction; the restaurant's row stays locked until its end, so two offers
    published at once are the tenth and the eleventh, never both the tenth. The free tier's first
    ten of a calendar month (restaurant's zone) cost nothing, later ones the tier's rate; the other
    tiers' rate always (DECISIONS X2, X8). Raises Forbidden for the eleventh of a free restaurant
    whose profile is not complete.
    """
    # Its key stays free: whatever else names the restaurant need not wait.
    restaurant = Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant_id)
    first, _ = _month_of(now.astimezone(restaurant.zone).date())
    count = offers_this_month(restaurant, now=now)
    free_tier = restaurant.subscription_tier == Restaurant.Tier.FREE
    free = free_tier and count < settings.FREE_OFFERS_PER_MONTH
    if free_tier and not free and not restaurant.profile_completed:
        missing = missing_profile_fields(restaurant)
        what = f" Missing: {', '.join(missing)}." if missing else ""
        raise Forbidden(
            f"You have published {count} offers this month. "
            f"Complete your restaurant's profile to publish more.{what}"
        )
    rate = Decimal("0.00") if free else tier_rate(restaurant.subscription_tier)
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
    )
    return rate


def billing_cycle(*, restaurant: Restaurant, now: datetime) -> MonthlyBillingCycle:
    """The restaurant's cycle of the month `now` falls in, made on first use."""
    today = now.astimezone(restaurant.zone).date()
    first, last = _month_of(today)
    cycle, _ = MonthlyBillingCycle.objects.get_or_create(
        restaurant=restaurant,
        year=today.year,
        month=today.month,
        defaults={
            "cycle_start_date": first,
            "cycle_end_date": last,
            "subscription_tier": restaurant.subscription_tier,
            "revenue_share_rate": tier_rate(restaurant.subscription_tier),
        },
    )
    return cycle


def offers_this_month(restaurant: Restaurant, *, now: datetime) -> int:
    """How many offers the restaurant published this calendar month, in its own zone. The column
    keeps the last month's number until the next publication resets it."""
    first, _ = _month_of(now.astimezone(restaurant.zone).date())
    reset = restaurant.last_special_offer_reset_date
    return restaurant.monthly_special_offers_count if reset and reset >= first else 0


def free_offers_remaining(restaurant: Restaurant, *, now: datetime) -> int:
    """What is left of the free tier's month (C2)."""
    return max(0, settings.FREE_OFFERS_PER_MONTH - offers_this_month(restaurant, now=now))
