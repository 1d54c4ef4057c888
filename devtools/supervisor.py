"""Keeps a handful of processes running together, shows what they say, and ends them together."""

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

COLOURS = (36, 33, 32, 35, 34, 31)
LOG_LINES = 15
POLL_SECONDS = 0.1


@dataclass
class Child:
    """One process: what it is called, how it is started, and the last things it said."""

    name: str
    command: list[str]
    env: dict[str, str]
    colour: int
    not_worth_saying: str = ""
    process: subprocess.Popen[str] | None = None
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    reader: threading.Thread | None = None
    # Its end was asked for (a restart), or has been reported already.
    end_expected: bool = False
    # With code that is being edited, its death is no reason to stop the rest.
    may_rest: bool = False

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Stopped(Exception):
    """Somebody asked us to stop: Ctrl-C, a SIGTERM, or a closed terminal."""


class ChildDied(Exception):
    """A process ended that should have kept running; the message says which, and its last words."""

    def __init__(self, name: str, code: int | None, last_lines: str) -> None:
        how = f"by {_signal_name(-code)}" if code is not None and code < 0 else f"with code {code}"
        super().__init__(f"{name} ended {how}. The last it said:\n\n{last_lines or '(nothing)'}\n")


class Server(Protocol):
    """A server that keeps a log of its own, as the embedded ones do."""

    process: subprocess.Popen[bytes] | None

    def last_lines(self) -> str: ...


class Supervisor:
    """Start with `start`, wait with `watch`, end with `stop`; always from the main thread.

    A guard process outlives us by a moment: when we are killed it ends what we started.
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
        """Notice when a server started elsewhere dies, and have it ended if we are killed."""
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
        """Start a process; its output appears line by line behind its name.

        Lines that contain `not_worth_saying` are left out.
        """
        colour = COLOURS[len(self.children) % len(COLOURS)]
        child = Child(name, [str(part) for part in command], env, colour, not_worth_saying)
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
        prefix = paint(f"{child.name:<7}│", child.colour)
        for line in child.process.stdout:
            text = line.rstrip()
            if text and not (child.not_worth_saying and child.not_worth_saying in text):
                child.last_lines.append(text)
                say(f"{prefix} {text}")

    def raise_if_over(self) -> None:
        """Stopped or ChildDied, as the case may be; otherwise nothing."""
        if self.stop_requested:
            raise Stopped
        with self._changing:
            for child in self.children:
                if not child.runs and not child.end_expected:
                    if child.may_rest:
                        child.end_expected = True
                        say(f"{child.name} has ended; it starts again when the code changes.")
                        continue
                    code = child.process.poll() if child.process else None
                    raise ChildDied(child.name, code, "\n".join(child.last_lines))
        for name, server in self.servers.items():
            if server.process is not None and server.process.poll() is not None:
                raise ChildDied(name, server.process.poll(), server.last_lines())

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait for something, but not past a request to stop or the death of a process."""
        while not condition():
            self.raise_if_over()
            time.sleep(POLL_SECONDS)

    def watch(self) -> None:
        """Wait for the end, which comes as Stopped or ChildDied."""
        self.wait_until(lambda: False)

    def restart(self, child: Child) -> None:
        """End a process and start it again, for changed code."""
        with self._changing:
            child.end_expected = True
            self._end([child], patience=5)
            if not self.stop_requested:
                self._launch(child)

    def stop(self) -> None:
        """End every process: politely, and after some seconds not. None is started after this."""
        self.stop_requested = True
        with self._changing:
            for child in self.children:
                child.end_expected = True
            self._end(self.children, patience=8)

    def close(self) -> None:
        """All is stopped; the guard has nothing left to do."""
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
            # The group, not the process: what it started itself goes with it.
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
