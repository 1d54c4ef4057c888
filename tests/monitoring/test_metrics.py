"""Metrics: who can read them, what they say, and that a visitor can't invent labels."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from celery import current_app
from django.test import RequestFactory

from apps.billing.stripe_gateway.rate_limiter import LimitReached, RateLimiter
from apps.billing.stripe_gateway.transport import Transport
from apps.common import measurements
from apps.monitoring import metrics, services
from apps.monitoring.rules import RULES
from apps.monitoring.tasks import check_alarms_task
from config.celery import begin_task, end_task
from tests.monitoring.trouble import TROUBLES

TOKEN = "a-token-of-many-random-characters-0123456789"


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    """Where this test's process measures; nothing was measured before."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    settings.METRICS_DIR = tmp_path / "metrics"
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = TOKEN, []
    return settings.METRICS_DIR


@pytest.fixture
def measuring(folder):
    measurements.measure_as("web", folder)
    yield folder
    measurements.stop_measuring()


def read(api, token=TOKEN):
    answer = api().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return answer.content.decode()


def value(text, name, **labels):
    """The value of one series, or None."""
    for line in text.splitlines():
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        if found and dict(re.findall(r'(\w+)="([^"]*)"', found[1] or "")) == labels:
            return float(found[2])
    return None


# --- who can read them ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("token", "networks", "headers", "address", "status"),
    [
        ("", [], {}, "127.0.0.1", 404),
        (TOKEN, [], {}, "127.0.0.1", 404),
        (TOKEN, [], {"Authorization": "Bearer wrong"}, "127.0.0.1", 404),
        (TOKEN, [], {"Authorization": TOKEN}, "127.0.0.1", 404),
        (TOKEN, [], {"Authorization": f"Bearer {TOKEN}é"}, "127.0.0.1", 404),
        (TOKEN, [], {"Authorization": f"Bearer {TOKEN}"}, "203.0.113.9", 200),
        ("", ["10.0.0.0/8"], {}, "10.1.2.3", 200),
        ("", ["10.0.0.0/8"], {}, "203.0.113.9", 404),
        ("", ["10.0.0.0/8"], {"X-Forwarded-For": "10.1.2.3"}, "203.0.113.9", 404),
        ("", ["fd00::/8"], {}, "10.1.2.3", 404),
        (TOKEN, ["10.0.0.0/8"], {}, "10.1.2.3", 404),
        (TOKEN, ["10.0.0.0/8"], {"Authorization": f"Bearer {TOKEN}"}, "203.0.113.9", 404),
        (TOKEN, ["10.0.0.0/8"], {"Authorization": f"Bearer {TOKEN}"}, "10.1.2.3", 200),
    ],
)
def test_metrics_need_the_configured_token_and_network(
    api, well, folder, settings, token, networks, headers, address, status
):
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = token, networks
    answer = api().get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    assert ("fully_booked_" in answer.content.decode()) == (status == 200)


def test_a_restaurants_host_has_none(guest, folder):
    answer = guest.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 404


# --- what is asked --------------------------------------------------------------------------------
def test_each_alarm_has_its_figure_threshold_and_state(api, well, folder):
    TROUBLES["captures_paused"].begin(well.now)
    services.check_alarms(now=well.now)
    text = read(api)
    for rule in RULES:
        labels = {"alarm": rule.name, "unit": rule.unit}
        assert value(text, "fully_booked_alarm_threshold", **labels) == rule.limit
        assert value(text, "fully_booked_alarm_figure", **labels) is not None
        ringing = {"alarm": rule.name, "severity": rule.severity}
        expected = float(rule.name == "captures_paused")
        assert value(text, "fully_booked_alarm_ringing", **ringing) == expected
    assert value(text, "fully_booked_alarms_checked_seconds") == 0


def test_operations_are_counted_by_kind_and_stage(api, well, folder):
    TROUBLES["operations_late"].begin(well.now)
    text = read(api)
    assert value(text, "fully_booked_operations_pending", kind="capture", stage="hold") == 1


def test_queues_are_counted_at_every_priority(api, well, folder):
    with current_app.connection_for_write() as connection:
        channel: Any = connection.default_channel
        for priority in (0, 6):
            message = channel.prepare_message("{}", priority=priority)
            channel._put("maintenance", {**message, "properties": {"priority": priority}})
        try:
            found = value(read(api), "fully_booked_queue_messages", queue="maintenance")
        finally:
            channel._purge("maintenance")
    assert found == 2


def test_the_database_is_asked_once_in_ten_seconds(api, well, folder, monkeypatch):
    asked, ask = [], services.ask

    def counted(**facts):
        asked.append(facts)
        return ask(**facts)

    monkeypatch.setattr(services, "ask", counted)
    read(api)
    read(api)
    assert len(asked) == 1


# --- what is measured -----------------------------------------------------------------------------
def test_requests_are_counted_by_route_and_not_by_path(api, well, measuring):
    api().get("/api/health/live")
    api().get("/order/a-secret-link")
    api().get("/nothing-here-dana@example.test")
    api().generic("BREW", "/api/health/live")
    text = read(api)
    live = {"route": "/api/health/live", "status": "2xx"}
    assert value(text, "fully_booked_requests_total", method="GET", **live) == 1
    assert value(text, "fully_booked_request_seconds_count", route="/api/health/live") == 2
    assert 'route="/order/<str:token>"' in text
    assert 'method="OTHER"' in text
    for personal in ("a-secret-link", "dana", "BREW"):
        assert personal not in text


def test_tasks_are_measured_by_name_and_result(api, well, measuring):
    task: Any = check_alarms_task
    task.push_request(is_eager=False)
    try:
        begin_task(task_id="1", task=task)
        end_task(task=task, state="FAILURE")
    finally:
        task.pop_request()
    labels = {"task": "monitoring.check_alarms", "result": "FAILURE"}
    assert value(read(api), "fully_booked_task_seconds_count", **labels) == 1


def test_calls_to_stripe_are_measured_by_endpoint_and_result(api, well, measuring, stripe):
    transport = Transport(timeout=20)
    headers = {"Authorization": "Bearer sk_test_x", "Stripe-Version": "2026-08-26.dahlia"}
    transport.request("get", f"{stripe.address}/v1/payment_intents/pi_of_dana", headers)
    transport.close()
    text = read(api)
    labels = {"endpoint": "GET /v1/payment_intents/{id}", "result": "4xx"}
    assert value(text, "fully_booked_stripe_call_seconds_count", **labels) == 1
    assert "pi_of_dana" not in text


class Limiter(RateLimiter):
    """The first call waits for its turn, the second would wait too long."""

    def __init__(self):
        self.waits = [0.3]

    def reserve(self, *_, **__):
        if not self.waits:
            raise LimitReached("later")
        return self.waits.pop()


def test_waiting_for_stripes_limits_is_measured(api, well, measuring, stripe):
    slept: list[float] = []
    transport = Transport(timeout=20, limiter=Limiter(), sleep=slept.append)
    with pytest.MonkeyPatch.context() as patched:
        # Inside a transaction, as in a test, nobody sleeps.
        patched.setattr(
            "apps.billing.stripe_gateway.transport.transaction.get_connection",
            lambda: SimpleNamespace(in_atomic_block=False),
        )
        transport.request("get", f"{stripe.address}/v1/balance", {"Authorization": "Bearer x"})
    transport.close()
    assert slept == [0.3]
    text = read(api)
    assert value(text, "fully_booked_stripe_wait_seconds_sum", caller="person") == 0.3


def test_several_processes_are_added_up(api, well, measuring):
    measurements.task_ended(task="a", result="SUCCESS", seconds=1)
    measurements.measure_as("worker@here", measuring)
    measurements.task_ended(task="a", result="SUCCESS", seconds=2)
    text = read(api)
    assert value(text, "fully_booked_task_seconds_sum", task="a", result="SUCCESS") == 3
    measurements.forget_measurements("worker@here", measuring)
    text = read(api)
    assert value(text, "fully_booked_task_seconds_sum", task="a", result="SUCCESS") == 1


def test_nothing_is_measured_where_nobody_can_read_it(api, well, folder):
    measurements.task_ended(task="a", result="SUCCESS", seconds=1)
    api().get("/api/health/live")
    assert not measurements.is_on()
    assert not list(folder.rglob("*.db"))


def test_an_address_that_is_none_is_in_no_network(settings):
    settings.METRICS_NETWORKS = ["10.0.0.0/8"]
    assert not metrics.is_allowed(RequestFactory().get("/metrics", REMOTE_ADDR="unix"))
