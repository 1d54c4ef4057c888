"""Celery tasks of the marketing app."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.marketing import announcements, demo_leads
from apps.marketing import emails as marketing_emails
from apps.restaurants.services import onboarding


@shared_task(name="marketing.record_conversions", time_limit=60)
def record_conversions_task() -> None:
    """Links leads to their restaurants."""
    demo_leads.record_conversions()


@shared_task(
    name="marketing.send_courtesy_copy",
    time_limit=60,
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
)
def send_courtesy_copy_task(announcement_id: str) -> None:
    """Emails the owner a copy of the announcement, once."""
    key = UUID(announcement_id)
    with rls.acting_as(rls.PLATFORM):
        announcement = announcements.claim_copy(key, now=clock.now())
        if announcement is None:
            return
        try:
            address = announcements.owner_address(announcement.restaurant)
            marketing_emails.send_courtesy_copy(announcement, to=address)
        except OSError:
            announcements.return_copy_allowance(key)
            raise
        onboarding.count_email(announcement.restaurant, now=clock.now())
