"""Who still lives in a data directory, by /proc (Linux; elsewhere nothing is known)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROC = Path("/proc")


def processes_in(directory: Path) -> list[int]:
    """Ids of the living processes whose working directory is `directory`; zombies don't count."""
    if not PROC.is_dir():
        return []
    found = []
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        # A process may end while we look, and others' are closed to us.
        with suppress(OSError):
            if os.readlink(entry / "cwd") == str(directory) and not _is_zombie(entry):
                found.append(int(entry.name))
    return found


def _is_zombie(entry: Path) -> bool:
    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
    return state == "Z"


def exists(pid: int) -> bool:
    """Whether any process has this id, ours or not, zombies included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file while the block runs; freed by the kernel if we die."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
