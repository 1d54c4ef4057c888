"""Posting later: a reminder by email at the chosen time, with everything that posting takes.

We post nothing in a restaurant's name (decision 20), so what is scheduled is the reminder: the
text, a link to each platform's composer, and the pictures (decision 112).
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException
from uuid import UUID

from django.db import transaction

from apps.accounts.models import User
from apps.common.errors import FieldError, Invalid, NotFound
from apps.marketing.announcements import profiles_of, save_announcement
from apps.marketing.emails import send_post_reminder
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform, Result, compose_on
from apps.offers.presentation import Special
from apps.offers.storefront import open_specials
from apps.restaurants.models import Membership, Restaurant

logger = logging.getLogger(__name__)

MAX_AHEAD = timedelta(days=60)
LEASE = timedelta(minutes=2)  # a worker that dies leaves the reminder to another after this time
MAX_ATTEMPTS = 8
PAST = "Choose a time in the future."
TOO_FAR = "Choose a time within the next 60 days."
UNKNOWN = "We couldn't find this reminder. It may have been sent already."


@transaction.atomic
def schedule_reminder(
    *,
    restaurant: Restaurant,
    message: str,
    short: str,
    remind_at: datetime,
    by: User,
    now: datetime,
) -> Announcement:
    """Remind `by` to post the text at that time; asking again moves the reminder.

    Raises Invalid for a time in the past or too far ahead.
    """
    wrong = PAST if remind_at <= now else TOO_FAR if remind_at > now + MAX_AHEAD else ""
    if wrong:
        raise Invalid(wrong, fields=[FieldError("remindAt", wrong)])
    announcement = save_announcement(
        restaurant=restaurant, message=message, platforms=[], by=by, now=now
    )
    announcement.short_message, announcement.remind_user = short, by
    announcement.remind_at, announcement.remind_attempts = remind_at, 0
    announcement.save(
        update_fields=["short_message", "remind_user", "remind_at", "remind_attempts"]
    )
    return announcement


def cancel_reminder(*, restaurant: Restaurant, announcement_id: UUID) -> None:
    """Send no reminder. Raises NotFound if there is none to be sent."""
    waiting = Announcement.objects.filter(
        restaurant=restaurant, pk=announcement_id, remind_at__isnull=False
    )
    if not waiting.update(remind_at=None):
        raise NotFound(UNKNOWN)


def reminders_due(*, now: datetime, limit: int = 200) -> list[tuple[UUID, UUID]]:
    """Restaurants and their announcements to be reminded of. The caller acts as the platform."""
    due = Announcement.objects.filter(remind_at__lte=now).order_by("remind_at", "pk")
    return list(due.values_list("restaurant_id", "pk")[:limit])


def send_reminder(announcement_id: UUID, *, now: datetime) -> bool:
    """Send one reminder; False if it was sent, another worker has it, or it is of no use."""
    announcement = _claim(announcement_id, now)
    if announcement is None:
        return False
    row = Announcement.objects.filter(pk=announcement.pk, remind_at=announcement.remind_at)
    user = announcement.remind_user
    specials = _announced(announcement, now=now)
    if user is None or not specials or not _still_announces(announcement.restaurant, user):
        row.update(remind_at=None)
        return False
    try:
        send_post_reminder(
            announcement, composers_of(announcement), pictured=specials[0].offer, to=user.email
        )
    except (OSError, SMTPException) as error:
        logger.warning("reminder of announcement %s was not sent: %s", announcement.pk, error)
        if announcement.remind_attempts >= MAX_ATTEMPTS:
            row.update(remind_at=None)
        return False
    row.update(remind_at=None)
    return True


def composers_of(announcement: Announcement) -> list[Result]:
    """The composer of each platform whose link is saved and that takes this text."""
    short, message = announcement.short_message, announcement.message
    results = [
        compose_on(
            platform,
            message=short if platform == Platform.TWITTER and short else message,
            profile=profile,
        )
        for platform, profile in profiles_of(announcement.restaurant).items()
        if profile
    ]
    return [each for each in results if each.success]


def _claim(announcement_id: UUID, now: datetime) -> Announcement | None:
    with transaction.atomic():
        announcement = (
            Announcement.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("restaurant", "remind_user")
            .filter(pk=announcement_id, remind_at__lte=now)
            .first()
        )
        if announcement is None:
            return None
        announcement.remind_at = now + LEASE
        announcement.remind_attempts += 1
        announcement.save(update_fields=["remind_at", "remind_attempts"])
        return announcement


def _announced(announcement: Announcement, *, now: datetime) -> Sequence[Special]:
    """The specials it is about that guests can still order; all open ones if it names none."""
    named = set(announcement.special_offer_ids)
    return [
        each
        for each in open_specials(announcement.restaurant, now)
        if each.takes_orders and (not named or str(each.offer.pk) in named)
    ]


def _still_announces(restaurant: Restaurant, user: User) -> bool:
    return user.is_active and Membership.objects.filter(restaurant=restaurant, user=user).exists()
