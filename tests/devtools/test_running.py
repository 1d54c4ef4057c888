"""A start that cannot succeed says so before anything is installed or started."""

import socket
from pathlib import Path

import pytest

from devtools.console import CommandError
from devtools.environment import Plan, application_environment
from devtools.running import check_ports, only_one

SERVICES = {"DATABASE_URL": "postgresql:///own", "REDIS_URL": "unix:///own"}


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Plan:
    for name in ("DATABASE_URL", "REDIS_URL", "STRIPE_SECRET_KEY", "STRIPE_PORT", "DEMO"):
        monkeypatch.delenv(name, raising=False)
    for name in ("SECRET_KEY", "ROOT_DOMAIN", "STRIPE_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PORT", str(probe.getsockname()[1]))
    return Plan.from_environment()


def test_a_second_start_is_told_where_the_first_one_is(plan: Plan) -> None:
    with only_one(plan), pytest.raises(CommandError, match=plan.address), only_one(plan):
        pass


def test_another_run_can_start_once_the_first_has_ended(plan: Plan) -> None:
    runs = 0
    for _ in range(2):
        with only_one(plan):
            runs += 1
    assert runs == 2


def test_a_taken_port_is_named_with_what_to_do(plan: Plan) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", plan.port))
        with pytest.raises(CommandError, match=rf"{plan.port} is in use.*PORT=9000 make run"):
            check_ports(plan, reloading=False)


def test_a_port_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "eight thousand")
    with pytest.raises(CommandError, match="PORT must be a port number"):
        Plan.from_environment()


def test_local_stripe_is_used_without_keys(plan: Plan) -> None:
    env = application_environment(plan, SERVICES)
    assert env["STRIPE_SECRET_KEY"].startswith("sk_test_")
    assert env["STRIPE_API_BASE"] == f"http://localhost:{plan.port + 1}"


def test_given_services_are_used_as_they_are(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "DATABASE_URL": "postgresql://elsewhere/fb",
        "REDIS_URL": "redis://elsewhere/1",
        "STRIPE_SECRET_KEY": "sk_test_mine",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    plan = Plan.from_environment()
    env = application_environment(plan, {})

    assert (plan.own_database, plan.own_redis, plan.own_stripe) == (False, False, False)
    assert {name: env[name] for name in given} == given
    assert "STRIPE_API_BASE" not in env


def test_what_python_compiled_is_stored_even_where_the_machine_says_otherwise(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in application_environment(plan, SERVICES)


def test_sessions_outlive_a_restart(plan: Plan) -> None:
    first, second = (application_environment(plan, SERVICES)["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert len(first) > 40
    assert (plan.data / "secret-key").stat().st_mode & 0o077 == 0
