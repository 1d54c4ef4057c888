"""Sending queued emails: each at most once, none forgotten.

Three outboxes work alike: emails to guests about an order (`OrderEmail`) or a waitlist entry
(`WaitlistEmail`), and emails to the restaurant about an offer (`OfferEmail`). An id belongs to
exactly one of them.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q

from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs
from apps.preorders.emails import kitchen_sheet, reminders, rendering
from apps.preorders.emails import waitlist as emails_waitlist
from apps.preorders.models import OfferEmail, OrderEmail, WaitlistEmail

logger = logging.getLogger(__name__)

# A worker that takes an email has this long; then another can take it.
LEASE = timedelta(minutes=2)
# How long the sweep leaves an email to the queue.
PATIENCE = timedelta(seconds=20)
MAX_ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class Outbox:
    """A table of emails with `due_at`, `attempts`, `error` and `sent_at`, and how to render a row.
    One that is no longer `of_use` is marked as dropped instead of sent."""

    model: Any
    render: Callable[[Any], EmailMultiAlternatives]
    of_use: Callable[[Any, datetime], bool] = lambda letter, now: True
    waiting: Q = Q(sent_at=None)


# Looked up at call time so tests can patch them.
OUTBOXES = (
    Outbox(
        OrderEmail,
        lambda letter: rendering.render_order_email(letter),
        of_use=lambda letter, now: reminders.is_still_useful(letter, now=now),
        waiting=Q(sent_at=None, dropped_at=None),
    ),
    Outbox(OfferEmail, lambda letter: kitchen_sheet.render_kitchen_email(letter)),
    Outbox(WaitlistEmail, lambda letter: emails_waitlist.render_waitlist_email(letter)),
)


def queue_offer_email(offer: SpecialOffer, kind: OfferEmail.Kind, *, now: datetime) -> None:
    """Queue an email to the restaurant, in the transaction that causes it; each kind once."""
    letter, is_new = OfferEmail.objects.get_or_create(
        offer=offer,
        kind=kind,
        defaults={"restaurant_id": offer.restaurant_id, "due_at": now},
    )
    if is_new:
        jobs.send_email(letter.pk)


def pending_emails(*, now: datetime, limit: int = 500) -> list[UUID]:
    """Emails whose task was lost or whose worker died."""
    found: list[UUID] = []
    for outbox in OUTBOXES:
        waiting = outbox.model.objects.filter(
            outbox.waiting, due_at__lte=now - PATIENCE, attempts__lt=MAX_ATTEMPTS
        )
        found += waiting.order_by("due_at").values_list("pk", flat=True)[:limit]
    return found


def send_email(email_id: UUID, *, now: datetime) -> bool:
    """Send one email; False when it was sent before, another worker is sending it, or it is no
    longer of use.

    The Message-ID comes from the row, so if a worker dies between sending and saving, the repeat is
    recognized as the same message.
    """
    claimed = next(filter(None, (_claim(each, email_id, now) for each in OUTBOXES)), None)
    if claimed is None:
        return False
    outbox, letter = claimed
    same = outbox.model.objects.filter(pk=letter.pk)
    if not outbox.of_use(letter, now):
        same.update(dropped_at=now)
        return False
    try:
        outbox.render(letter).send()
    except OSError as error:  # smtplib's errors are OSErrors too
        logger.warning("email %s was not sent: %s", letter.pk, error)
        same.update(error=str(error)[:255])
        return False
    same.update(sent_at=now, error="")
    return True


def _claim(outbox: Outbox, email_id: UUID, now: datetime) -> tuple[Outbox, Any] | None:
    """The email, for this worker alone until its lease ends; None when it is not to be sent."""
    with transaction.atomic():
        letter = (
            outbox.model.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(outbox.waiting, pk=email_id, due_at__lte=now)
            .first()
        )
        if letter is None:
            return None
        letter.attempts += 1
        letter.due_at = now + max(LEASE, timedelta(seconds=2**letter.attempts))
        letter.save(update_fields=["attempts", "due_at"])
        return outbox, letter
