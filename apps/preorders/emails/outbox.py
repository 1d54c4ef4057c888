"""Sending the letters that decisions wrote down: each at most once, none forgotten.

Several outboxes with one discipline: letters to diners about their order (`OrderEmail`) or their
place in a line (`WaitlistEmail`), and letters to the restaurant about an offer (`OfferEmail`). A
letter's id says which of them it lies in.
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

# A worker that takes a letter has this long; then another may.
LEASE = timedelta(minutes=2)
# What the sweep leaves to the queue.
PATIENCE = timedelta(seconds=20)
MAX_ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class Outbox:
    """A table of letters, each with `due_at`, `attempts`, `error` and `sent_at`, and what makes a
    message of a row. One that is not `of_use` any more is not sent but noted as dropped."""

    model: Any
    render: Callable[[Any], EmailMultiAlternatives]
    of_use: Callable[[Any, datetime], bool] = lambda letter, now: True
    waiting: Q = Q(sent_at=None)


# The modules' functions by name, so that a test may stand in for the mail server.
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
    """Write a letter to the restaurant down with the decision that causes it; each kind once."""
    letter, is_new = OfferEmail.objects.get_or_create(
        offer=offer,
        kind=kind,
        defaults={"restaurant_id": offer.restaurant_id, "due_at": now},
    )
    if is_new:
        jobs.send_email(letter.pk)


def pending_emails(*, now: datetime, limit: int = 500) -> list[UUID]:
    """Letters whose task was lost or whose worker died."""
    found: list[UUID] = []
    for outbox in OUTBOXES:
        waiting = outbox.model.objects.filter(
            outbox.waiting, due_at__lte=now - PATIENCE, attempts__lt=MAX_ATTEMPTS
        )
        found += waiting.order_by("due_at").values_list("pk", flat=True)[:limit]
    return found


def send_email(email_id: UUID, *, now: datetime) -> bool:
    """Send one letter; False when it is sent, somebody else is sending it, or it is of no more use.

    The message's id is the letter's own, so a worker that dies between sending and noting it causes
    the same message again, not a second one.
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
        logger.warning("letter %s was not sent: %s", letter.pk, error)
        same.update(error=str(error)[:255])
        return False
    same.update(sent_at=now, error="")
    return True


def _claim(outbox: Outbox, email_id: UUID, now: datetime) -> tuple[Outbox, Any] | None:
    """The letter, for this worker alone until its lease ends; None when it is not to be sent."""
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
