"""Log lines: JSON, with an id that leads from request to task, and nothing personal or secret."""

import io
import json
import logging
import uuid
from datetime import datetime, timedelta

import pytest
from celery import current_app
from django.test import Client

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.log_format import JsonLines, WithoutPaths
from apps.common.request_log import continue_request, current_request_id, current_task_id
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path
from config.celery import REQUEST_HEADER, begin_task, end_task, pass_request_id
from config.settings.logs import log_settings
from tests.conftest import NOON
from tests.factories import PASSWORD, UserFactory
from tests.preorders.access import allow

pytestmark = pytest.mark.django_db


class Lines:
    """What the program wrote to its log, as in production."""

    def __init__(self):
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(JsonLines())
        self.handler.addFilter(WithoutPaths())

    @property
    def text(self):
        return self.stream.getvalue()

    def of(self, logger):
        found = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in found if line["logger"] == logger]


@pytest.fixture
def lines():
    written, root = Lines(), logging.getLogger()
    loggers = [logging.getLogger(name) for name in ("access", "security")]
    before = [each.level for each in loggers]
    root.addHandler(written.handler)
    for each in loggers:
        each.setLevel(logging.INFO)
    yield written
    root.removeHandler(written.handler)
    for each, level in zip(loggers, before, strict=True):
        each.setLevel(level)


def test_a_request_is_one_line_with_its_route_and_whom_it_concerns(api, cast, lines):
    answer = api(cast.owner).get(f"/api/orders/{uuid.uuid4()}?q=secret")
    [line] = lines.of("access")
    assert line.pop("duration_ms") > 0
    assert datetime.fromisoformat(line.pop("timestamp")).utcoffset() == timedelta(0)
    assert line == {
        "level": "INFO",
        "logger": "access",
        "message": "request",
        "method": "GET",
        "route": "/api/orders/<uuid:order_id>",
        "status": answer.status_code,
        "request_id": answer.headers["X-Request-ID"],
        "task_id": "",
        "account_id": str(cast.owner.pk),
        "restaurant_id": str(cast.restaurant.pk),
    }


def test_no_line_has_personal_data_or_secrets(api, world, lines, submit):
    UserFactory(email="owner@luigis.test", name="Olga Owner")
    order = world.begin(world.offer(), 1, name="Ann Guest", email="ann.guest@example.test")
    world.pay(order)
    world.hear(order)
    guest = api(at=world.restaurant)
    allow(guest, order, Purpose.DATA, now=world.now)
    paths = [order_path(order), order_path(order, then="/data.json"), "/order/wrong-token-123"]
    for path in paths:
        guest.get(path)
    submit(guest, order_path(order), action="erase", sure="yes")
    client = api()
    submit(client, "/login", email="owner@luigis.test", password="not-the-password")
    submit(client, "/login", email="owner@luigis.test", password=PASSWORD)
    client.get("/reset-password?token=reset-token-456")
    client.get("/api/orders?q=ann.guest@example.test")
    client.post("/api/invitations/invitation-token-789", {"name": "Nina", "password": "pw-12345"})
    client.get("/nothing/here/ann.guest@example.test")
    api().get("/api/orders", HTTP_AUTHORIZATION="Bearer bearer-token-000")
    text = lines.text
    assert len(lines.of("access")) == 11
    assert len(lines.of("security")) >= 4
    secrets = [
        *(path.split("/")[2] for path in paths),
        *("ann.guest", "Ann Guest", "owner@luigis", PASSWORD, "not-the-password", "reset-token"),
        *("invitation-token", "Nina", "pw-12345", "bearer-token", "127.0.0.1"),
        order.code,
    ]
    assert [each for each in secrets if each in text] == []


def test_djangos_own_messages_name_the_route(api, lines):
    api(host="luigis.localhost").get("/order/wrong-token-123")
    api().get("/api/specials/not-an-id-555")
    assert [line["status"] for line in lines.of("access")] == [404, 404]
    assert "wrong-token-123" not in lines.text
    assert "not-an-id-555" not in lines.text


def test_what_libraries_attach_is_dropped_and_exceptions_stay(lines):
    logger = logging.getLogger("somebody.else")
    logger.warning("task failed", extra={"data": {"kwargs": "ann@example.test"}})
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        logger.exception("broken\nline")
    first, second = lines.of("somebody.else")
    assert "data" not in first
    assert second["message"] == "broken\nline"
    assert "ZeroDivisionError" in second["exc_info"]


@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [
        (0, "from-a-client-1", False),
        (1, "from-our-proxy-1", True),
        (1, "bad id\nwith a line", False),
        (1, "x" * 65, False),
        (1, "", False),
    ],
)
def test_a_request_id_is_taken_from_trusted_proxies_only(monkeypatch, proxies, given, is_taken):
    monkeypatch.setattr("apps.common.request_log.api_settings.NUM_PROXIES", proxies)
    header = Client(headers={"host": "localhost"}).get(
        "/robots.txt", headers={"x-request-id": given} if given else {}
    )["X-Request-ID"]
    assert (header == given) == is_taken
    assert is_taken or len(header) == 32


def test_a_task_belongs_to_the_request_that_queued_it():
    continue_request("of-a-request")
    headers: dict[str, str] = {}
    pass_request_id(headers=headers)
    continue_request("")
    assert headers == {REQUEST_HEADER: "of-a-request"}
    task = current_app.tasks["accounts.send_email"]
    task.push_request(**headers, is_eager=False)
    try:
        begin_task(task_id="of-a-task", task=task)
        assert (current_request_id(), current_task_id()) == ("of-a-request", "of-a-task")
        end_task(task=task, state="SUCCESS")
        assert (current_request_id(), current_task_id()) == ("", "")
    finally:
        task.pop_request()
        continue_request("")
    none: dict[str, str] = {}
    pass_request_id(headers=none)
    assert none == {}


def test_a_tasks_lines_name_its_request_itself_and_its_restaurant(cast, lines):
    task = current_app.tasks["accounts.send_email"]
    task.push_request(**{REQUEST_HEADER: "of-a-request"}, is_eager=False)
    try:
        begin_task(task_id="of-a-task", task=task)
        with rls.acting_as(cast.restaurant):
            logging.getLogger("apps.preorders").error("no luck")
        end_task(task=task, state="FAILURE")
        logging.getLogger("apps.preorders").error("later")
    finally:
        task.pop_request()
    during, after = lines.of("apps.preorders")
    names = ("request_id", "task_id", "restaurant_id")
    assert [during[name] for name in names] == [
        "of-a-request",
        "of-a-task",
        str(cast.restaurant.pk),
    ]
    assert [after[name] for name in names] == ["", "", ""]


def test_an_event_and_its_line_share_the_request_id(api, cast, lines, events):
    answer = api(cast.owner).put("/api/restaurant/upgrade-tier", {"subscriptionTier": "branded"})
    [line], [event] = lines.of("security"), events("plan_changed")
    assert line["request_id"] == event.request_id == answer.headers["X-Request-ID"]
    assert (line["event"], line["actor_id"]) == ("plan_changed", str(cast.owner.pk))
    assert line["details"] == {"plan": "branded", "before": "free"}


def test_without_a_request_an_event_is_the_programs(cast, events):
    record(Kind.SETTINGS_CHANGED, restaurant=cast.restaurant, now=NOON)
    [event] = events()
    assert (event.actor_kind, event.address, event.device, event.request_id) == (
        "system",
        "",
        "",
        "",
    )


def test_people_get_text_and_programs_json():
    for name, level in (("text", "WARNING"), ("json", "INFO")):
        found = log_settings(name)
        assert found["handlers"]["console"]["formatter"] == name
        assert found["handlers"]["console"]["filters"] == ["without_paths"]
        assert found["loggers"]["access"] == found["loggers"]["security"] == {"level": level}
