"""Celery tasks for operations: the heartbeat."""

from celery import shared_task

from apps.admin_ops import health
from apps.common import clock


@shared_task(name="admin_ops.heartbeat", time_limit=10)
def heartbeat() -> None:
    health.note_heartbeat(now=clock.now())
