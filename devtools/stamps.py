"""Digests that let slow steps be skipped if their inputs haven't changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


def digest(paths: Iterable[Path], *facts: str) -> str:
    """A digest of files, of everything in directories, and of strings.

    Covers names and contents, so that renaming or deleting a file changes it. Missing paths, hidden
    files, and Python's caches are ignored.
    """
    result = hashlib.sha256()
    for fact in facts:
        result.update(f"{fact}\0".encode())
    for path in paths:
        for file in _files_in(path):
            result.update(f"{file.relative_to(path.parent)}\0".encode())
            result.update(hashlib.sha256(file.read_bytes()).digest())
    return result.hexdigest()


def _files_in(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(
        file
        for file in path.rglob("*")
        if file.is_file()
        and not any(
            part.startswith(".") or part == "__pycache__" for part in file.relative_to(path).parts
        )
    )


@dataclass(frozen=True)
class Stamp:
    """A file that stores the digest of the inputs of the last successful run."""

    file: Path

    def matches(self, current: str) -> bool:
        """Whether the stored digest equals `current`."""
        with suppress(OSError):
            return self.file.read_text().strip() == current
        return False

    def record(self, current: str) -> None:
        """Store the digest. Call it only after the work succeeded."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(f"{current}\n")

    def forget(self) -> None:
        """Delete the digest before the work starts, so that an interrupted run is repeated."""
        self.file.unlink(missing_ok=True)
