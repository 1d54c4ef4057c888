"""What production refuses about alarms, metrics, and reports."""

import base64

import pytest
from django.core.checks import registry as django_registry

SECRET = "whsec_" + base64.b64encode(b"x" * 32).decode()


@pytest.fixture
def found(monkeypatch, settings):
    """The ids of the checks' messages, with these settings."""
    monkeypatch.setattr(django_registry.registry, "registered_checks", set())
    from config import monitoring_checks as checks

    settings.ALARM_EMAILS = ["ops@platform.test"]
    settings.ALARM_WEBHOOK_URL = "https://hooks.platform.test/alarms"
    settings.ALARM_WEBHOOK_SECRET = SECRET

    def ask(**given):
        for name, value in given.items():
            setattr(settings, name, value)
        every = (
            checks.alarms_that_somebody_hears,
            checks.guarded_metrics,
            checks.reports_that_can_be_sent,
        )
        return [
            str(message.id).removeprefix("fully_booked.") for each in every for message in each()
        ]

    return ask


def test_two_channels_and_nothing_else_are_fine(found):
    assert found() == []


@pytest.mark.parametrize(
    "given",
    [
        {"ALARM_EMAILS": []},
        {"ALARM_WEBHOOK_URL": ""},
        {"ALARM_EMAILS": [], "ALARM_WEBHOOK_URL": ""},
    ],
)
def test_fewer_than_two_channels_are_a_warning(found, given):
    assert found(**given) == ["W022"]


@pytest.mark.parametrize(
    "given",
    [
        {"ALARM_WEBHOOK_URL": "http://hooks.platform.test"},
        {"ALARM_WEBHOOK_SECRET": ""},
        {"ALARM_WEBHOOK_SECRET": SECRET.removeprefix("whsec_")},
        {"ALARM_WEBHOOK_SECRET": "whsec_" + base64.b64encode(b"x" * 23).decode()},
        {"ALARM_WEBHOOK_SECRET": "whsec_not base64!"},
    ],
)
def test_a_webhook_is_encrypted_and_signed(found, given):
    assert found(**given) == ["E023"]


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({"METRICS_TOKEN": "x" * 32}, []),
        ({"METRICS_TOKEN": "x" * 31}, ["E024"]),
        ({"METRICS_NETWORKS": ["10.0.0.0/8", "fd00::/8"]}, []),
        ({"METRICS_NETWORKS": ["10.0.0.1/8"]}, ["E025"]),
        ({"METRICS_NETWORKS": ["everybody"]}, ["E025"]),
        ({"METRICS_NETWORKS": ["0.0.0.0/0"]}, ["E025"]),
        ({"METRICS_NETWORKS": ["0.0.0.0/0"], "METRICS_TOKEN": "x" * 32}, []),
    ],
)
def test_metrics_are_guarded(found, given, ids):
    assert found(**given) == ids


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({"SENTRY_DSN": "https://key@sentry.example/1"}, []),
        ({"SENTRY_DSN": "http://key@sentry.example/1"}, ["E026"]),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, []),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4318"}, ["E026"]),
        ({"OTEL_TRACES_SHARE": 1.5}, ["E028"]),
    ],
)
def test_reports_are_encrypted(found, given, ids):
    assert found(**given) == ids


def test_a_report_whose_library_is_missing_is_refused(found, monkeypatch):
    from config import monitoring_checks

    monkeypatch.setattr(monitoring_checks, "_is_installed", lambda module: False)
    assert found(SENTRY_DSN="https://key@sentry.example/1") == ["E027"]
