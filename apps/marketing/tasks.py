"""Celery tasks of the marketing app."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.marketing import announcements, letters, services


@shared_task(name="marketing.look_after_leads", time_limit=60)
def look_after_leads() -> None:
    """Links leads to their restaurants and erases old traces."""
    services.note_conversions()
    services.forget_visitors(now=clock.now())


@shared_task(
    name="marketing.send_courtesy_copy",
    time_limit=60,
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
)
def send_courtesy_copy(announcement_id: str) -> None:
    """Emails the owner a copy of the announcement, once."""
    key = UUID(announcement_id)
    with rls.acting_as(rls.PLATFORM):
        announcement = announcements.claim_copy(key, now=clock.now())
        if announcement is None:
            return
        try:
            address = announcements.owner_address(announcement.restaurant)
            letters.deliver_courtesy_copy(announcement, to=address)
        except OSError:
            announcements.give_copy_back(key)
            raise
