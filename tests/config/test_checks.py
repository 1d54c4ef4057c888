"""What production must never run with."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import registry as django_registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checks(monkeypatch):
    """`config.checks`, without leaving them registered for the rest of the run."""
    monkeypatch.setattr(django_registry.registry, "registered_checks", set())
    from config import checks

    return checks


@pytest.fixture(autouse=True)
def _in_order(settings):
    settings.DEMO = False
    settings.DEBUG = False
    settings.SECRET_KEY = secrets.token_urlsafe(60)
    settings.PUBLIC_SCHEME = "https"
    settings.PUBLIC_PORT = 443
    settings.STRIPE_SECRET_KEY = "sk_live_0123456789"
    settings.STRIPE_PUBLISHABLE_KEY = "pk_live_0123456789"
    settings.STRIPE_API_BASE = "https://api.stripe.com"
    settings.CARD_SCRIPT_IS_STRIPES = True
    settings.SECURITY_CONTACT = "mailto:security@fullybooked.example"


def found(checks):
    every = (
        checks.no_demo,
        checks.no_debugging,
        checks.a_secret_of_its_own,
        checks.https_everywhere,
        checks.one_kind_of_stripe_key,
        checks.a_security_contact,
    )
    return [message.id.removeprefix("fully_booked.") for check in every for message in check()]


def test_production_as_it_should_be_passes(checks):
    assert found(checks) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"DEMO": True}, "E001"),
        ({"DEBUG": True}, "E002"),
        ({"SECRET_KEY": "dev-only"}, "E003"),
        ({"SECRET_KEY": "django-insecure-" + "x" * 60}, "E003"),
        ({"PUBLIC_SCHEME": "http"}, "E004"),
        ({"PUBLIC_PORT": 8000}, "W005"),
        ({"STRIPE_SECRET_KEY": "pk_live_0123456789"}, "E006"),
        ({"STRIPE_SECRET_KEY": "hunter2"}, "E006"),
        ({"STRIPE_SECRET_KEY": "sk_test_0123456789"}, "E007"),
        ({"STRIPE_PUBLISHABLE_KEY": "pk_test_0123456789"}, "E007"),
        ({"STRIPE_API_BASE": "http://localhost:8001"}, "E008"),
        ({"CARD_SCRIPT_IS_STRIPES": False}, "E008"),
        ({"SECURITY_CONTACT": "security@fullybooked.example"}, "E020"),
        ({"SECURITY_CONTACT": "mailto:a@b.example, mailto:c@b.example"}, "E020"),
    ],
)
def test_each_danger_is_named(checks, settings, change, complaint):
    for name, value in change.items():
        setattr(settings, name, value)
    assert found(checks) == [complaint]


@pytest.mark.django_db
def test_a_role_that_bypasses_row_level_security_is_refused(checks, monkeypatch):
    assert checks.a_role_that_obeys_row_level_security(databases=["default"]) == []
    assert checks.a_role_that_obeys_row_level_security() == []

    class AsSuperuser:
        def cursor(self):
            return self

        def execute(self, query):
            assert "rolsuper OR rolbypassrls" in query

        def fetchone(self):
            return ("postgres", True)

        def __enter__(self):
            return self

        def __exit__(self, *problem):
            return None

    monkeypatch.setattr(checks, "connections", {"default": AsSuperuser()})
    [complaint] = checks.a_role_that_obeys_row_level_security(databases=["default"])
    assert complaint.id == "fully_booked.E009"


def test_the_production_settings_pass_djangos_own_deployment_checks(settings):
    """In a process of its own, as a release runs it, with nothing but the required settings."""
    settings_of_a_release = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "REDIS_URL": os.environ["REDIS_URL"],
        "STRIPE_SECRET_KEY": "sk_live_" + "0" * 24,
        "STRIPE_PUBLISHABLE_KEY": "pk_live_" + "0" * 24,
        "ROOT_DOMAIN": "fullybooked.example",
        "PUBLIC_SCHEME": "https",
        "PUBLIC_PORT": "443",
        "DATA_DIR": str(settings.DATA_DIR),
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command, cwd=ROOT, env=settings_of_a_release, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues" in done.stdout
