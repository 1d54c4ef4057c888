"""Signs of life: the scheduler's heartbeat, and that of each worker."""

from typing import Any

from celery import current_app, shared_task
from celery.signals import heartbeat_sent

from apps.admin_ops import health
from apps.common import clock


@shared_task(name="admin_ops.heartbeat", time_limit=10)
def heartbeat() -> None:
    health.note_heartbeat(now=clock.now())


@heartbeat_sent.connect
def worker_lives(**_: Any) -> None:
    """Every two seconds, from a worker's main thread, which runs no tasks.

    https://docs.celeryq.dev/en/stable/userguide/signals.html#heartbeat-sent
    """
    health.note_worker(current_app.amqp.queues.consume_from, now=clock.now())
