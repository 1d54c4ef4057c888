"""Starts a group of processes, shows their output, and stops them together."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from .console import paint, say
from .guarding import Guard

COLORS = (36, 33, 32, 35, 34, 31)
MAX_LAST_LINES = 15
POLL_SECONDS = 0.1


@dataclass
class Child:
    """A process: its name, how it is started, and its last output."""

    name: str
    command: list[str]
    env: dict[str, str]
    color: int
    not_worth_saying: str = ""
    process: subprocess.Popen[str] | None = None
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LAST_LINES))
    reader: threading.Thread | None = None
    # Its end is intended (a restart) or already reported.
    end_expected: bool = False
    # With code reloading, its death doesn't stop the rest.
    can_wait: bool = False

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Stopped(Exception):
    """Stop requested: Ctrl-C, SIGTERM, or a closed terminal."""


class ChildDied(Exception):
    """A process ended unexpectedly; the message names it and shows its last output."""

    def __init__(self, name: str, code: int | None, last_lines: str) -> None:
        how = f"by {_signal_name(-code)}" if code is not None and code < 0 else f"with code {code}"
        super().__init__(f"{name} ended {how}. Its last output:\n\n{last_lines or '(nothing)'}\n")


class Server(Protocol):
    """A server with its own log file, like the embedded ones."""

    process: subprocess.Popen[bytes] | None

    def last_lines(self) -> str: ...


class Supervisor:
    """Starts processes with `start`, waits with `watch`, and ends with `stop`.

    Use it from the main thread only. If this process is killed, a guard process stops what it
    started.
    """

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self.children: list[Child] = []
        self.servers: dict[str, Server] = {}
        self.stop_requested = False
        self._impatient = False
        self._changing = threading.RLock()
        self._guard = Guard()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, *_: object) -> None:
        self._impatient = self.stop_requested
        self.stop_requested = True

    def look_after(self, name: str, server: Server, end_by: signal.Signals) -> None:
        """Monitor a server started elsewhere, and register it with the guard."""
        self.servers[name] = server
        if server.process is not None:
            self._guard.add(server.process.pid, end_by)

    def start(
        self,
        name: str,
        command: list[str | Path],
        env: dict[str, str],
        *,
        not_worth_saying: str = "",
    ) -> Child:
        """Start a process and show its output line by line, prefixed with its name.

        Lines that contain `not_worth_saying` are hidden.
        """
        color = COLORS[len(self.children) % len(COLORS)]
        child = Child(name, [str(part) for part in command], env, color, not_worth_saying)
        with self._changing:
            if self.stop_requested:
                raise Stopped
            self.children.append(child)
            self._launch(child)
        return child

    def _launch(self, child: Child) -> None:
        child.process = subprocess.Popen(
            child.command,
            cwd=self.cwd,
            env=child.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        child.end_expected = False
        child.reader = threading.Thread(target=self._show, args=(child,), daemon=True)
        child.reader.start()
        self._guard.add(child.process.pid)

    def _show(self, child: Child) -> None:
        assert child.process is not None
        assert child.process.stdout is not None
        prefix = paint(f"{child.name:<10}│", child.color)
        for line in child.process.stdout:
            text = line.rstrip()
            if text and not (child.not_worth_saying and child.not_worth_saying in text):
                child.last_lines.append(text)
                say(f"{prefix} {text}")

    def raise_if_over(self) -> None:
        """Raises Stopped or ChildDied if either applies."""
        if self.stop_requested:
            raise Stopped
        with self._changing:
            for child in self.children:
                if not child.runs and not child.end_expected:
                    if child.can_wait:
                        child.end_expected = True
                        say(f"{child.name} ended. It will restart when the code changes.")
                        continue
                    code = child.process.poll() if child.process else None
                    raise ChildDied(child.name, code, "\n".join(child.last_lines))
        for name, server in self.servers.items():
            if server.process is not None and server.process.poll() is not None:
                raise ChildDied(name, server.process.poll(), server.last_lines())

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition()` is true. Raises Stopped or ChildDied."""
        while not condition():
            self.raise_if_over()
            time.sleep(POLL_SECONDS)

    def watch(self) -> None:
        """Wait until Stopped or ChildDied is raised."""
        self.wait_until(lambda: False)

    def restart(self, child: Child) -> None:
        """Restart a process, for changed code."""
        with self._changing:
            child.end_expected = True
            self._end([child], patience=5)
            if not self.stop_requested:
                self._launch(child)

    def stop(self) -> None:
        """Stop every process, killing it after a few seconds. No more can be started."""
        self.stop_requested = True
        with self._changing:
            for child in self.children:
                child.end_expected = True
            self._end(self.children, patience=8)

    def close(self) -> None:
        """End the guard; everything is stopped."""
        self._guard.dismiss()

    def _end(self, children: list[Child], patience: float) -> None:
        for child in children:
            if child.process is not None and child.runs:
                child.process.terminate()
        deadline = time.monotonic() + patience
        while any(child.runs for child in children):
            if self._impatient or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        for child in children:
            if child.process is None:
                continue
            # Signal the group, so that its own children stop too.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.wait()
            self._guard.remove(child.process.pid)
            if child.reader is not None:
                child.reader.join(timeout=1)
            if child.process.stdout is not None:
                child.process.stdout.close()


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
