"""Celery tasks of the offers app."""

from celery import shared_task

from apps.common import clock, rls
from apps.offers.services import delete_unused_photos
from apps.offers.visits import record_visits


@shared_task(name="offers.write_down_visits", time_limit=60)
def record_visits_task() -> None:
    """Moves the visit counts from the cache server to the database."""
    record_visits()


@shared_task(name="offers.delete_unused_photos", time_limit=300)
def delete_unused_photos_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        delete_unused_photos(now=clock.now())
