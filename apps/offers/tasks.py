"""What workers do for the specials; each line is one call."""

from celery import shared_task

from apps.offers.visits import record_visits


@shared_task(name="offers.write_down_visits", time_limit=60)
def record_visits_task() -> None:
    """Visits counted since the last minute go to the tables."""
    record_visits()
