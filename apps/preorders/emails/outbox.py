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
    notices,
    reminders,
    rendering,
    visit,
)
from apps.preorders.emails import waitlist as waitlist_emails
from apps.preorders.emails.next_specials import NextSpecials
from apps.preorders.models import Email
from apps.preorders.models.states import WITH_LINKS

logger = logging.getLogger(__name__)

# A worker that claims an email has this long; then another may.
LEASE = timedelta(minutes=2)
# How long the sweep leaves an email to the queue.
SWEEP_DELAY = timedelta(seconds=20)
MAX_ATTEMPTS = 12
# When to ask again for an email whose facts aren't complete.
NOT_READY = timedelta(minutes=1)
# How long an email of a cart waits for an item whose card is being held.
VISIT_WAIT = timedelta(seconds=10)
# What the texts need. Both at once would be 14 tables and 400 columns, most of them empty, and half
# of the time that sending takes.
ABOUT_AN_ORDER = (
    "recipient",
    "message",
    "friend",
    "pre_order__offer__restaurant",
    "pre_order__sold__photo",
    "pre_order__sold__alternative_photo",
    "pre_order__pickup_slot",
)
ABOUT_AN_OFFER = ("offer__restaurant", "offer__photo", "recipient", "message")


def pending_emails(*, now: datetime, limit: int = 500) -> list[UUID]:
    """Emails whose task was lost or whose worker died, the oldest first."""
    pending = Email.objects.filter(
        sent_at=None, dropped_at=None, due_at__lte=now - SWEEP_DELAY, attempts__lt=MAX_ATTEMPTS
    )
    return list(pending.order_by("due_at").values_list("pk", flat=True)[:limit])


def send_email(email_id: UUID, *, now: datetime, next_specials: NextSpecials | None = None) -> bool:
    """Send one email; False when it was sent, another worker has it, or it is no longer useful.

    `next_specials` is what a worker who sends several has read already. The Message-ID derives from
    the row, so a worker that dies between sending and recording it
    causes the same message again, not a second one.
    """
    claimed = _claim(email_id, now)
    if not claimed:
        return False
    email = claimed[0]
    if email.pre_order_id and not reminders.is_still_useful(email, now=now):
        Email.objects.filter(pk=email.pk).update(dropped_at=now)
        claimed = claimed[1:]  # those of the cart's other orders are
        if not claimed:
            return False
        email = claimed[0]
    row = Email.objects.filter(pk__in=[each.pk for each in claimed])
    if notices.is_notice(email) and email.offer:
        if not notices.is_notice_ready(email.kind, email.offer, now=now):
            row.update(due_at=now + NOT_READY, attempts=email.attempts - 1)
            return False
        if not notices.is_notice_still_true(email.kind, email.offer, now=now):
            row.update(dropped_at=now)
            return False
    if len(claimed) > 1:
        message = visit.render_visit_email(claimed)
    else:
        message = _render(email, next_specials or NextSpecials(), now=now)
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


def _render(email: Email, next_specials: NextSpecials, *, now: datetime) -> EmailMultiAlternatives:
    if email.kind in WITH_LINKS:
        return guest_links.render_link_email(email)
    if email.pre_order_id:
        return rendering.render_order_email(email, next_specials)
    if email.waitlist_entry_id:
        return waitlist_emails.render_waitlist_email(email, next_specials)
    if email.dispute_id:
        return disputes.render_dispute_email(email)
    if email.fraud_warning_id:
        return disputes.render_fraud_warning_email(email)
    if notices.is_notice(email):
        return notices.render_notice_email(email, now=now)
    return kitchen_sheet.render_kitchen_email(email)


def _claim(email_id: UUID, now: datetime) -> list[Email]:
    """The email, for this worker alone until its lease ends; with it those that are sent together
    with it. Empty when it is not to be sent, or not yet."""
    about = Email.objects.filter(pk=email_id).values_list(
        "kind", "number", "pre_order_id", "pre_order__cart"
    )
    kind, number, order_id, cart_id = about.first() or ("", 0, None, None)
    if kind not in visit.JOINED_KINDS or number != 1:
        cart_id = None
    with transaction.atomic():
        if cart_id:
            visit.lock_visit(cart_id)
        email = (
            Email.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related(*(ABOUT_AN_ORDER if order_id else ABOUT_AN_OFFER))
            .filter(pk=email_id, sent_at=None, dropped_at=None, due_at__lte=now)
            .first()
        )
        if email is None:
            return []
        if cart_id and visit.is_card_being_held(cart_id, now=now):
            Email.objects.filter(pk=email.pk).update(due_at=now + VISIT_WAIT)
            return []
        claimed = [email, *(visit.emails_to_join(email, now=now) if cart_id else [])]
        for each in claimed:
            each.attempts += 1
            each.due_at = now + max(LEASE, timedelta(seconds=2**each.attempts))
            each.save(update_fields=["attempts", "due_at"])
        return claimed
