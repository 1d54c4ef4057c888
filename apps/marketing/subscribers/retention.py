"""Rows about followers, and about emails to them, that are too old; `apps.privacy.retention`
deletes them."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from apps.marketing.models import EmailInvitation
from apps.preorders.guest.erasure import ORDERS_RETENTION
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry

UNCONFIRMED_RETENTION = timedelta(days=14)
FOLLOWERS_RETENTION = timedelta(days=2 * 365)


def forgotten_preferences(now: datetime) -> QuerySet[Any]:
    """Preferences of addresses that aren't subscribed and that no longer have an order or a
    waitlist entry at the restaurant."""
    orders = PreOrder.objects.alias(address=Lower("customer_email")).filter(
        restaurant=OuterRef("restaurant"), address=OuterRef("email")
    )
    entries = WaitlistEntry.objects.filter(
        restaurant=OuterRef("restaurant"), email=OuterRef("email")
    )
    return Subscriber.objects.filter(
        ~Exists(orders), ~Exists(entries), changed_at__lt=now - ORDERS_RETENTION
    ).exclude(status=Subscriber.Status.CONFIRMED)


def silent_followers(now: datetime) -> QuerySet[Any]:
    """Followers who haven't ordered, clicked, or changed anything for `FOLLOWERS_RETENTION`."""
    long_ago = now - FOLLOWERS_RETENTION
    orders = PreOrder.objects.alias(address=Lower("customer_email")).filter(
        restaurant=OuterRef("restaurant"), address=OuterRef("email"), created_at__gte=long_ago
    )
    clicks = EmailInvitation.objects.filter(subscriber=OuterRef("pk"), clicked_at__gte=long_ago)
    return Subscriber.objects.filter(
        ~Exists(orders),
        ~Exists(clicks),
        status=Subscriber.Status.CONFIRMED,
        changed_at__lt=long_ago,
    )


def never_confirmed(now: datetime) -> QuerySet[Any]:
    return Subscriber.objects.filter(
        status=Subscriber.Status.PENDING, changed_at__lt=now - UNCONFIRMED_RETENTION
    )


def invitations_of_nobody(now: datetime) -> QuerySet[Any]:
    """Invitations of people who left the list or were erased, and those older than orders are
    kept."""
    named = EmailInvitation.objects.exclude(customer_email="")
    return named.filter(Q(subscriber=None) | Q(created_at__lt=now - ORDERS_RETENTION))


def end_unconfirmed(rows: QuerySet[Any], now: datetime) -> int:
    """End requests that nobody confirmed. An address that had unsubscribed before stays
    unsubscribed."""
    stopped = rows.filter(stopped_at__isnull=False).update(
        status=Subscriber.Status.UNSUBSCRIBED, changed_at=now
    )
    return stopped + rows.filter(stopped_at=None).delete()[0]
