"""Finds processes that use a data directory, from /proc (Linux only)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROC = Path("/proc")


def processes_in(directory: Path) -> list[int]:
    """Ids of the processes whose working directory is `directory`, without zombies."""
    if not PROC.is_dir():
        return []
    found = []
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        # Processes can end meanwhile, and other users' aren't readable.
        with suppress(OSError):
            if os.readlink(entry / "cwd") == str(directory) and not _is_zombie(entry):
                found.append(int(entry.name))
    return found


def _is_zombie(entry: Path) -> bool:
    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
    return state == "Z"


def exists(pid: int) -> bool:
    """Whether a process has this id, including other users' and zombies."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive file lock in the block. The kernel releases it if this process dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
