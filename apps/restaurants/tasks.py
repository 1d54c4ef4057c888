"""Celery tasks of restaurants: invitation emails and nightly purges."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.restaurants import letters
from apps.restaurants.services import abandoned, addresses, team


@shared_task(
    name="restaurants.send_invitation",
    time_limit=60,
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
)
def send_invitation(invitation_id: str, token: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        invitation = team.open_invitation(UUID(invitation_id), now=clock.now())
        if invitation:
            letters.deliver_invitation(invitation, token=token)


@shared_task(name="restaurants.archive_registrations", time_limit=120)
def archive_registrations() -> None:
    abandoned.archive_registrations(now=clock.now())


@shared_task(name="restaurants.end_old_addresses", time_limit=60)
def end_old_addresses() -> None:
    with rls.acting_as(rls.PLATFORM):
        addresses.end_old_addresses(now=clock.now())
