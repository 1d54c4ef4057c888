"""Terminal output: messages, timed steps, and colors. No progress bars."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_printing = threading.Lock()


class CommandError(Exception):
    """The command can't continue. The message is shown as is and says what to do."""


def say(text: str) -> None:
    """Print a line immediately; safe to call from any thread."""
    with _printing:
        print(text, flush=True)


def use_color() -> bool:
    """Whether to use color: on a terminal without NO_COLOR."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def paint(text: str, code: int) -> str:
    """The text in an ANSI color, if colors are used."""
    return f"\033[{code}m{text}\033[0m" if use_color() else text


@contextmanager
def step(doing: str) -> Iterator[None]:
    """Print what starts and, when it is done, how long it took."""
    say(f"{doing}…")
    begun = time.monotonic()
    yield
    say(f"{doing}… {seconds_since(begun)}")


def seconds_since(begun: float) -> str:
    """Time since a reading of `time.monotonic()`: "0.4 s", "12 s"."""
    passed = time.monotonic() - begun
    return f"{passed:.1f} s" if passed < 10 else f"{passed:.0f} s"
