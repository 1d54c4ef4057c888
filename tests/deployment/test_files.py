"""The Dockerfile, compose file, systemd units, and Caddyfile fit the Procfile and the settings.

Nothing here builds an image, which needs Docker's daemon. What the files name has to exist.
"""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_settings_documented import documented

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SYSTEMD = DEPLOY / "systemd"
PROCFILE = dict(
    line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line
)
RUNNING = set(PROCFILE) - {"release"}
# Variables of the shell and of the images of PostgreSQL and Caddy, which aren't settings of the
# program.
OF_OTHERS = {
    *("POSTGRES_PASSWORD", "POSTGRES_INITDB_ARGS", "DATABASE_PASSWORD", "DATABASE_OWNER_PASSWORD"),
    *("DATABASE_ADMIN_PASSWORD", "UPSTREAM", "PATH", "PYTHONUNBUFFERED"),
}


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return found


def programs() -> dict[str, Any]:
    services = compose()["services"]
    return {name: each for name, each in services.items() if each["image"] == "fully-booked"}


def unit(name: str) -> list[tuple[str, str]]:
    lines = (SYSTEMD / name).read_text().splitlines()
    pairs = (line.partition("=") for line in lines if re.match(r"\w+=", line))
    return [(key, value) for key, _, value in pairs]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, with continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(each.split(" ", 1)[0], each.split(" ", 1)[1]) for each in lines]


def test_compose_has_each_process_once_and_no_other():
    assert {name: each["command"] for name, each in programs().items()} == {
        name: name for name in PROCFILE
    }


def test_the_systemd_target_starts_each_process_and_no_other():
    wanted = " ".join(value for key, value in unit("fully-booked.target") if key == "Wants")
    assert set(re.findall(r"fully-booked@(\w+)\.service", wanted)) == RUNNING
    assert ("ExecStart", "/opt/fully-booked/deploy/process %i") in unit("fully-booked@.service")
    release = unit("fully-booked-release.service")
    assert ("ExecStart", "/opt/fully-booked/deploy/process release") in release


def test_every_variable_that_the_files_set_is_a_setting():
    known = set(documented()) | OF_OTHERS
    for service in compose()["services"].values():
        assert set(service.get("environment", {})) <= known
    text = (DEPLOY / "compose.yaml").read_text() + (DEPLOY / "Caddyfile").read_text()
    assert set(re.findall(r"\$\{?([A-Z_]+)", text)) <= known
    for each in SYSTEMD.iterdir():
        for key, value in unit(each.name):
            if key == "Environment":
                assert set(re.findall(r"(?:^| )([A-Z_]+)=", value)) <= known, each.name
    for word, rest in instructions():
        if word in ("ENV", "RUN"):
            assert set(re.findall(r"(?:^| )([A-Z][A-Z_]+)=", rest)) <= known, rest


def test_what_the_procfile_reads_is_documented_with_its_default():
    example = dict(
        line.split("=", 1)
        for line in (ROOT / ".env.example").read_text().splitlines()
        if re.match(r"[A-Z_]+=", line)
    )
    read = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", (ROOT / "Procfile").read_text()))
    assert {name: example[name] for name in read} == read


def test_only_the_release_gets_the_role_that_owns_the_tables():
    for name, each in programs().items():
        assert ("DATABASE_OWNER_URL" in each["environment"]) == (name == "release")
    assert "DATABASE_OWNER_URL" not in (DEPLOY / "production.env").read_text()
    assert ("EnvironmentFile", "/etc/fully-booked/owner") not in unit("fully-booked@.service")


def test_only_the_proxy_is_on_a_network_outside():
    ports = {name: each["ports"] for name, each in compose()["services"].items() if "ports" in each}
    assert ports == {"caddy": ["80:80", "443:443", "443:443/udp"]}


def test_processes_are_stopped_no_sooner_than_the_longest_wait():
    """A Stripe call may take 20 s to connect and 20 s to read, three of them in a row."""
    assert {each["stop_grace_period"] for each in programs().values()} == {"2m"}
    assert ("TimeoutStopSec", "120") in unit("fully-booked@.service")


def test_the_image_runs_as_nobody_special_and_holds_no_secret():
    found = instructions()
    users = [rest for word, rest in found if word == "USER"]
    assert users == ["fully-booked"]
    last = [word for word, _ in found]
    assert last[-4:] == ["USER", "EXPOSE", "ENTRYPOINT", "CMD"]
    assert "ARG" not in last
    stored = " ".join(rest for word, rest in found if word == "ENV")
    assert not re.search(r"SECRET|KEY|PASSWORD|TOKEN|_URL", stored)
    assert [rest for word, rest in found if word == "FROM"] == [
        "node:22-trixie-slim AS frontend",
        "python:3.11-slim-trixie AS packages",
        "python:3.11-slim-trixie",
    ]
    assert "--require-hashes" in (ROOT / "Dockerfile").read_text()


def test_what_the_image_copies_exists_and_reaches_docker():
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = set()
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from"):
            copied |= set(rest.split()[:-1])
    for source in copied:
        assert (ROOT / source).exists(), source
    assert copied == let_through
    assert (DEPLOY / "process").stat().st_mode & 0o111


def test_the_image_has_every_folder_that_the_program_imports_or_reads():
    copied = {rest.split()[-1] for word, rest in instructions() if word == "COPY"}
    assert {"config", "apps", "templates", "static", "locale", "frontend/dist"} <= copied


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", sorted(PROCFILE))
def test_a_process_runs_what_the_procfile_says(name, tmp_path):
    """With programs in place of the real ones that say how they were called."""
    for program in ("gunicorn", "celery", "python"):
        file = tmp_path / program
        file.write_text(f'#!/bin/sh\necho "{program} $@"\necho "limit=$PGOPTIONS"\n')
        file.chmod(0o755)
    done = run(
        str(DEPLOY / "process"), name, PATH=f"{tmp_path}:{os.environ['PATH']}", WEB_THREADS="5"
    )
    assert (done.returncode, done.stderr) == (0, "")
    first = done.stdout.splitlines()[0]
    expected = {"release": "python manage.py compilemessages", "web": "gunicorn config.wsgi"}
    assert first.startswith(expected.get(name, "celery -A config"))
    if name == "web":
        assert "--threads 5" in first
        assert "--workers 2" in first
    if name not in ("release", "beat"):
        assert "statement_timeout=60s" in done.stdout


def test_a_process_that_does_not_exist_is_an_error():
    done = run(str(DEPLOY / "process"), "everything", PATH=os.environ["PATH"])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The Procfile has no process everything.\n"


def test_the_image_is_built_with_settings_that_are_enough_to_read_the_settings(tmp_path):
    (step,) = (rest for word, rest in instructions() if word == "RUN" and "collectstatic" in rest)
    given = dict(re.findall(r"([A-Z_]+)=(\S+)", step.partition(" sh ")[0]))
    done = run(
        *(sys.executable, "-W", "ignore", "manage.py", "collectstatic", "--dry-run", "--noinput"),
        **{"PATH": os.environ["PATH"], **given, "DATA_DIR": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")


def production_settings() -> dict[str, str]:
    """deploy/production.env, filled in."""
    lines = (DEPLOY / "production.env").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    kinds = {
        "STRIPE_SECRET_KEY": "sk_test_",
        "STRIPE_PUBLISHABLE_KEY": "pk_test_",
    }
    return {
        name: value or kinds.get(name, "") + secrets.token_urlsafe(48)
        for name, value in given.items()
    }


def test_with_the_settings_listed_for_production_its_checks_pass(tmp_path):
    settings = production_settings()
    assert set(settings) <= set(documented())
    done = run(
        *(sys.executable, "-W", "ignore", "manage.py", "check", "--deploy", "--tag", "security"),
        **{"PATH": os.environ["PATH"], **settings, "DATA_DIR": str(tmp_path)},
    )
    assert "E0" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ENCRYPTION_KEYS", "TRUSTED_PROXIES"]
)
def test_without_one_of_them_production_does_not_start(name, tmp_path):
    settings = {**production_settings()}
    del settings[name]
    done = run(
        *(sys.executable, "-W", "ignore", "manage.py", "check", "--deploy", "--tag", "security"),
        **{"PATH": os.environ["PATH"], **settings, "DATA_DIR": str(tmp_path)},
    )
    assert done.returncode != 0
    assert name in done.stderr
