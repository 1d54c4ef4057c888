"""Errors and traces that leave the machine: only if configured, and without data of guests."""

import gzip
import json
import logging
import subprocess
import sys
from pathlib import Path

import brotli
import pytest
from celery import current_app
from django.test import RequestFactory

from apps.common import traces
from apps.common.request_log import RequestLogMiddleware
from config import reports
from config.celery import begin_task, end_task, pass_request_id

ROOT = Path(__file__).resolve().parents[2]
PERSONAL = ("dana", "Dana", "555 0199", "s3cret", "a-secret-link", "peanuts", "203.0.113.9")


def unpacked(receiver):
    """Everything that arrived, decompressed."""
    bodies = []
    for sent in receiver.received:
        packing = sent.headers.get("content-encoding")
        plain = gzip.decompress(sent.body) if packing == "gzip" else sent.body
        plain = brotli.decompress(sent.body) if packing == "br" else plain
        bodies.append(f"{sent.path} {sent.headers}".encode() + plain)
    return b"\n".join(bodies).decode(errors="replace")


def a_request():
    """A request with everything personal that a request can have."""
    return RequestFactory().post(
        "/order/a-secret-link?email=dana@example.test",
        json.dumps({"name": "Dana Guest", "note": "allergic to peanuts"}),
        "application/json",
        headers={"Cookie": "sessionid=s3cret", "Authorization": "Bearer s3cret"},
        REMOTE_ADDR="203.0.113.9",
    )


def fail(request):
    phone, note = "+1 212 555 0199", "peanuts"  # local variables
    raise ValueError(f"Key (email)=(dana@example.test) already exists: {phone} {note}")


class TestErrors:
    @pytest.fixture(autouse=True)
    def _reporting(self, receiver, settings):
        import sentry_sdk

        settings.SENTRY_DSN = receiver.url.replace("http://", "http://key@") + "/1"
        settings.REPORTED_ENVIRONMENT, settings.REPORTED_RELEASE = "testing", "v1"
        reports.start_reports("web")
        yield
        sentry_sdk.get_client().close(timeout=2)
        sentry_sdk.init(default_integrations=False, auto_enabling_integrations=False)

    def sent(self, receiver):
        import sentry_sdk

        sentry_sdk.flush(timeout=5)
        return unpacked(receiver)

    def test_a_failed_request_is_reported_with_its_place_and_id_and_nobodys_data(
        self, receiver, db, caplog
    ):
        from django.core.handlers.exception import response_for_exception

        ids = []

        def answer(request):
            from apps.common.request_log import current_request_id

            ids.append(current_request_id())
            try:
                fail(request)
            except ValueError as error:
                return response_for_exception(request, error)

        RequestLogMiddleware(answer)(a_request())
        text = self.sent(receiver)
        assert "ValueError" in text
        assert '"function":"fail"' in text.replace(" ", "")
        assert ids[0] in text
        assert "testing" in text
        for personal in PERSONAL:
            assert personal not in text

    def test_a_failed_task_is_reported_with_its_id(self, receiver):
        task = current_app.tasks["monitoring.check_alarms"]
        task.push_request(is_eager=False)
        try:
            begin_task(task_id="the-task", task=task)
            try:
                fail(None)
            except ValueError:
                logging.getLogger("celery.app.trace").exception("Task %s failed for %s", 1, "dana")
            end_task(task=task, state="FAILURE")
        finally:
            task.pop_request()
        text = self.sent(receiver)
        assert "the-task" in text
        assert "Task %s failed for %s" in text
        for personal in PERSONAL:
            assert personal not in text

    def test_a_message_made_beforehand_is_left_out(self, receiver):
        logging.getLogger("apps.preorders").error(f"order of {'dana'}@example.test failed")
        text = self.sent(receiver)
        assert "apps.preorders" in text
        assert "dana" not in text

    def test_what_is_no_error_is_not_sent(self, receiver):
        logging.getLogger("apps.preorders").warning("intent %s cannot be read", "pi_1")
        self.sent(receiver)
        assert receiver.received == []


class TestTraces:
    @pytest.fixture(autouse=True)
    def _tracing(self, receiver, settings):
        settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings.OTEL_TRACES_SHARE = receiver.url, 1.0
        settings.SENTRY_DSN = ""
        reports.start_reports("web")
        yield
        traces.stop()

    def test_a_request_is_a_span_with_its_route_and_nobodys_data(
        self, receiver, api, cast, platform
    ):
        client = api(at=cast.restaurant)
        client.cookies["sessionid"] = "s3cret"
        client.get("/order/a-secret-link?email=dana@example.test", REMOTE_ADDR="203.0.113.9")
        traces.stop()
        text = unpacked(receiver)
        assert receiver.received[0].path == "/v1/traces"
        assert "GET /order/<str:token>" in text
        assert "http.response.status_code" in text
        assert str(cast.restaurant.pk) in text
        for personal in PERSONAL:
            assert personal not in text

    def test_a_task_continues_the_trace_of_the_request_that_queued_it(self, receiver):
        from opentelemetry import trace

        headers: dict[str, object] = {}
        with traces.span("request"):
            mine = trace.get_current_span().get_span_context().trace_id
            pass_request_id(headers=headers)
        task = current_app.tasks["monitoring.check_alarms"]
        task.push_request(**headers, is_eager=False)
        try:
            begin_task(task_id="1", task=task)
            assert trace.get_current_span().get_span_context().trace_id == mine
            end_task(task=task, state="SUCCESS")
        finally:
            task.pop_request()
        traces.stop()
        assert "task monitoring.check_alarms" in unpacked(receiver)

    def test_a_span_of_a_failure_has_its_type_and_not_its_text(self, receiver):
        with pytest.raises(ValueError, match="dana"), traces.span("request"):
            fail(None)
        traces.stop()
        text = unpacked(receiver)
        assert "ValueError" in text
        assert "dana" not in text


def test_nothing_is_imported_while_both_are_off():
    """In a process of its own. redis-py imports OpenTelemetry by itself where it is installed."""
    code = (
        "import config.celery, django, sys; django.setup();"
        "from config.reports import start_reports; start_reports('web');"
        "from apps.common import traces, measurements\n"
        "with traces.span('x'): measurements.task_ended(task='a', result='b', seconds=1)\n"
        "print([m for m in ('sentry_sdk', 'opentelemetry.exporter', 'prometheus_client')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
