"""Hand-offs to marketing's services."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.marketing import announcements, demo_leads
from apps.marketing import emails as marketing_emails


@shared_task(name="marketing.look_after_leads", time_limit=60)
def expire_leads_task() -> None:
    demo_leads.record_conversions()
    demo_leads.delete_expired_leads(now=clock.now())


@shared_task(
    name="marketing.send_courtesy_copy",
    time_limit=60,
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
)
def send_courtesy_copy_task(announcement_id: str) -> None:
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
