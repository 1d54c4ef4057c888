"""What ends a wait in a task: Celery's limits don't reach threads, so each wait has its own.

Each test waits for a server that takes connections and never answers, or for a lock.
"""

import re
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import stripe
from django.conf import settings
from django.core.cache.backends.redis import RedisCache
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from kombu.exceptions import OperationalError
from redis.exceptions import TimeoutError as RedisTimeoutError

from apps.billing.stripe_gateway.transport import Transport
from config.celery import app

SOON = 0.2  # seconds
PROCESSES = ("web", "worker", "settlement", "heartbeat")


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def pg_options(process: str) -> str:
    """The options with which a process of the Procfile connects to PostgreSQL."""
    lines = Path(settings.BASE_DIR, "Procfile").read_text().splitlines()
    (line,) = [each for each in lines if each.startswith(f"{process}: ")]
    words = dict(word.split("=", 1) for word in shlex.split(line) if "=" in word)
    return words["PGOPTIONS"]


def connect(options: str) -> psycopg.Connection[tuple[str, ...]]:
    facts = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    where = {name: facts[name] for name in names if facts.get(name)}
    return psycopg.connect(**where, options=options, autocommit=True)


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.django_db
def test_every_process_that_serves_ends_statements_and_idle_transactions(process: str) -> None:
    with connect(pg_options(process)) as session:
        for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
            (limit,) = session.execute(f"SHOW {name}").fetchone() or ("",)
            assert limit == "1min", name


@pytest.mark.django_db
def test_statement_that_waits_for_a_lock_is_ended_by_the_same_limit() -> None:
    options = re.sub(r"(statement_timeout)=\w+", r"\1=200ms", pg_options("settlement"))
    with connect("") as holder, connect(options) as waiter, holder.transaction():
        holder.execute("SELECT pg_advisory_xact_lock(70)")
        with pytest.raises(psycopg.errors.QueryCanceled):
            waiter.execute("SELECT pg_advisory_xact_lock(70)")


@pytest.mark.parametrize("name", ["connect_timeout", "keepalives_idle", "keepalives_count"])
def test_connection_to_a_database_that_is_gone_ends(name: str) -> None:
    databases: Any = settings.DATABASES
    assert 0 < databases["default"]["OPTIONS"][name] <= 30


def test_call_to_a_silent_cache_ends(silent: int) -> None:
    caches: Any = settings.CACHES
    options = caches["default"]["OPTIONS"]
    assert options["socket_timeout"] <= 5
    cache = RedisCache(f"redis://127.0.0.1:{silent}", {"OPTIONS": _sooner(options)})
    with pytest.raises(RedisTimeoutError):
        cache.get("anything")


def test_queuing_a_task_on_a_silent_broker_ends(silent: int) -> None:
    options: Any = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    assert options["socket_timeout"] <= 5
    broker = app.connection_for_write(
        f"redis://127.0.0.1:{silent}", transport_options=_sooner(options)
    )
    with pytest.raises((RedisTimeoutError, OperationalError)):
        broker.connect()


def test_call_to_a_silent_stripe_ends(silent: int) -> None:
    assert settings.STRIPE_TIMEOUT.total_seconds() <= 20
    with pytest.raises(stripe.APIConnectionError):
        Transport(timeout=SOON).request("get", f"http://127.0.0.1:{silent}/v1/balance", {})


def test_sending_an_email_to_a_silent_server_ends(silent: int) -> None:
    backend = "django.core.mail.backends.smtp.EmailBackend"
    assert settings.EMAIL_TIMEOUT <= 20
    smtp = get_connection(backend, host="127.0.0.1", port=silent, timeout=SOON)
    with pytest.raises(OSError, match="timed out"):
        EmailMessage("a", "b", to=["a@example.test"], connection=smtp).send()


def _sooner(options: dict[str, Any]) -> dict[str, Any]:
    return {**options, "socket_timeout": SOON, "socket_connect_timeout": SOON}
