"""`make test`: runs the checks, then all tests, against its own services."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from .browser import find_browser
from .checks import run_checks
from .console import say, step
from .embedded.services import EmbeddedServices
from .environment import (
    LOCAL_STRIPE_PUBLISHABLE_KEY,
    LOCAL_STRIPE_SECRET_KEY,
    base_environment,
)
from .guarding import Guard
from .installing import alone, install_everything
from .jobs import run_quietly
from .paths import ENVIRONMENT, PYTHON, ROOT, data_directory


def run_suite(extra: list[str]) -> int:
    """Install, check, and test. `extra` goes to pytest. Returns the exit code."""
    install_everything()
    with alone("test"), ThreadPoolExecutor() as pool:
        browser = pool.submit(find_browser)
        checked = run_checks()
        with step("Testing the front end"):
            run_quietly(["npm", "run", "--silent", "test"], "The front-end tests failed.")
        tested = _run_pytest(extra, browser.result())
    if checked:
        say("The tests are done, but the checks before them failed. See the errors above.")
    return tested or checked


def _run_pytest(extra: list[str], browser: str) -> int:
    env = base_environment()
    guard = Guard()
    data = data_directory() / "test"
    services = EmbeddedServices(
        ENVIRONMENT,
        data,
        throwaway=True,
        with_postgres="DATABASE_URL" not in env,
        with_valkey="REDIS_URL" not in env,
    )
    try:
        # Start from scratch, so that leftovers of an interrupted run don't matter.
        services.erase()
        env = services.start() | {"SECRET_KEY": "tests-only"} | env
        for server in services.servers:
            if server.process is not None:
                guard.add(server.process.pid, signal.SIGINT)
        # Tests never use real keys from the environment.
        env |= {
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "DATA_DIR": str(data / "files"),
            "STRIPE_SECRET_KEY": LOCAL_STRIPE_SECRET_KEY,
            "STRIPE_PUBLISHABLE_KEY": LOCAL_STRIPE_PUBLISHABLE_KEY,
            "CHROMIUM_EXECUTABLE": browser,
        }
        say("Running the tests…")
        # tests/scheduling.py distributes the tests.
        command = [str(PYTHON), "-m", "pytest", "-n", "logical", *extra]
        return _run_in_foreground(command, env, guard)
    finally:
        services.stop()
        guard.dismiss()


def _run_in_foreground(command: list[str], env: dict[str, str], guard: Guard) -> int:
    """Run a command attached to the terminal, forwarding stop signals."""
    process = subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True)
    guard.add(process.pid)

    def hand_on(*_: object) -> None:
        process.send_signal(signal.SIGINT)

    former = {number: signal.signal(number, hand_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return process.wait()
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        guard.remove(process.pid)
        sys.stdout.flush()


def split_arguments(*texts: str) -> list[str]:
    """Split the arguments of `make test ARGS="-k 'two words'"`."""
    return [word for text in texts for word in shlex.split(text)]
