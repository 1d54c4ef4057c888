"""Our end of the guard process (see guard.py)."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


class Guard:
    """Ends the process groups it knows of when this process dies without cleaning up."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("guard.py"))],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def add(self, group: int, end_by: signal.Signals = signal.SIGTERM) -> None:
        """From now on, a process group to end with this signal."""
        self._tell(f"add {group} {int(end_by)}")

    def remove(self, group: int) -> None:
        """It has ended; its number may belong to somebody else soon."""
        self._tell(f"remove {group}")

    def dismiss(self) -> None:
        """All is cleaned up; the guard has nothing left to do."""
        self._tell("done")
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate(timeout=5)

    def _tell(self, line: str) -> None:
        if self._process.stdin is not None:
            with suppress(OSError, ValueError):
                self._process.stdin.write(f"{line}\n")
                self._process.stdin.flush()
