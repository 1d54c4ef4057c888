"""`make check`: linters, types, import layers, and generated files.

All checks run even if one fails, and a summary follows at the end.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .commit_message import message_errors
from .console import paint, say, seconds_since
from .environment import (
    LOCAL_STRIPE_PUBLISHABLE_KEY,
    LOCAL_STRIPE_SECRET_KEY,
    base_environment,
)
from .jobs import Outcome, run_job
from .lengths import (
    LONGEST_LINE,
    LONGEST_MODULE,
    check_module_lengths,
    check_template_lines,
)
from .paths import PYTHON, ROOT
from .vocabulary import check_vocabulary

SCHEMA = ROOT / "frontend" / "src" / "api" / "schema.yaml"
PARALLEL_CHECKS = 2
TYPED = ("apps", "benchmarks", "config", "demo", "devtools", "packages/local-stripe", "tests")

# Required by the settings; no check connects to anything.
NOT_CONNECTED = {
    "DJANGO_SETTINGS_MODULE": "config.settings.test",
    "SECRET_KEY": "checks-only",
    "DATABASE_URL": "postgresql://fully_booked@/fully_booked?host=/nonexistent",
    "REDIS_URL": "unix:///nonexistent/valkey.sock?db=0",
    "STRIPE_SECRET_KEY": LOCAL_STRIPE_SECRET_KEY,
    "STRIPE_PUBLISHABLE_KEY": LOCAL_STRIPE_PUBLISHABLE_KEY,
}

# The settings that docs/operations.md asks for. None of the addresses has a server, and nothing is
# secret.
LIKE_PRODUCTION = NOT_CONNECTED | {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "checks-only-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "ENCRYPTION_KEYS": "checks-only-" + "zyxwvutsrqponmlkjihgfedcba9876543210" * 2,
    "SIGNING_KEYS": "checks-only-" + "9876543210zyxwvutsrqponmlkjihgfedcba" * 2,
    "ROOT_DOMAIN": "restaurants.example",
    "PUBLIC_SCHEME": "https",
    "PUBLIC_PORT": "443",
    "TRUSTED_PROXIES": "1",
    "ALARM_EMAILS": "operators@restaurants.example",
    "ALARM_WEBHOOK_URL": "https://alarms.example/",
    "ALARM_WEBHOOK_SECRET": "whsec_" + "Y2hlY2tzLW9ubHkt" * 3,
    "DEMO": "0",
    "STRIPE_API_BASE": "",
    "STRIPE_JS_URL": "",
}


@dataclass(frozen=True)
class Check:
    """A check: its name, what to run, and the remedy to show if it fails."""

    name: str
    look: Callable[[Mapping[str, str]], Outcome]
    remedy: str


def _command(*command: str | Path) -> Callable[[Mapping[str, str]], Outcome]:
    return lambda env: run_job([str(part) for part in command], dict(env))


def _manage(env: Mapping[str, str], *arguments: str) -> Outcome:
    # Hides warnings about the missing database connection and unused components.
    return run_job([str(PYTHON), "-W", "ignore", "manage.py", *arguments], dict(env))


def _missing_migrations(env: Mapping[str, str]) -> Outcome:
    return _manage(env, "makemigrations", "--check", "--dry-run")


def _fit_for_production(env: Mapping[str, str]) -> Outcome:
    """The checks that a deployment runs before it goes on, with settings like its own."""
    return _manage({**env, **LIKE_PRODUCTION}, "check", "--deploy", "--fail-level", "WARNING")


def write_schema(env: Mapping[str, str], target: Path, *options: str) -> Outcome:
    """Generate the OpenAPI schema from the code."""
    return _manage(env, "spectacular", "--validate", *options, "--file", str(target))


def _api_drift(env: Mapping[str, str]) -> Outcome:
    """Whether the committed schema.yaml matches the code."""
    with tempfile.TemporaryDirectory() as directory:
        schema = Path(directory, SCHEMA.name)
        # A warning means that the generator guessed, and the schema may be silently wrong.
        described = write_schema(env, schema, "--fail-on-warn")
        if described.code:
            return described
        if not SCHEMA.exists() or SCHEMA.read_text() != schema.read_text():
            return Outcome(1, f"{SCHEMA.relative_to(ROOT)} doesn't match the code.")
    return Outcome(0, "")


def _import_layers(env: Mapping[str, str]) -> Outcome:
    # Called as a function, because the installed script can't always run in a path with spaces.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    return run_job([str(PYTHON), "-c", code], dict(env))


def _dependencies(env: Mapping[str, str]) -> Outcome:
    """Whether every package that is imported is declared, and every one declared is needed."""
    hidden = r"\.venv|\.tools|\.data|node_modules"
    tools = ("devtools", "tests", "benchmarks")
    runs = [
        # The product, which may use only what production installs.
        [".", "--exclude", "|".join([hidden, "packages", r"^conftest\.py", *tools])],
        # Tools and tests, which may use everything.
        [*tools, "--exclude", hidden, "--ignore", "DEP002,DEP004"],
        *(
            [package, "--exclude", f"{package}/tests", "--config", f"{package}/pyproject.toml"]
            for package in sorted(f"packages/{path.name}" for path in ROOT.glob("packages/*"))
        ),
    ]
    outcomes = [run_job([str(PYTHON), "-m", "deptry", *run], dict(env)) for run in runs]
    return Outcome(
        max(outcome.code for outcome in outcomes),
        "\n".join(outcome.output for outcome in outcomes if outcome.code),
    )


def check_last_commit(env: Mapping[str, str]) -> Outcome:
    """Whether the last commit's message has the form that the hook asks for. Not everyone has the
    hook."""
    answer = run_job(["git", "log", "-1", "--format=%B"], dict(env))
    errors = [] if answer.code else message_errors(answer.output)  # else there is no commit
    return Outcome(len(errors), "\n".join(errors))


def all_checks() -> list[Check]:
    """All checks, slowest first, so that they overlap with the others."""
    return [
        Check("mypy", _command(PYTHON, "-m", "mypy", *TYPED), "Fix the type errors."),
        Check("tsc", _command("npm", "run", "--silent", "typecheck"), "Fix the type errors."),
        Check("API schema", _api_drift, "Run `make types` and commit what changed."),
        Check(
            "migrations",
            _missing_migrations,
            "Run `make migrations` and commit the new file.",
        ),
        Check(
            "migration rules",
            _command(PYTHON, "-W", "ignore", "-m", "devtools.migration_rules"),
            "See docs/upgrading.md for how to make the change in two releases.",
        ),
        Check(
            "production settings",
            _fit_for_production,
            "See config/checks.py and config/settings/production.py.",
        ),
        Check("import layers", _import_layers, "See docs/architecture.md for the import rules."),
        Check(
            "dependencies", _dependencies, "Declare in pyproject.toml what is imported; make lock."
        ),
        Check(
            "vocabulary",
            check_vocabulary,
            "Use the words of docs/glossary.md; docs/vocabulary.toml has the list.",
        ),
        Check(
            "template lines",
            check_template_lines,
            f"Wrap lines of more than {LONGEST_LINE} characters at a space, but not within a tag.",
        ),
        Check(
            "module lengths",
            check_module_lengths,
            f"Split modules of more than {LONGEST_MODULE} lines by what they are about.",
        ),
        Check("commit message", check_last_commit, "Run `git commit --amend`."),
        Check("biome", _command("npm", "run", "--silent", "lint"), "Run `npm run lint:fix`."),
        Check("ruff", _command(PYTHON, "-m", "ruff", "check", "."), "Run `ruff check --fix`."),
        Check(
            "format", _command(PYTHON, "-m", "ruff", "format", "--check", "."), "Run `ruff format`."
        ),
    ]


def check_environment() -> dict[str, str]:
    """An environment in which the code loads without reaching any service."""
    return base_environment() | NOT_CONNECTED


def run_checks(checks: list[Check] | None = None) -> int:
    """Run the checks, print each result, and the output of failed ones. Returns 0 if all pass."""
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
    with ThreadPoolExecutor(PARALLEL_CHECKS) as pool:
        list(pool.map(perform, checks if checks is not None else all_checks()))
    width = shutil.get_terminal_size().columns
    for check, outcome in failed:
        say(f"\n{f'── {check.name} ':─<{min(width, 80)}}\n{outcome.output}\n{check.remedy}")
    if failed:
        say(f"\n{len(failed)} of the checks failed: {', '.join(check.name for check, _ in failed)}")
    return 1 if failed else 0


def rewrite_api_types() -> Outcome:
    """`make types`: regenerate schema.yaml, and the schema.ts made from it."""
    env = check_environment()
    written = write_schema(env, SCHEMA)
    return written if written.code else run_job(["npm", "run", "--silent", "types"], env)
