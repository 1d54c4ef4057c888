"""Sending queued emails: each at most once, none forgotten."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from apps.preorders.emails import (
    disputes,
    guest_links,
    kitchen_sheet,
    offer_result,
    reminders,
    rendering,
)
from apps.preorders.emails import waitlist as waitlist_emails
from apps.preorders.models import Email
from apps.preorders.models.states import WITH_LINKS, EmailKind

logger = logging.getLogger(__name__)

# A worker that claims an email has this long; then another may.
LEASE = timedelta(minutes=2)
# How long the sweep leaves an email to the queue.
SWEEP_DELAY = timedelta(seconds=20)
MAX_ATTEMPTS = 12
# When to ask again for an email whose facts aren't complete.
NOT_READY = timedelta(minutes=1)


def pending_emails(*, now: datetime, limit: int = 500) -> list[UUID]:
    """Emails whose task was lost or whose worker died, the oldest first."""
    pending = Email.objects.filter(
        sent_at=None, dropped_at=None, due_at__lte=now - SWEEP_DELAY, attempts__lt=MAX_ATTEMPTS
    )
    return list(pending.order_by("due_at").values_list("pk", flat=True)[:limit])


def send_email(email_id: UUID, *, now: datetime) -> bool:
    """Send one email; False when it was sent, another worker has it, or it is no longer useful.

    The Message-ID derives from the row, so a worker that dies between sending and recording it
    causes the same message again, not a second one.
    """
    email = _claim(email_id, now)
    if email is None:
        return False
    row = Email.objects.filter(pk=email.pk)
    if email.kind == EmailKind.OFFER_RESULT and not offer_result.is_ready(email, now=now):
        row.update(due_at=now + NOT_READY, attempts=email.attempts - 1)
        return False
    if email.pre_order_id and not reminders.is_still_useful(email, now=now):
        row.update(dropped_at=now)
        return False
    message = _render(email)
    if not message.to:
        row.update(dropped_at=now)
        return False
    try:
        message.send()
    except OSError as error:  # smtplib's errors are OSErrors too
        logger.warning("email %s was not sent: %s", email.pk, error)
        row.update(error=str(error)[:255])
        return False
    row.update(sent_at=now, error="")
    return True


def _render(email: Email) -> EmailMultiAlternatives:
    if email.kind in WITH_LINKS:
        return guest_links.render_link_email(email)
    if email.pre_order_id:
        return rendering.render_order_email(email)
    if email.waitlist_entry_id:
        return waitlist_emails.render_waitlist_email(email)
    if email.dispute_id:
        return disputes.render_dispute_email(email)
    if email.fraud_warning_id:
        return disputes.render_fraud_warning_email(email)
    if email.kind == EmailKind.OFFER_RESULT:
        return offer_result.render_result_email(email)
    return kitchen_sheet.render_kitchen_email(email)


def _claim(email_id: UUID, now: datetime) -> Email | None:
    """The email, for this worker alone until its lease ends; None when it is not to be sent."""
    with transaction.atomic():
        email = (
            Email.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("offer", "pre_order__offer__restaurant", "pre_order__sold")
            .filter(pk=email_id, sent_at=None, dropped_at=None, due_at__lte=now)
            .first()
        )
        if email is None:
            return None
        email.attempts += 1
        email.due_at = now + max(LEASE, timedelta(seconds=2**email.attempts))
        email.save(update_fields=["attempts", "due_at"])
        return email
