"""Sending invitations: each once even if a worker dies, at a limited pace, and not at night.

A worker claims an invitation with a lease, then sends it outside any transaction. If it dies in
between, another worker sends the invitation. If the email server had accepted the first message,
the second one has the same Message-ID.
"""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused
from uuid import UUID

from anymail.exceptions import AnymailError, AnymailRecipientsRefused
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from apps.marketing.campaigns.links import destination
from apps.marketing.campaigns.rendering import render_invitation
from apps.marketing.campaigns.segments import ordering
from apps.marketing.campaigns.services import has_address, pace
from apps.marketing.models import Campaign, EmailInvitation
from apps.marketing.subscribers.suppression import suppress_bounced
from apps.offers.storefront import open_specials, with_times
from apps.preorders.emails.reminders import is_daytime
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

# A worker that claims an invitation has this long; then another may.
LEASE = timedelta(minutes=2)
# How long an invitation that was handed to the workers isn't handed to them again.
HANDED_OVER = timedelta(minutes=5)
MAX_ATTEMPTS = 8
BATCH_SIZE = 25  # emails per queue message
MAX_PER_PASS = 500  # of one restaurant; the next pass continues
HOUR = timedelta(hours=1)

Status = EmailInvitation.Status
Batches = list[tuple[UUID, list[UUID]]]


def hand_over_due(*, now: datetime) -> Batches:
    """What workers should send now: batches of each restaurant's invitations, within its pace and
    in its daytime. The caller acts as the platform."""
    due = EmailInvitation.objects.filter(
        restaurant=OuterRef("pk"), status=Status.QUEUED, due_at__lte=now
    )
    batches: Batches = []
    for restaurant in Restaurant.objects.filter(Exists(due)).order_by("pk"):
        if is_daytime(now, restaurant.zone):
            ids = _hand_over(restaurant, now=now)
            batches += [
                (restaurant.pk, ids[start : start + BATCH_SIZE])
                for start in range(0, len(ids), BATCH_SIZE)
            ]
    return batches


@transaction.atomic
def _hand_over(restaurant: Restaurant, *, now: datetime) -> list[UUID]:
    mine = EmailInvitation.objects.filter(restaurant=restaurant)
    under_way = mine.filter(
        Q(claimed_at__gt=now - HOUR) | Q(status=Status.QUEUED, due_at__gt=now)
    ).count()
    free = min(MAX_PER_PASS, pace() - under_way)
    if free <= 0:
        return []
    # Those about a special with a near deadline first, then in the order they were written.
    due = (
        mine.filter(status=Status.QUEUED, due_at__lte=now)
        .select_for_update(skip_locked=True, of=("self",))
        .order_by("due_at", "pk")
    )
    ids = list(due.values_list("pk", flat=True)[:free])
    EmailInvitation.objects.filter(pk__in=ids).update(due_at=now + HANDED_OVER)
    return ids


def send_invitation(invitation_id: UUID, *, now: datetime) -> bool:
    """Send one; False if it was sent, another worker has it, or it is no longer wanted."""
    invitation = _claim(invitation_id, now)
    if invitation is None:
        return False
    row = EmailInvitation.objects.filter(pk=invitation.pk)
    if not is_daytime(now, invitation.restaurant.zone):
        row.update(claimed_at=None, due_at=now, attempts=invitation.attempts - 1)
        return False
    if not is_wanted(invitation, now=now):
        if row.filter(status=Status.QUEUED).update(status=Status.DROPPED):
            _keep_the_wish(invitation)
        return False
    message = render_invitation(invitation, now=now)
    try:
        message.send()
    except (SMTPRecipientsRefused, AnymailRecipientsRefused) as error:
        _refused(invitation, error, now=now)
        return False
    except (OSError, AnymailError) as error:  # smtplib's errors are OSErrors too
        logger.warning("invitation %s was not sent: %s", invitation.pk, error)
        is_last = invitation.attempts >= MAX_ATTEMPTS
        status = Status.FAILED if is_last else Status.QUEUED
        row.filter(status=Status.QUEUED).update(status=status, error=str(error)[:255])
        return False
    provided = getattr(getattr(message, "anymail_status", None), "message_id", "") or ""
    row.update(
        sent_at=now,
        email_subject=message.subject[:255],
        reservation_url=destination(invitation),
        provider_id=str(provided)[:255],
        error="",
    )
    # If a webhook was faster than this, its news is newer.
    row.filter(status__in=[Status.QUEUED, Status.DROPPED]).update(status=Status.SENT)
    return True


def _keep_the_wish(invitation: EmailInvitation) -> None:
    """Who asked for a dish and isn't told of this special can be told of the next one."""
    subscriber = invitation.subscriber
    if subscriber and invitation.campaign.kind == Campaign.Kind.RETURN:
        waiting = Subscriber.objects.filter(pk=subscriber.pk, wanted_offer=None)
        waiting.update(wanted_offer=invitation.special_offer_id)


def _refused(invitation: EmailInvitation, error: Exception, *, now: datetime) -> None:
    """The email server won't take this address; for good if it says so (RFC 5321, 4.2.1)."""
    row = EmailInvitation.objects.filter(pk=invitation.pk, status=Status.QUEUED)
    codes = []
    if isinstance(error, SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    is_for_good = not codes or all(code >= 500 for code in codes)
    if not is_for_good and invitation.attempts < MAX_ATTEMPTS:
        row.update(error=str(error)[:255])
        return
    row.update(status=Status.FAILED, error=str(error)[:255])
    if is_for_good and codes:
        suppress_bounced(invitation.customer_email, now=now)


def is_wanted(invitation: EmailInvitation, *, now: datetime) -> bool:
    """Whether the address still follows, and there is still something to order."""
    subscriber, restaurant = invitation.subscriber, invitation.restaurant
    if subscriber is None or subscriber.status != Subscriber.Status.CONFIRMED:
        return False
    if restaurant.status != Restaurant.Status.ACTIVE or not has_address(restaurant):
        return False
    if invitation.campaign.status == Campaign.Status.CANCELED:
        return False
    offer = invitation.special_offer
    if offer is None:
        return bool(open_specials(restaurant, now))
    (special,) = with_times([offer], now)
    if not special.takes_orders:
        return False
    if invitation.campaign.kind == Campaign.Kind.NUDGE and not special.needed:
        return False
    mine = Subscriber.objects.filter(pk=subscriber.pk)
    return not mine.filter(Exists(ordering(offer))).exists()


def _claim(invitation_id: UUID, now: datetime) -> EmailInvitation | None:
    """The invitation, for this worker alone until its lease ends; None if it isn't due."""
    with transaction.atomic():
        invitation = (
            EmailInvitation.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related(
                "campaign",
                "restaurant__connect_account",
                "subscriber",
                "special_offer__restaurant__connect_account",
                "special_offer__photo",
                "special_offer__alternative_dish",
            )
            .filter(Q(claimed_at=None) | Q(claimed_at__lte=now - LEASE))
            .filter(pk=invitation_id, status=Status.QUEUED)
            .first()
        )
        if invitation is None:
            return None
        invitation.attempts += 1
        invitation.claimed_at = now
        invitation.due_at = now + max(LEASE, timedelta(seconds=30 * 2**invitation.attempts))
        invitation.save(update_fields=["attempts", "claimed_at", "due_at"])
        return invitation


def finish_campaigns(*, now: datetime) -> int:
    """Close the campaigns with nothing left to send; returns how many. The caller acts as the
    platform."""
    left = EmailInvitation.objects.filter(campaign=OuterRef("pk"), status=Status.QUEUED)
    done = Campaign.objects.filter(~Exists(left), status=Campaign.Status.SENDING, is_invited=True)
    return done.update(status=Campaign.Status.SENT, finished_at=now)
