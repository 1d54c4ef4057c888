"""`make check`: what can be said about the code without running it. Everything is looked at,
also after the first failure, and summed up at the end."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .console import paint, say, seconds_since
from .environment import (
    LOCAL_STRIPE_PUBLISHABLE_KEY,
    LOCAL_STRIPE_SECRET_KEY,
    base_environment,
)
from .jobs import Outcome, run_job
from .paths import PYTHON, ROOT

SCHEMA = ROOT / "frontend" / "src" / "api" / "schema.yaml"
API_TYPES = ROOT / "frontend" / "src" / "api" / "schema.ts"
AT_ONCE = 2

# The settings want these; no check connects to anything.
NOT_CONNECTED = {
    "DJANGO_SETTINGS_MODULE": "config.settings.test",
    "SECRET_KEY": "checks-only",
    "DATABASE_URL": "postgresql://fully_booked@/fully_booked?host=/nonexistent",
    "REDIS_URL": "unix:///nonexistent/valkey.sock?db=0",
    "STRIPE_SECRET_KEY": LOCAL_STRIPE_SECRET_KEY,
    "STRIPE_PUBLISHABLE_KEY": LOCAL_STRIPE_PUBLISHABLE_KEY,
}

# As docs/operations.md says; there is no server behind any of it, and no secret in it.
LIKE_PRODUCTION = NOT_CONNECTED | {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "checks-only-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "ROOT_DOMAIN": "restaurants.example",
    "PUBLIC_SCHEME": "https",
    "PUBLIC_PORT": "443",
    "DEMO": "0",
    "STRIPE_API_BASE": "",
    "STRIPE_JS_URL": "",
}


@dataclass(frozen=True)
class Check:
    """A name, what to run, and what to do when it fails."""

    name: str
    look: Callable[[Mapping[str, str]], Outcome]
    remedy: str


def _command(*command: str | Path) -> Callable[[Mapping[str, str]], Outcome]:
    return lambda env: run_job([str(part) for part in command], dict(env))


def _manage(env: Mapping[str, str], *arguments: str) -> Outcome:
    # Warnings of the connection that is not there, and of unused parts, are not what we look for.
    return run_job([str(PYTHON), "-W", "ignore", "manage.py", *arguments], dict(env))


def _missing_migrations(env: Mapping[str, str]) -> Outcome:
    return _manage(env, "makemigrations", "--check", "--dry-run")


def _fit_for_production(env: Mapping[str, str]) -> Outcome:
    """What a deployment runs before it goes on, with the settings it has."""
    return _manage({**env, **LIKE_PRODUCTION}, "check", "--deploy", "--fail-level", "WARNING")


def write_schema(env: Mapping[str, str], target: Path, *options: str) -> Outcome:
    """Write the OpenAPI description of our API as the code has it now."""
    return _manage(env, "spectacular", "--validate", *options, "--file", str(target))


def write_api_types(env: Mapping[str, str], schema: Path, target: Path) -> Outcome:
    """Write the TypeScript types of an OpenAPI description."""
    program = ROOT / "node_modules" / ".bin" / "openapi-typescript"
    return run_job([str(program), str(schema), "-o", str(target)], dict(env))


def _api_drift(env: Mapping[str, str]) -> Outcome:
    """Whether schema.yaml and schema.ts in the repository are what the code would give today."""
    with tempfile.TemporaryDirectory() as directory:
        schema, types = Path(directory, SCHEMA.name), Path(directory, API_TYPES.name)
        # Where the generator has to guess, the description would be wrong without anybody noticing.
        described = write_schema(env, schema, "--fail-on-warn")
        if described.code:
            return described
        typed = write_api_types(env, schema, types)
        if typed.code:
            return typed
        for kept, fresh in ((SCHEMA, schema), (API_TYPES, types)):
            if not kept.exists() or kept.read_text() != fresh.read_text():
                return Outcome(1, f"{kept.relative_to(ROOT)} is not what the code says today.")
    return Outcome(0, "")


def _import_layers(env: Mapping[str, str]) -> Outcome:
    # By its function: the installed script cannot be started from a path with spaces everywhere.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    return run_job([str(PYTHON), "-c", code], dict(env))


def all_checks() -> list[Check]:
    """The slow ones first, so that they do not stand alone at the end."""
    return [
        Check("mypy", _command(PYTHON, "-m", "mypy", "apps"), "Mend the types."),
        Check("tsc", _command("npm", "run", "--silent", "typecheck"), "Mend the types."),
        Check("API schema and types", _api_drift, "Run `make types` and commit what changed."),
        Check(
            "migrations",
            _missing_migrations,
            "Run `python manage.py makemigrations` and commit the new file.",
        ),
        Check(
            "production settings",
            _fit_for_production,
            "See config/checks.py and config/settings/production.py.",
        ),
        Check("import layers", _import_layers, "See docs/architecture.md for who may import whom."),
        Check("biome", _command("npm", "run", "--silent", "lint"), "Run `npm run lint:fix`."),
        Check("ruff", _command(PYTHON, "-m", "ruff", "check", "."), "Run `ruff check --fix`."),
        Check(
            "format", _command(PYTHON, "-m", "ruff", "format", "--check", "."), "Run `ruff format`."
        ),
    ]


def check_environment() -> dict[str, str]:
    """Settings that let the code be loaded and nothing be reached."""
    return base_environment() | NOT_CONNECTED


def run_checks(checks: list[Check] | None = None) -> int:
    """Run all, say how each went, show what the failed ones said; 0 when all are well."""
    env = check_environment()
    failed: list[tuple[Check, Outcome]] = []

    def perform(check: Check) -> None:
        begun = time.monotonic()
        outcome = check.look(env)
        verdict = paint("failed", 31) if outcome.code else paint("ok", 32)
        say(f"  {check.name:<22} {verdict:<6} {seconds_since(begun)}")
        if outcome.code:
            failed.append((check, outcome))

    say("Checking the code…")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(perform, checks if checks is not None else all_checks()))
    width = shutil.get_terminal_size().columns
    for check, outcome in failed:
        say(f"\n{f'── {check.name} ':─<{min(width, 80)}}\n{outcome.output}\n{check.remedy}")
    if failed:
        say(f"\n{len(failed)} of the checks failed: {', '.join(check.name for check, _ in failed)}")
    return 1 if failed else 0


def rewrite_api_types() -> Outcome:
    """`make types`: bring schema.yaml and schema.ts up to date."""
    env = check_environment()
    for outcome in (write_schema(env, SCHEMA), write_api_types(env, SCHEMA, API_TYPES)):
        if outcome.code:
            return outcome
    return Outcome(0, "")
