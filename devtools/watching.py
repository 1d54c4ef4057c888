"""Detects code changes by modification times."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

POLL_SECONDS = 0.7


def modification_times(directories: Iterable[Path]) -> dict[Path, int]:
    """The modification time of each Python file below the directories, in nanoseconds."""
    times = {}
    for directory in directories:
        for file in directory.rglob("*.py"):
            try:
                times[file] = file.stat().st_mtime_ns
            except OSError:
                continue  # deleted meanwhile
    return times


def watch(directories: list[Path], on_change: Callable[[], None]) -> threading.Event:
    """Call `on_change` after Python files changed. Set the returned event to stop watching."""
    ended = threading.Event()

    def look() -> None:
        known = modification_times(directories)
        while not ended.wait(POLL_SECONDS):
            current = modification_times(directories)
            if current != known:
                known = current
                on_change()

    threading.Thread(target=look, daemon=True).start()
    return ended
