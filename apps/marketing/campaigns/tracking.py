"""An invitation's status, from our own links, the email service's webhooks, and the orders.

A status only moves forward, so news can come late, twice, or in any order. What is stored is when
something happened first: no address, no browser, nothing about a second time (decision 156).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from apps.marketing.models import EmailInvitation
from apps.marketing.subscribers.suppression import suppress_bounced, suppress_complaining
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.models import PreOrder

# An order counts for the email whose link its guest clicked this long before.
ATTRIBUTED_WITHIN = timedelta(days=7)

Status = EmailInvitation.Status
# The statuses that each status can follow. An email can be opened after a false bounce.
_BEFORE: dict[str, Sequence[str]] = {
    Status.DELIVERED: (Status.QUEUED, Status.SENT),
    Status.FAILED: (Status.QUEUED, Status.SENT, Status.DELIVERED),
}
_BEFORE[Status.OPENED] = (*_BEFORE[Status.DELIVERED], Status.DELIVERED, Status.FAILED)
_BEFORE[Status.CLICKED] = (*_BEFORE[Status.OPENED], Status.OPENED)
_BEFORE[Status.ORDERED] = (*_BEFORE[Status.CLICKED], Status.CLICKED)


def note(invitation_id: UUID, status: str, *, now: datetime) -> None:
    """Note the first time that an invitation was delivered, opened, or clicked. Safe to repeat.

    Whoever clicks has opened, and what was opened was delivered.
    """
    row = EmailInvitation.objects.filter(pk=invitation_id)
    reached = {
        Status.DELIVERED: ("delivered_at",),
        Status.OPENED: ("delivered_at", "opened_at"),
        Status.CLICKED: ("delivered_at", "opened_at", "clicked_at"),
    }[Status(status)]
    for column in reached:
        row.filter(**{f"{column}__isnull": True}).update(**{column: now})
    row.filter(status__in=_BEFORE[status]).update(status=status)


def invitation_of_event(*, named: str, provider_id: str) -> EmailInvitation | None:
    """The invitation that a webhook is about, by the id that we sent along, otherwise by the
    service's."""
    rows = EmailInvitation.objects.select_related("subscriber")
    try:
        key = UUID(named)
    except ValueError:
        key = None
    if key is not None:
        return rows.filter(pk=key).first()
    return rows.filter(provider_id=provider_id).first() if provider_id else None


def note_failure(invitation: EmailInvitation, *, why: str) -> None:
    """The email wasn't delivered."""
    EmailInvitation.objects.filter(pk=invitation.pk, status__in=_BEFORE[Status.FAILED]).update(
        status=Status.FAILED, error=why[:255]
    )


def note_bounce(address: str, *, now: datetime) -> None:
    """The address doesn't exist."""
    suppress_bounced(address, now=now)


def note_complaint(invitation: EmailInvitation, *, now: datetime) -> None:
    """The recipient reported the email as spam."""
    if invitation.subscriber is not None:
        suppress_complaining(invitation.subscriber, now=now)


def note_unsubscribe(invitation: EmailInvitation, *, now: datetime) -> None:
    """The recipient unsubscribed with a button of the email service."""
    if invitation.subscriber is not None:
        set_email_preference(
            restaurant_id=invitation.restaurant_id,
            address=invitation.subscriber.email,
            news=False,
            now=now,
        )


def attribute_orders(*, now: datetime, limit: int = 1000) -> int:
    """Connect invitations with the orders they led to; returns how many. The caller acts as the
    platform.

    An order is an invitation's if the same address clicked and then ordered the special (or any,
    for an email about all of them) and its card was held.
    """
    clicked = EmailInvitation.objects.filter(
        clicked_at__gt=now - 2 * ATTRIBUTED_WITHIN, ordered_at=None
    ).exclude(customer_email="")
    found = 0
    for invitation in clicked.order_by("-clicked_at")[:limit]:
        order = _order_after(invitation)
        if order is None:
            continue
        row = EmailInvitation.objects.filter(pk=invitation.pk, ordered_at=None)
        found += row.update(ordered_at=order.authorized_at, pre_order=order, status=Status.ORDERED)
    return found


def _order_after(invitation: EmailInvitation) -> PreOrder | None:
    assert invitation.clicked_at is not None
    about = Q(offer_id=invitation.special_offer_id) if invitation.special_offer_id else Q()
    orders = PreOrder.objects.filter(
        about,
        restaurant_id=invitation.restaurant_id,
        customer_email__iexact=invitation.customer_email,
        authorized_at__range=(invitation.clicked_at, invitation.clicked_at + ATTRIBUTED_WITHIN),
    )
    return orders.order_by("authorized_at").first()
