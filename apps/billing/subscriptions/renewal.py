"""A subscription after its first month: renewals, failed ones, and its end.

Stripe renews, retries, and ends it; every piece of news makes us read it again, so the order of
events doesn't matter. After a renewal that failed the owner is told and has SUBSCRIPTION_GRACE to
pay. Then the subscription has lapsed: the restaurant publishes no more specials, and those already
published stay open. Statuses: https://docs.stripe.com/billing/subscriptions/overview
"""

import logging
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError, Refused, SubscriptionSnapshot
from apps.billing.models import Subscription
from apps.billing.subscriptions.terms import subscription_of, wants_free_plan
from apps.common import rls
from apps.common.background import after_commit
from apps.common.errors import Conflict, Unavailable
from apps.common.money import Money
from apps.restaurants.models import Restaurant
from apps.restaurants.services.plans import choose_plan, end_paid_plan
from apps.restaurants.tiers import share_rate

logger = logging.getLogger(__name__)

PAID = frozenset({"active", "trialing"})
# Stripe retries, then leaves it unpaid or cancels it, as its settings say:
# https://docs.stripe.com/billing/revenue-recovery/smart-retries
UNPAID = frozenset({"past_due", "unpaid", "incomplete"})
ENDED = frozenset({"canceled", "incomplete_expired"})
READ_EVERY = timedelta(days=1)
READ_UNPAID_EVERY = timedelta(hours=1)
REMINDER_BEFORE = timedelta(days=2)  # before the grace ends
# An anchor has to be in the future when Stripe gets it.
ANCHOR_MARGIN = timedelta(minutes=5)
BATCH_SIZE = 500

NOTHING_TO_CHANGE = "There's no subscription to change. Reload the page."
NOT_CHANGED = "We couldn't reach Stripe, so nothing has changed. Try again in a minute."

Due = Subscription.DueEmail


# --- what Stripe knows ----------------------------------------------------------------------------
def open_subscription(pk: int, *, now: datetime) -> None:
    """Create it at Stripe after the first month's payment, unless a call did whose answer was lost.
    Raises GatewayError; the job repeats."""
    row = Subscription.objects.select_related("sign_up", "restaurant").get(pk=pk)
    if row.subscription_id is not None or not row.is_open:
        return
    sign_up_id, customer_id = str(row.sign_up_id), row.sign_up.customer_id
    known = gateway.find_subscription(customer_id=customer_id, sign_up_id=sign_up_id)
    snapshot = known or gateway.create_subscription(
        customer_id=customer_id,
        payment_method_id=row.sign_up.payment_method_id,
        price=Money.of(row.price),
        currency=row.currency,
        renews_at=max(row.period_ends_at, now + ANCHOR_MARGIN),
        sign_up_id=sign_up_id,
        key=f"subscription:{sign_up_id}",
    )
    Subscription.objects.filter(pk=pk, subscription_id=None).update(
        subscription_id=snapshot.subscription_id
    )
    _apply(pk, snapshot, now)
    after_commit(current_app.tasks["billing.invoice_first_month"], str(row.sign_up_id))


def sync_subscription(subscription_id: str, *, now: datetime) -> None:
    """Read it again from Stripe and store what it says. Raises GatewayError."""
    row = Subscription.objects.filter(subscription_id=subscription_id).first()
    if row is None:
        logger.info("subscription %s belongs to no restaurant here", subscription_id)
        return
    _apply(row.pk, gateway.retrieve_subscription(subscription_id), now)


def _apply(pk: int, read: SubscriptionSnapshot, now: datetime) -> None:
    """Store a snapshot read at `now`; one that was read later stays."""
    with transaction.atomic():
        row = _locked(pk)
        if row.synced_at > now or row.subscription_id != read.subscription_id:
            return
        row.status, row.synced_at = read.status, now
        row.period_ends_at = read.period_end or row.period_ends_at
        row.ends_at_period_end = read.cancels_at_period_end
        if read.last_paid_at:
            Restaurant.objects.filter(pk=row.restaurant_id).update(
                last_billing_date=read.last_paid_at
            )
        if read.status in PAID:
            _note_paid(row, now)
        elif read.status in UNPAID:
            _note_unpaid(row, now)
        elif read.status in ENDED:
            _note_ended(row, read.ended_at or now, now)
        save_subscription(row)


def save_subscription(row: Subscription) -> None:
    """Save it, and what its restaurant's specials cost from now on. Both are locked."""
    row.save()
    restaurant = Restaurant.objects.get(pk=row.restaurant_id)  # its plan may just have changed
    restaurant.has_subscription = row.is_good
    Restaurant.objects.filter(pk=restaurant.pk).update(
        has_subscription=row.is_good,
        revenue_share_percentage=share_rate(restaurant, restaurant.subscription_tier),
    )


def _locked(pk: int) -> Subscription:
    """The restaurant is locked first, as everywhere."""
    owner = Subscription.objects.only("restaurant_id").get(pk=pk)
    Restaurant.objects.select_for_update().get(pk=owner.restaurant_id)
    return (
        Subscription.objects.select_for_update(of=("self",)).select_related("restaurant").get(pk=pk)
    )


def _note_paid(row: Subscription, now: datetime) -> None:
    if row.unpaid_since is None:
        return
    row.unpaid_since = row.lapsed_at = row.reminded_at = None
    _log(Kind.SUBSCRIPTION_PAID, row, now)
    _tell(row, Due.PAID_AGAIN)


def _note_unpaid(row: Subscription, now: datetime) -> None:
    if row.unpaid_since is None:
        row.unpaid_since = now
        _log(Kind.SUBSCRIPTION_UNPAID, row, now)
        _tell(row, Due.PAYMENT_FAILED)


def _note_ended(row: Subscription, ended_at: datetime, now: datetime) -> None:
    """If its owner ended it, the restaurant continues on the free plan; if it ended unpaid, it
    lapses."""
    if row.ended_at is not None:
        return
    row.ended_at = ended_at
    _log(Kind.SUBSCRIPTION_ENDED, row, now)
    if row.unpaid_since is not None and not wants_free_plan(row.restaurant):
        _lapse(row, now)
        return
    row.lapsed_at = None
    end_paid_plan(restaurant=row.restaurant, now=now, by="subscription ended")
    if row.restaurant.status != Restaurant.Status.INACTIVE:
        _tell(row, Due.ENDED)


def _lapse(row: Subscription, now: datetime) -> None:
    if row.lapsed_at is None:
        row.lapsed_at = now
        _log(Kind.SUBSCRIPTION_LAPSED, row, now)
        _tell(row, Due.LAPSED)


def _log(kind: Kind, row: Subscription, now: datetime) -> None:
    about = ("subscription", row.pk)
    record(kind, restaurant=row.restaurant_id, about=about, now=now, status=row.status)


def _tell(row: Subscription, what: Due) -> None:
    """Email it after the commit, instead of what was to be told before."""
    row.due_email = what
    after_commit(current_app.tasks["billing.send_subscription_email"], row.pk)


# --- what the owner decides -----------------------------------------------------------------------
def set_cancellation(restaurant: Restaurant, *, at_period_end: bool, now: datetime) -> Subscription:
    """Let the subscription end with the month that is paid, or go on after all.

    Raises Conflict without one, and Unavailable if Stripe doesn't answer.
    """
    row = subscription_of(restaurant)
    if row is None or not row.is_open or row.subscription_id is None:
        raise Conflict(NOTHING_TO_CHANGE)
    try:
        read = gateway.set_cancellation(row.subscription_id, at_period_end=at_period_end)
    except GatewayError as error:
        logger.warning("subscription of %s not changed: %s", restaurant.pk, error)
        raise Unavailable(NOT_CHANGED) from error
    with transaction.atomic():
        if row.ends_at_period_end != at_period_end:
            kind = Kind.SUBSCRIPTION_CANCELED if at_period_end else Kind.SUBSCRIPTION_RESUMED
            _log(kind, row, now)
        _apply(row.pk, read, now)
        if not at_period_end and wants_free_plan(restaurant):
            # Continuing the subscription means continuing its plan.
            choose_plan(
                restaurant=restaurant, tier=Restaurant.Tier.BRANDED, now=now, by="subscription"
            )
    row.refresh_from_db()
    return row


# --- the job --------------------------------------------------------------------------------------
def subscriptions_to_look_after(*, now: datetime) -> list[int]:
    """Those Stripe doesn't have yet, that may have changed, or whose grace is ending."""
    due = (
        Q(subscription_id=None)
        | Q(synced_at__lt=now - READ_EVERY)
        | Q(period_ends_at__lt=now, synced_at__lt=now - READ_UNPAID_EVERY)
        | Q(unpaid_since__isnull=False, synced_at__lt=now - READ_UNPAID_EVERY)
        | Q(restaurant__status=Restaurant.Status.INACTIVE)
        | Q(restaurant__subscription_tier=Restaurant.Tier.FREE, ends_at_period_end=False)
        | Q(restaurant__next_tier=Restaurant.Tier.FREE, ends_at_period_end=False)
        | Q(unpaid_since__lt=now - settings.SUBSCRIPTION_GRACE, lapsed_at=None)
    )
    found = Subscription.objects.filter(due, ended_at=None)
    return list(found.order_by("synced_at").values_list("pk", flat=True)[:BATCH_SIZE])


def look_after_subscription(pk: int, *, now: datetime) -> None:
    """Repeat what failed, read it again, and let the grace end. Raises GatewayError."""
    row = Subscription.objects.select_related("restaurant").get(pk=pk)
    if row.subscription_id is None:
        # A closed restaurant's too, to cancel it: Stripe may have it, or be creating it just now.
        try:
            open_subscription(pk, now=now)
        except Refused:
            if row.restaurant.status != Restaurant.Status.INACTIVE:
                raise
            _end_unopened(pk, now)
            return
        row.refresh_from_db()
    _apply(pk, _follow_restaurant(row), now)
    with transaction.atomic():
        row = _locked(pk)
        if row.is_open and row.unpaid_since is not None:
            _end_grace(row, now)
            save_subscription(row)


@transaction.atomic
def _end_unopened(pk: int, now: datetime) -> None:
    row = _locked(pk)
    if row.subscription_id is None and row.is_open:
        row.ended_at, row.status = now, "canceled"
        save_subscription(row)


def _follow_restaurant(row: Subscription) -> SubscriptionSnapshot:
    """A closed restaurant's ends now, and so does a lapsed one whose owner chose the free plan; one
    that is paid for ends with its month."""
    assert row.subscription_id is not None
    if row.restaurant.status == Restaurant.Status.INACTIVE:
        return gateway.cancel_subscription(row.subscription_id)
    if wants_free_plan(row.restaurant):
        if row.unpaid_since is not None:
            return gateway.cancel_subscription(row.subscription_id)
        if not row.ends_at_period_end:
            return gateway.set_cancellation(row.subscription_id, at_period_end=True)
    return gateway.retrieve_subscription(row.subscription_id)


def grace_ends_at(row: Subscription) -> datetime | None:
    """Until when the restaurant can publish although a renewal failed; None if none did."""
    return row.unpaid_since and row.unpaid_since + settings.SUBSCRIPTION_GRACE


def _end_grace(row: Subscription, now: datetime) -> None:
    ends_at = grace_ends_at(row)
    assert ends_at is not None
    if now >= ends_at:
        _lapse(row, now)
    elif now >= ends_at - REMINDER_BEFORE and not row.reminded_at:
        row.reminded_at = now
        _tell(row, Due.REMINDER)


def look_after_subscriptions(*, now: datetime) -> None:
    """What the scheduled job does; a subscription that fails doesn't stop the others."""
    with rls.acting_as(rls.PLATFORM):
        # Who owes nothing anymore and chose the free plan starts over.
        Subscription.objects.filter(
            restaurant__subscription_tier=Restaurant.Tier.FREE, lapsed_at__isnull=False
        ).exclude(ended_at=None).update(lapsed_at=None)
        for pk in subscriptions_to_look_after(now=now):
            try:
                look_after_subscription(pk, now=now)
            except GatewayError as error:
                logger.warning("subscription %s waits: %s", pk, error)
