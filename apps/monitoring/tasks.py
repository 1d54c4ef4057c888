"""Checking the alarms: by the schedule, and by the worker itself while the scheduler is silent."""

import time
from typing import Any

from celery import current_app, shared_task
from celery.signals import heartbeat_sent

from apps.common import clock, rls
from apps.monitoring import notices, services

QUEUE = "alarms"
# The schedule asks for a check every minute. After this long without one, the worker itself does.
CHECKED_BY_ITSELF_AFTER_SECONDS = 90.0
_last_asked = time.monotonic()


@shared_task(name="monitoring.check_alarms", time_limit=110)
def check_alarms_task() -> None:
    """Check the alarms and send the notices that are due; runs every minute."""
    global _last_asked
    _last_asked = time.monotonic()
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        services.check_alarms(now=now)
        notices.send_notices(now=now)
        services.delete_old_alarms(now=now)


@heartbeat_sent.connect
def check_without_the_scheduler(**_: Any) -> None:
    """In the worker of this queue, every two seconds: notice a scheduler that sends nothing."""
    global _last_asked
    if time.monotonic() - _last_asked < CHECKED_BY_ITSELF_AFTER_SECONDS:
        return
    if QUEUE not in current_app.amqp.queues.consume_from:
        return
    _last_asked = time.monotonic()
    check_alarms_task.delay()
