"""Celery tasks of the offers app; each calls one function."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.offers.models import SeriesDate
from apps.offers.series import emails as series_emails
from apps.offers.series import publication
from apps.offers.visits import record_visits
from apps.restaurants.selectors import owner_addresses


@shared_task(name="offers.write_down_visits", time_limit=60)
def record_visits_task() -> None:
    """Moves the visit counts from the cache server to the database."""
    record_visits()


@shared_task(name="offers.publish_series", time_limit=60)
def publish_series_task() -> None:
    """Queue the series with something due, and the emails about refusals that weren't sent."""
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        for restaurant_id, series_id in publication.due_series(now=now):
            publish_one_task.delay(str(restaurant_id), str(series_id))
        for restaurant_id, date_id in publication.refusals_to_tell(now=now):
            tell_refusal_task.delay(str(restaurant_id), date_id)


@shared_task(name="offers.publish_one", time_limit=60)
def publish_one_task(restaurant_id: str, series_id: str) -> None:
    with rls.acting_as(UUID(restaurant_id)):
        publication.publish_due(UUID(series_id), now=clock.now())


@shared_task(name="offers.tell_refusal", time_limit=60)
def tell_refusal_task(restaurant_id: str, date_id: int) -> None:
    """Email the owners, then remember it; the sweep tries again until that is written."""
    with rls.acting_as(UUID(restaurant_id)):
        rows = SeriesDate.objects.select_related("series__pattern", "restaurant", "offer")
        row = rows.filter(pk=date_id, status=SeriesDate.Status.REFUSED, emailed_at=None).first()
        if row is None:
            return
        for address in owner_addresses(row.restaurant):
            series_emails.send_not_published(row, to=address)
        SeriesDate.objects.filter(pk=date_id, emailed_at=None).update(emailed_at=clock.now())
