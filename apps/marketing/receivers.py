"""Receiver of the email service's webhooks, which django-anymail verifies and normalizes:
https://anymail.dev/en/stable/sending/tracking/"""

from typing import Any

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, tracking
from django.dispatch import receiver

from apps.common import clock, rls
from apps.marketing.campaigns import tracking as invitations
from apps.marketing.models import EmailInvitation

Status = EmailInvitation.Status
_REACHED = {
    EventType.DELIVERED: Status.DELIVERED,
    EventType.OPENED: Status.OPENED,
    EventType.CLICKED: Status.CLICKED,
}
_FAILED = frozenset({EventType.BOUNCED, EventType.REJECTED, EventType.FAILED})
# Reasons that say something about the address, and not about this message or this hour.
_NO_SUCH_ADDRESS = frozenset({RejectReason.INVALID, RejectReason.BOUNCED})
# Temporary bounces, such as a full mailbox, which django-anymail reports like the others. Postmark:
# https://postmarkapp.com/developer/api/bounce-api#bounce-types, and Amazon SES:
# https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types
_TEMPORARY = frozenset({"SoftBounce", "Transient", "Undetermined"})


@receiver(tracking)
def note_tracking_event(sender: Any, event: AnymailTrackingEvent, esp_name: str, **_: Any) -> None:
    """Record whether an email was delivered, opened, clicked, or bounced.

    Bounces count for every kind of email we send. What the event says about the recipient's
    browser and address is not stored.
    """
    now = clock.now()
    named = str((event.metadata or {}).get("invitation", ""))
    with rls.acting_as(rls.PLATFORM):
        found = invitations.invitation_of_event(named=named, provider_id=event.message_id or "")
        is_bounce = event.event_type in _FAILED and event.reject_reason in _NO_SUCH_ADDRESS
        if is_bounce and event.recipient and not _is_temporary(event):
            invitations.note_bounce(event.recipient, now=now)
        if found is None:
            return
        if status := _REACHED.get(event.event_type):
            invitations.note(found.pk, status, now=now)
        elif event.event_type in _FAILED:
            why = event.mta_response or event.description or event.reject_reason or ""
            invitations.note_failure(found, why=why)
        elif event.event_type == EventType.COMPLAINED:
            invitations.note_complaint(found, now=now)
        elif event.event_type == EventType.UNSUBSCRIBED:
            invitations.note_unsubscribe(found, now=now)


def _is_temporary(event: AnymailTrackingEvent) -> bool:
    """Whether the service itself says that the bounce says nothing about the address."""
    raw = event.esp_event if isinstance(event.esp_event, dict) else {}
    of_amazon = raw.get("bounce")
    kind = of_amazon.get("bounceType") if isinstance(of_amazon, dict) else raw.get("Type")
    return kind in _TEMPORARY
