"""The Celery application and its schedule."""

import logging
import logging.config
import os
import time
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import django
from celery import Celery, Task
from celery.schedules import crontab
from celery.signals import (
    beat_init,
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
)
from django.conf import settings
from django.db import close_old_connections

from apps.common import measurements, traces
from apps.common.request_log import continue_request, current_request_id
from config.reports import start_reports
from config.start import refuse_to_start_wrong

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("fully_booked")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def _check_at_start(**_: Any) -> None:
    django.setup()
    if settings.CHECKED_AT_START:
        refuse_to_start_wrong()


@worker_init.connect
def measure_and_report(sender: Any = None, **_: Any) -> None:
    """Start reports and measurements, under the worker's own name, such as `settlement@machine`."""
    name = str(sender)
    start_reports(name.partition("@")[0])
    if settings.METRICS_TOKEN or settings.METRICS_NETWORKS:
        measurements.forget_measurements(name, settings.METRICS_DIR)
        measurements.measure_as(name, settings.METRICS_DIR)


@beat_init.connect
def report_as_scheduler(**_: Any) -> None:
    start_reports("beat")


@task_prerun.connect
@task_postrun.connect
def keep_connection(sender: "Task[..., Any]", **_: Any) -> None:
    """Treat each thread's database connection as Django does around a request.

    It is closed when it is broken or older than CONN_MAX_AGE. Celery would close it before and
    after every task; CELERY_DB_REUSE_MAX turns that off.
    """
    if not sender.request.is_eager:
        close_old_connections()


REQUEST_HEADER, TRACE_HEADER = "fb_request_id", "fb_trace"


@dataclass(frozen=True, slots=True)
class _Running:
    """The task that runs in this thread."""

    begun: float  # seconds, as `time.perf_counter` counts
    span: AbstractContextManager[traces.Attributes]
    attributes: traces.Attributes


_running: ContextVar[_Running | None] = ContextVar("running", default=None)


@setup_logging.connect
def use_our_logging(loglevel: int | str | None = None, **_: Any) -> None:
    """Log Celery's messages in the program's format instead of its own."""
    if loglevel is not None:
        settings.LOGGING["root"]["level"] = loglevel  # Django configures logging once more
    logging.config.dictConfig(settings.LOGGING)


@before_task_publish.connect
def pass_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Send along the request that queues the task, so that the task, and those it queues, belong to
    it."""

    if headers is None:
        return
    if request_id := current_request_id():
        headers[REQUEST_HEADER] = request_id
    if carrier := traces.carried():
        headers[TRACE_HEADER] = carrier


@task_prerun.connect
def begin_task(task_id: str, task: "Task[..., Any]", **_: Any) -> None:
    """Record, before the task runs, which request it belongs to and when it began."""
    if task.request.is_eager:
        return
    continue_request(task.request.get(REQUEST_HEADER) or "", task_id=task_id)
    span = traces.span(f"task {task.name}", carrier=task.request.get(TRACE_HEADER))
    _running.set(_Running(time.perf_counter(), span, span.__enter__()))


@task_postrun.connect
def end_task(task: "Task[..., Any]", state: str | None = None, **_: Any) -> None:
    """Report the task's result and duration, however it ended."""
    if task.request.is_eager or (running := _running.get()) is None:
        return
    seconds = time.perf_counter() - running.begun
    measurements.task_ended(task=task.name, result=str(state), seconds=seconds)
    running.attributes["fully_booked.result"] = str(state)
    running.attributes["fully_booked.request_id"] = current_request_id()
    running.span.__exit__(None, None, None)
    _running.set(None)
    continue_request("")


# `expires` drops a run when the next one is due: after an outage, one run does the work of all.
app.conf.beat_schedule = {
    # Starts settlement within 5 s of a deadline (DECISIONS X61): one indexed query when idle.
    "close-due-offers": {
        "task": "preorders.close_due_offers",
        "schedule": 1.0,
        "options": {"expires": 2},
    },
    "run-due-operations": {
        "task": "preorders.run_due_operations",
        "schedule": 2.0,
        "options": {"expires": 4},
    },
    "send-pending-emails": {
        "task": "preorders.send_pending_emails",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "send-pushes": {
        "task": "preorders.send_pushes",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "end-abandoned-checkouts": {
        "task": "preorders.end_abandoned_checkouts",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "lapse-reservations": {
        "task": "preorders.lapse_reservations",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "serve-waiting-lists": {
        "task": "preorders.promote_waitlists",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "guard-holds": {
        "task": "preorders.renew_authorizations",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    # Reminders can be up to five minutes late.
    "write-reminders": {
        "task": "preorders.queue_reminders",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "reconcile": {
        "task": "preorders.reconcile",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "repair-webhook-endpoints": {
        "task": "billing.repair_webhook_endpoints",
        "schedule": 900.0,
        "options": {"expires": 900},
    },
    "authorize-forgotten-carts": {
        "task": "preorders.authorize_forgotten_carts",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "reconcile-disputes": {
        "task": "preorders.reconcile_disputes",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "process-waiting-webhooks": {
        "task": "billing.process_waiting_webhooks",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "deliver-webhooks": {
        "task": "integrations.deliver_due",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "schedule-payouts": {
        "task": "billing.schedule_payouts",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    # A ledger entry is sealed within a minute (decision 113).
    "seal-ledger": {
        "task": "billing.seal_ledger",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "verify-ledger": {
        "task": "billing.verify_ledger",
        "schedule": crontab(hour="4", minute="10"),
        "options": {"expires": 3600},
    },
    # Webhooks report renewals and sign-ups; this finds the ones that were missed.
    "look-after-subscriptions": {
        "task": "billing.look_after_subscriptions",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    # Stripe shows wallets on registered hosts only (decision 104).
    "sync-wallet-domains": {
        "task": "billing.sync_wallet_domains",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "read-balances": {
        "task": "billing.read_balances",
        "schedule": 1800.0,
        "options": {"expires": 1800},
    },
    "write-down-link-visits": {
        "task": "preorders.record_link_visits",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "write-down-visits": {
        "task": "offers.write_down_visits",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "publish-series": {
        "task": "offers.publish_series",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "forget-origins": {
        "task": "preorders.forget_origins",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    # Every hour, because every hour it is midnight somewhere.
    "turn-months": {
        "task": "restaurants.turn_months",
        "schedule": crontab(minute="1"),
        "options": {"expires": 1800},
    },
    "close-cycles": {
        "task": "billing.close_cycles",
        "schedule": crontab(minute="4"),
        "options": {"expires": 1800},
    },
    "check-domains": {
        "task": "restaurants.check_domains",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "end-old-addresses": {
        "task": "restaurants.end_old_addresses",
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "send-due-confirmations": {
        "task": "marketing.send_due_confirmations",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "send-post-reminders": {
        "task": "marketing.send_post_reminders",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "run-campaigns": {
        "task": "marketing.run_campaigns",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "queue-nudges": {
        "task": "marketing.queue_nudges",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "queue-returns": {
        "task": "marketing.queue_returns",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "attribute-orders": {
        "task": "marketing.attribute_orders",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "record-conversions": {
        "task": "marketing.record_conversions",
        "schedule": crontab(hour="3", minute="30"),
        "options": {"expires": 3600},
    },
    # Deletes and anonymizes everything whose retention is over (apps.privacy.retention).
    "prune": {
        "task": "privacy.prune",
        "schedule": crontab(hour="3", minute="40"),
        "options": {"expires": 3600},
    },
    "check-alarms": {
        "task": "monitoring.check_alarms",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "scheduler-heartbeat": {
        "task": "admin_ops.heartbeat",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
}
