"""`make test`: runs the checks, then all tests, against its own services."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from .browser import find_browser
from .checks import run_checks
from .console import say, step
from .environment import base_environment
from .guarding import Guard
from .installing import alone, install_everything
from .jobs import run_quietly
from .paths import PYTHON, ROOT, data_directory
from .testing import BROWSER, services_of_tests, settings_of_tests

# Browser tests wait for pages and for the program about half of the time, so half as many workers
# again as cores keep the cores busy. More would not: each takes 15 s of CPU time before its first
# test. No more than 16: each of the eight that may run a program of their own has a Valkey database
# for it (tests/e2e/stack.py).
CORES = os.cpu_count() or 1
WORKERS = max(2, min(16, CORES + CORES // 2))


def run_suite(extra: list[str]) -> int:
    """Install, check, and test; with `extra`, only run pytest with it. Returns the exit code."""
    install_everything()
    if extra:
        return run_some(extra)
    with alone("test"), ThreadPoolExecutor() as pool:
        browser = pool.submit(find_browser)
        checked = run_checks()
        with step("Testing the front end"):
            run_quietly(["npm", "run", "--silent", "test"], "The front-end tests failed.")
        tested = _run_pytest(browser.result())
    if checked:
        say("The tests are done, but the checks before them failed. See the errors above.")
    return tested or checked


def run_some(words: list[str]) -> int:
    """Run pytest as a developer does, with servers that keep running."""
    return _run_in_foreground([str(PYTHON), "-m", "pytest", *words], base_environment(), Guard())


def _run_pytest(browser: str) -> int:
    env = base_environment()
    guard = Guard()
    data = data_directory() / "test"
    services = services_of_tests(env, data)
    try:
        # Start from scratch, so that leftovers of an interrupted run don't matter.
        services.erase()
        env = services.start() | {"SECRET_KEY": "tests-only"} | env | settings_of_tests(data)
        for server in services.servers:
            if server.process is not None:
                guard.add(server.process.pid, signal.SIGINT)
        env[BROWSER] = browser
        say("Running the tests…")
        # tests/scheduling.py distributes the tests. A worker that dies ends the run: xdist would
        # give its successor one test, and wait forever because a worker keeps its last one back.
        workers = ["-n", str(WORKERS), "--max-worker-restart", "0"]
        command = [str(PYTHON), "-m", "pytest", *workers, "--second-try"]
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
