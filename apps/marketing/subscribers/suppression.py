"""Addresses that get no more news, because they don't accept emails or their owner reported one as
spam."""

from datetime import datetime

from django.db.models import QuerySet

from apps.common import rls
from apps.preorders.emails.preferences import SUBSCRIBABLE
from apps.preorders.models import Subscriber


def suppress_bounced(address: str, *, now: datetime) -> int:
    """An address that doesn't exist takes no restaurant's emails; returns how many rows changed.

    Acts as the platform: bounces of every restaurant count against the domain they share.
    """
    with rls.acting_as(rls.PLATFORM):
        rows = Subscriber.objects.filter(email=address.lower())
        return _suppress(rows, Subscriber.Suppression.BOUNCE, now)


def suppress_complaining(subscriber: Subscriber, *, now: datetime) -> int:
    """Somebody reported an email of this restaurant as spam: it never emails them news again."""
    rows = Subscriber.objects.filter(pk=subscriber.pk)
    return _suppress(rows, Subscriber.Suppression.COMPLAINT, now)


def _suppress(rows: QuerySet[Subscriber], reason: Subscriber.Suppression, now: datetime) -> int:
    return rows.filter(status__in=sorted(SUBSCRIBABLE)).update(
        status=Subscriber.Status.SUPPRESSED,
        suppressed_for=reason,
        confirmation_due_at=None,
        changed_at=now,
    )
