"""Client of the guard process (see guard.py)."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


class Guard:
    """Starts a guard process that stops registered process groups if this process dies."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("guard.py"))],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def add(self, group: int, end_by: signal.Signals = signal.SIGTERM) -> None:
        """Register a process group, to be stopped with this signal."""
        self._send(f"add {group} {int(end_by)}")

    def remove(self, group: int) -> None:
        """Unregister a group that has ended; its id may soon be reused."""
        self._send(f"remove {group}")

    def dismiss(self) -> None:
        """End the guard; everything is cleaned up."""
        self._send("done")
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate(timeout=5)

    def _send(self, line: str) -> None:
        if self._process.stdin is not None:
            with suppress(OSError, ValueError):
                self._process.stdin.write(f"{line}\n")
                self._process.stdin.flush()
