"""Celery tasks of the offers app."""

from celery import shared_task

from apps.offers.visits import write_down_visits


@shared_task(name="offers.write_down_visits", time_limit=60)
def write_down_visits_task() -> None:
    """Moves the visit counts from the cache server to the database."""
    write_down_visits()
