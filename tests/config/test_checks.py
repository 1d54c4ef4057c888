"""Settings that production must never run with."""

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
    settings.SECRET_KEY = "k" + secrets.token_urlsafe(60)
    settings.ENCRYPTION_KEYS = [secrets.token_urlsafe(60)]
    settings.ENCRYPTION_KEYS_ARE_SET = True
    settings.SIGNING_KEYS = [secrets.token_urlsafe(60)]
    settings.SIGNING_KEYS_ARE_SET = True
    settings.PUBLIC_SCHEME = "https"
    settings.PUBLIC_PORT = 443
    settings.STRIPE_SECRET_KEY = "sk_live_0123456789"
    settings.STRIPE_PUBLISHABLE_KEY = "pk_live_0123456789"
    settings.STRIPE_API_BASE = "https://api.stripe.com"
    settings.CARD_SCRIPT_IS_STRIPES = True
    settings.SECURITY_CONTACT = "mailto:security@fullybooked.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "smtp.example.com"
    settings.EMAIL_USE_TLS = True
    settings.EMAIL_USE_SSL = False
    settings.REDIS_URL = "rediss://:a-secret@redis.example.com:6379/0"
    settings.TRUSTED_PROXIES_ARE_SET = True
    settings.CHECKOUT_LIMITS = True


def found(checks):
    every = (
        checks.no_demo,
        checks.no_debugging,
        checks.a_secret_of_its_own,
        checks.encryption_keys_of_their_own,
        checks.signing_keys_of_their_own,
        checks.https_everywhere,
        checks.known_proxies,
        checks.limited_checkouts,
        checks.one_kind_of_stripe_key,
        checks.a_security_contact,
        checks.encrypted_email,
        checks.protected_redis,
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
        ({"ENCRYPTION_KEYS_ARE_SET": False}, "E018"),
        ({"ENCRYPTION_KEYS": ["short"]}, "E018"),
        ({"SIGNING_KEYS_ARE_SET": False}, "E021"),
        ({"SIGNING_KEYS": ["short"]}, "E021"),
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
        ({"EMAIL_USE_TLS": False}, "E011"),
        ({"REDIS_URL": "redis://:a-secret@redis.example.com:6379/0"}, "E013"),
        ({"REDIS_URL": "rediss://redis.example.com:6379/0"}, "E014"),
        ({"TRUSTED_PROXIES_ARE_SET": False}, "E016"),
        ({"CHECKOUT_LIMITS": False}, "E017"),
    ],
)
def test_each_danger_is_named(checks, settings, change, complaint):
    for name, value in change.items():
        setattr(settings, name, value)
    assert found(checks) == [complaint]


@pytest.mark.parametrize(
    "change",
    [
        {"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": True},
        {"EMAIL_USE_TLS": False, "EMAIL_HOST": "localhost"},
        {"EMAIL_USE_TLS": False, "EMAIL_BACKEND": "anymail.backends.mailgun.EmailBackend"},
        {"REDIS_URL": "redis://localhost:6379/0"},
        {"REDIS_URL": "unix:///run/valkey.sock?db=0"},
    ],
)
def test_what_stays_on_this_machine_or_is_encrypted_passes(checks, settings, change):
    for name, value in change.items():
        setattr(settings, name, value)
    assert found(checks) == []


@pytest.mark.parametrize(
    ("host", "mode", "complaints"),
    [
        ("db.example.com", None, ["fully_booked.E012"]),
        ("db.example.com", "prefer", ["fully_booked.E012"]),
        ("db.example.com", "require", ["fully_booked.E012"]),  # verifies no certificate
        ("db.example.com", "verify-ca", []),
        ("db.example.com", "verify-full", []),
        ("127.0.0.1", None, []),
        ("/run/postgresql", None, []),
    ],
)
def test_a_database_on_another_host_must_be_reached_encrypted(
    checks, settings, monkeypatch, host, mode, complaints
):
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", host)
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", {"sslmode": mode})
    assert [message.id for message in checks.encrypted_database()] == complaints


@pytest.mark.django_db
def test_a_role_that_owns_tables_is_refused(checks, settings, monkeypatch):
    [complaint] = checks.a_role_that_owns_nothing(databases=["default"])
    assert complaint.id == "fully_booked.E015"
    monkeypatch.setitem(settings.DATABASES["default"], "USER", "somebody_else")
    assert checks.a_role_that_owns_nothing(databases=["default"]) == []


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


def release_settings(settings, **changes):
    """The settings that a release must have, and no others."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "ENCRYPTION_KEYS": secrets.token_urlsafe(60),
        "SIGNING_KEYS": secrets.token_urlsafe(60),
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "REDIS_URL": os.environ["REDIS_URL"],
        "STRIPE_SECRET_KEY": "sk_live_" + "0" * 24,
        "STRIPE_PUBLISHABLE_KEY": "pk_live_" + "0" * 24,
        "ROOT_DOMAIN": "fullybooked.example",
        "PUBLIC_SCHEME": "https",
        "PUBLIC_PORT": "443",
        "TRUSTED_PROXIES": "1",
        # Nothing stops without them, but nobody would hear of an alarm.
        "ALARM_EMAILS": "ops@fullybooked.example",
        "ALARM_WEBHOOK_URL": "https://hooks.fullybooked.example",
        "ALARM_WEBHOOK_SECRET": "whsec_" + "QUJD" * 10,
        "DATA_DIR": str(settings.DATA_DIR),
        "PATH": os.environ["PATH"],
        **changes,
    }


@pytest.mark.parametrize(
    "process",
    [
        ("-c", "import config.wsgi"),
        ("-m", "celery", "-A", "config", "worker", "--pool", "solo"),
        ("-m", "celery", "-A", "config", "beat", "--schedule"),
    ],
)
def test_no_process_starts_with_the_demo_or_without_encryption(settings, process, tmp_path):
    more = [str(tmp_path / "beat")] if "beat" in process else []
    wrong = release_settings(settings, DEMO="1", EMAIL_HOST="smtp.example.com", EMAIL_USE_TLS="0")
    done = subprocess.run(
        [sys.executable, *process, *more],
        cwd=ROOT,
        env=wrong,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    assert "This process refuses to start:" in done.stderr
    assert "fully_booked.E001" in done.stderr
    assert "fully_booked.E011" in done.stderr


def test_the_production_settings_pass_djangos_own_deployment_checks(settings):
    """In a process of its own, as a release runs it, with nothing but the required settings."""
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=release_settings(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues" in done.stdout


def test_cookies_of_production_are_one_hosts_over_https_and_no_scripts(settings):
    names = ("SESSION_COOKIE", "CSRF_COOKIE")
    read = "from django.conf import settings as s; " + "; ".join(
        f"print(s.{name}_NAME, s.{name}_SECURE, s.{name}_HTTPONLY, s.{name}_SAMESITE)"
        for name in names
    )
    # The other cookies are set for one host and hidden from scripts, as their own tests show.
    read += "; print(s.KNOWN_DEVICE_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME)"
    read += "; print(s.CHECKOUT_COOKIE_NAME, s.ORDER_COOKIE_PREFIX)"
    done = subprocess.run(
        [sys.executable, "-c", read],
        cwd=ROOT,
        env=release_settings(settings) | {"DJANGO_SETTINGS_MODULE": "config.settings.production"},
        capture_output=True,
        text=True,
        check=True,
    )
    # Our scripts read the CSRF token from its cookie.
    assert done.stdout.splitlines() == [
        "__Host-sessionid True True Lax",
        "__Host-csrftoken True False Lax",
        "__Host-known_device __Host-language",
        "__Secure-checkout __Secure-order-",
    ]
