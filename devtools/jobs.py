"""Runs commands to completion: installing, building, migrating, checking.

Each has its own process group, so that Ctrl-C or another command's failure can stop all of it.
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
# Reentrant, because a signal handler may run while it is held.
_bookkeeping = threading.RLock()
_no_more = False


@dataclass(frozen=True)
class Outcome:
    """A finished command's exit code and output."""

    code: int
    output: str


def run_job(command: list[str], env: dict[str, str] | None = None) -> Outcome:
    """Run a command in the project's directory and wait for it, without showing its output."""
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
    """Run a command and return its output. If it fails, show the output and raise CommandError."""
    try:
        outcome = run_job(command, env)
    except OSError as problem:
        raise CommandError(f"{failure} ({problem})") from problem
    if outcome.code:
        raise CommandError(f"{outcome.output}\n\n{failure}")
    return outcome.output


def end_jobs() -> None:
    """Stop every running command and start no more."""
    global _no_more
    with _bookkeeping:
        _no_more = True
        for group in _running:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGTERM)
