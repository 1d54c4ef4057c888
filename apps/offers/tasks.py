"""Celery tasks of the offers app."""

from celery import shared_task

from apps.offers.visits import record_visits


@shared_task(name="offers.write_down_visits", time_limit=60)
def record_visits_task() -> None:
    """Moves the visit counts from the cache server to the database."""
    record_visits()
