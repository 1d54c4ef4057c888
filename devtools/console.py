"""What we say in the terminal: short sentences, how long things took, never a progress bar."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_printing = threading.Lock()


class CommandError(Exception):
    """We cannot go on. The message says why and what to do, and is shown as it is."""


def say(text: str) -> None:
    """Print a line at once, whole, whichever thread it comes from."""
    with _printing:
        print(text, flush=True)


def use_colour() -> bool:
    """Colour only for a person at a terminal who has not asked for none (NO_COLOR)."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def paint(text: str, code: int) -> str:
    """The text in one of the terminal's basic colours, if colours are used at all."""
    return f"\033[{code}m{text}\033[0m" if use_colour() else text


@contextmanager
def step(doing: str) -> Iterator[None]:
    """Say what begins, and when it is done how long it took."""
    say(f"{doing}…")
    begun = time.monotonic()
    yield
    say(f"{doing}… {seconds_since(begun)}")


def seconds_since(begun: float) -> str:
    """Time since a reading of `time.monotonic()`: "0.4 s", "12 s"."""
    passed = time.monotonic() - begun
    return f"{passed:.1f} s" if passed < 10 else f"{passed:.0f} s"
