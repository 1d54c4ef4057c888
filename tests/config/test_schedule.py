"""The schedule has every sweep, each task has its queue, and no two workers do the same."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from apps.billing.stripe_gateway.rate_limiter import BACKGROUND_PATIENCE_SECONDS
from apps.preorders import tasks
from apps.preorders.emails import outbox
from apps.preorders.settlement import worker
from config.celery import app
from devtools import programs

ROOT = Path(__file__).resolve().parents[2]

# How late each sweep may come (docs/architecture.md): a tick is due at least as often.
SWEEPS = {
    "preorders.close_due_offers": timedelta(seconds=1),
    "preorders.run_due_operations": timedelta(seconds=2),
    "preorders.send_pending_emails": timedelta(seconds=10),
    "preorders.send_pushes": timedelta(seconds=10),
    "preorders.end_abandoned_checkouts": timedelta(seconds=30),
    "preorders.promote_waitlists": timedelta(seconds=30),
    "preorders.renew_authorizations": timedelta(minutes=5),
    "preorders.queue_reminders": timedelta(minutes=5),
    "preorders.reconcile": timedelta(minutes=5),
    "preorders.reconcile_disputes": timedelta(minutes=5),
    "preorders.authorize_forgotten_carts": timedelta(minutes=5),
    "preorders.lapse_reservations": timedelta(seconds=10),
    "preorders.forget_origins": timedelta(hours=1),
    "billing.repair_webhook_endpoints": timedelta(minutes=15),
    "billing.read_balances": timedelta(minutes=30),
    "billing.schedule_payouts": timedelta(minutes=5),
    "billing.seal_ledger": timedelta(seconds=30),
    "billing.close_cycles": timedelta(hours=1),
    "billing.verify_ledger": timedelta(days=1),
    "billing.look_after_subscriptions": timedelta(minutes=5),
    "billing.sync_wallet_domains": timedelta(minutes=1),
    "preorders.record_link_visits": timedelta(minutes=1),
    "offers.write_down_visits": timedelta(minutes=1),
    "offers.publish_series": timedelta(minutes=1),
    "billing.process_waiting_webhooks": timedelta(seconds=30),
    "integrations.deliver_due": timedelta(seconds=5),
    "restaurants.check_domains": timedelta(minutes=1),
    "restaurants.end_old_addresses": timedelta(days=1),
    "marketing.send_due_confirmations": timedelta(seconds=30),
    "marketing.send_post_reminders": timedelta(minutes=1),
    "marketing.run_campaigns": timedelta(seconds=10),
    "marketing.queue_nudges": timedelta(minutes=5),
    "marketing.queue_returns": timedelta(minutes=1),
    "marketing.attribute_orders": timedelta(minutes=5),
    "marketing.record_conversions": timedelta(days=1),
    "privacy.prune": timedelta(days=1),
    "restaurants.turn_months": timedelta(hours=1),
    "admin_ops.heartbeat": timedelta(seconds=5),
    "monitoring.check_alarms": timedelta(minutes=1),
}
SETTLING = {
    "preorders.close_due_offers",
    "preorders.close_offer",
    "preorders.process_expirations",
    "preorders.run_due_operations",
    "preorders.run_operations",
}
# The longest chain an operation makes under one lease: look, charge, look again.
CALLS_OF_AN_OPERATION = 3


def registered() -> dict[str, Any]:
    app.autodiscover_tasks(force=True)
    return {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}


def interval(schedule: Any) -> timedelta:
    """The interval of a number of seconds, a minute of every hour, or a time of day."""
    if isinstance(schedule, (int, float)):
        return timedelta(seconds=schedule)
    assert len(schedule.minute) == 1
    assert len(schedule.hour) in (1, 24)
    return timedelta(days=1) / len(schedule.hour)


def test_every_sweep_is_on_the_schedule_and_nothing_else_is() -> None:
    on_it = {
        entry["task"]: interval(entry["schedule"]) for entry in app.conf.beat_schedule.values()
    }
    assert on_it == SWEEPS
    assert len(app.conf.beat_schedule) == len(SWEEPS)
    assert set(SWEEPS) <= set(registered())


def test_a_tick_that_was_missed_is_not_made_up_for() -> None:
    for name, entry in app.conf.beat_schedule.items():
        expires = timedelta(seconds=entry["options"]["expires"])
        assert timedelta(0) < expires <= max(2 * interval(entry["schedule"]), expires * 0), name


def test_settling_and_the_heartbeat_have_queues_of_their_own() -> None:
    assert {name: route["queue"] for name, route in app.conf.task_routes.items()} == {
        **dict.fromkeys(SETTLING, "settlement"),
        "admin_ops.heartbeat": "heartbeat",
        "monitoring.check_alarms": "alarms",
        "integrations.deliver": "webhooks",
        "marketing.send_invitations": "celery",
        "billing.close_cycles": "maintenance",
        "billing.verify_ledger": "maintenance",
        "privacy.prune": "maintenance",
    }
    queues = [queue.name for queue in app.conf.task_queues]
    assert queues == ["settlement", "celery", "heartbeat", "alarms", "webhooks", "maintenance"]
    assert app.conf.task_default_queue == "celery"
    assert set(registered()) >= SETTLING


def test_each_queue_has_a_process_in_the_procfile_and_in_development() -> None:
    commands = (ROOT / "Procfile").read_text()
    queues = [queue.name for queue in app.conf.task_queues]
    in_production = ",".join(re.findall(r"--queues (\S+)", commands))
    assert sorted(in_production.split(",")) == sorted(queues)
    assert sorted(",".join(programs.WORKERS.values()).split(",")) == sorted(queues)


def test_a_worker_takes_no_message_that_it_cannot_begin_with() -> None:
    assert app.conf.worker_prefetch_multiplier == 1


def test_deadlines_do_not_wait_behind_a_large_specials_operations() -> None:
    """Smaller numbers come first in Redis, and tasks have 0 unless they say otherwise."""
    routes = {name: app.amqp.router.route({}, name) for name in SETTLING}
    later = {name: route["priority"] for name, route in routes.items() if "priority" in route}
    assert later == {"preorders.run_operations": 6}


def test_emails_about_orders_do_not_wait_behind_invitations() -> None:
    assert app.amqp.router.route({}, "marketing.send_invitations")["priority"] == 9
    assert "priority" not in app.amqp.router.route({}, "preorders.send_pending_emails")


def test_a_task_whose_worker_died_is_done_by_another() -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert [name for name, task in registered().items() if not task.acks_late] == []


def test_no_task_is_picked_up_again_while_it_runs() -> None:
    longest = max(task.time_limit or app.conf.task_time_limit for task in registered().values())
    assert app.conf.task_time_limit > 0
    assert app.conf.broker_transport_options["visibility_timeout"] > longest


def _time_limit(task: Any) -> timedelta:
    assert task.time_limit
    return timedelta(seconds=task.time_limit)


def test_an_operation_is_finished_before_its_lease_ends() -> None:
    """Else a second worker would take it up while the first still waits for the processor."""
    limit = _time_limit(tasks.run_operations_task)
    waiting = timedelta(seconds=BACKGROUND_PATIENCE_SECONDS)
    assert CALLS_OF_AN_OPERATION * (settings.STRIPE_TIMEOUT + waiting) < worker.LEASE
    assert limit < worker.LEASE
    # The last one it begins has that long, too.
    assert timedelta(seconds=tasks.SLICE_SECONDS) + settings.STRIPE_TIMEOUT <= limit


def test_emails_are_sent_before_their_lease_ends() -> None:
    assert _time_limit(tasks.send_emails_task) < outbox.LEASE


@pytest.mark.parametrize("task", sorted(SWEEPS))
def test_a_sweep_has_a_time_limit(task: str) -> None:
    assert registered()[task].time_limit
