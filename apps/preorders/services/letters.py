"""Sending the letters that decisions wrote down: each at most once, none forgotten."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from apps.preorders import mails
from apps.preorders.models import OrderMail

logger = logging.getLogger(__name__)

# A worker that takes a letter has this long; then another may.
LEASE = timedelta(minutes=2)
# What the sweep leaves to the queue.
PATIENCE = timedelta(seconds=20)
MAX_ATTEMPTS = 12


def waiting_letters(*, now: datetime, limit: int = 500) -> list[UUID]:
    """Letters whose task was lost or whose worker died."""
    return list(
        OrderMail.objects.filter(
            sent_at=None, due_at__lte=now - PATIENCE, attempts__lt=MAX_ATTEMPTS
        )
        .order_by("due_at")
        .values_list("pk", flat=True)[:limit]
    )


def send_letter(letter_id: UUID, *, now: datetime) -> bool:
    """Send one letter; False when it is sent, or somebody else is sending it.

    The message's id is the letter's own, so a worker that dies between sending and noting it causes
    the same message again, not a second one.
    """
    with transaction.atomic():
        letter = (
            OrderMail.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(pk=letter_id, sent_at=None, due_at__lte=now)
            .first()
        )
        if letter is None:
            return False
        letter.attempts += 1
        letter.due_at = now + max(LEASE, timedelta(seconds=2**letter.attempts))
        letter.save(update_fields=["attempts", "due_at"])
    try:
        mails.render(letter).send()
    except OSError as error:  # smtplib's errors are OSErrors too
        logger.warning("letter %s was not sent: %s", letter.pk, error)
        OrderMail.objects.filter(pk=letter.pk).update(error=str(error)[:255])
        return False
    OrderMail.objects.filter(pk=letter.pk).update(sent_at=now, error="")
    return True
