"""Hand-offs to marketing's services."""

from celery import shared_task

from apps.common import clock
from apps.marketing import services


@shared_task(name="marketing.look_after_leads", time_limit=60)
def look_after_leads() -> None:
    services.note_conversions()
    services.forget_visitors(now=clock.now())
