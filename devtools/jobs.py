"""Commands that run to their end: installing, building, migrating, checking.

Each gets a process group of its own, so that Ctrl-C and a failing neighbour can end it whole.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass

from .console import CommandError
from .paths import ROOT

_running: set[int] = set()
# Reentrant: a signal may arrive while it is held.
_bookkeeping = threading.RLock()
_no_more = False


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and all it printed."""

    code: int
    output: str


def run_job(command: list[str], env: dict[str, str] | None = None) -> Outcome:
    """Run a command in the project's directory and wait for it; nothing is shown."""
    with _bookkeeping:
        if _no_more:
            return Outcome(1, "Stopped.")
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        _running.add(process.pid)
    try:
        output, _ = process.communicate()
    finally:
        with _bookkeeping:
            _running.discard(process.pid)
    return Outcome(process.returncode, output.strip())


def run_quietly(command: list[str], failure: str, env: dict[str, str] | None = None) -> str:
    """Run a command that must succeed; what it printed is shown only when it fails."""
    try:
        outcome = run_job(command, env)
    except OSError as problem:
        raise CommandError(f"{failure} ({problem})") from problem
    if outcome.code:
        raise CommandError(f"{outcome.output}\n\n{failure}")
    return outcome.output


def end_jobs() -> None:
    """End every command that is still running, and start no more."""
    global _no_more
    with _bookkeeping:
        _no_more = True
        for group in _running:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGTERM)
