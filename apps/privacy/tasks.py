"""Celery tasks of the privacy app."""

from celery import shared_task

from apps.common import clock
from apps.privacy.retention import prune

PRUNE_SECONDS = 200  # one message's share; the rest is another message


@shared_task(name="privacy.prune", time_limit=300)
def prune_task() -> None:
    """Delete and anonymize everything whose retention is over; continues in another message."""
    if not prune(now=clock.now(), seconds=PRUNE_SECONDS).is_complete:
        prune_task.delay()
