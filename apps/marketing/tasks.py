"""Celery tasks of the marketing app."""

from time import monotonic
from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.marketing import announcements, demo_leads, post_reminders
from apps.marketing import emails as marketing_emails
from apps.marketing.campaigns import inviting, nudges, returns, sending, tracking
from apps.marketing.subscribers import emails as subscriber_emails
from apps.marketing.subscribers.follow import confirmations_due
from apps.restaurants.services import onboarding

# A pass writes no new batch of invitations after this time; the next pass continues.
INVITING_SECONDS = 5


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


@shared_task(name="marketing.send_post_reminders", time_limit=60)
def send_post_reminders_task() -> None:
    """Remind people to post what they wanted to post now."""
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        due = post_reminders.reminders_due(now=now)
    for restaurant_id, announcement_id in due:
        with rls.acting_as(restaurant_id):
            post_reminders.send_reminder(announcement_id, now=now)


@shared_task(name="marketing.send_confirmation", time_limit=60)
def send_confirmation_task(restaurant_id: str, subscriber_id: str) -> None:
    """Ask an address whether it wants to follow; the sweep tries again."""
    with rls.acting_as(UUID(restaurant_id)):
        subscriber_emails.send_confirmation(UUID(subscriber_id), now=clock.now())


@shared_task(name="marketing.send_due_confirmations", time_limit=30)
def send_due_confirmations_task() -> None:
    """Queue confirmations whose message was lost or whose attempt failed."""
    with rls.acting_as(rls.PLATFORM):
        for restaurant_id, subscriber_id in confirmations_due(now=clock.now()):
            send_confirmation_task.delay(str(restaurant_id), str(subscriber_id))


@shared_task(name="marketing.run_campaigns", time_limit=60)
def run_campaigns_task() -> None:
    """Write invitations of campaigns that are due, hand over what can be sent, and close what is
    done."""
    begun = monotonic()
    with rls.acting_as(rls.PLATFORM):
        now = clock.now()
        for campaign_id in inviting.campaigns_to_invite(now=now):
            while monotonic() - begun < INVITING_SECONDS and inviting.write_batch(
                campaign_id, now=now
            ):
                pass
        for restaurant_id, ids in sending.hand_over_due(now=now):
            send_invitations_task.delay(str(restaurant_id), [str(each) for each in ids])
        sending.finish_campaigns(now=now)


@shared_task(name="marketing.send_invitations", time_limit=280)
def send_invitations_task(restaurant_id: str, invitation_ids: list[str]) -> None:
    with rls.acting_as(UUID(restaurant_id)):
        for each in invitation_ids:
            sending.send_invitation(UUID(each), now=clock.now())


@shared_task(name="marketing.queue_nudges", time_limit=60)
def queue_nudges_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        nudges.queue_nudges(now=clock.now())


@shared_task(name="marketing.queue_returns", time_limit=60)
def queue_returns_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        returns.queue_returns(now=clock.now())


@shared_task(name="marketing.attribute_orders", time_limit=60)
def attribute_orders_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        tracking.attribute_orders(now=clock.now())
