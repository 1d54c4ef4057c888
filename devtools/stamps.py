"""Doing slow work again only when what it was made from has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


def digest(paths: Iterable[Path], *facts: str) -> str:
    """One digest of files, of everything in directories, and of plain facts.

    Names count as well as contents, so a renamed or deleted file changes the digest. What is not
    there is left out. Hidden files and Python's caches are not looked at.
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
    """A file that remembers the digest something was last made from."""

    file: Path

    def matches(self, current: str) -> bool:
        """Whether it was made from exactly this."""
        with suppress(OSError):
            return self.file.read_text().strip() == current
        return False

    def record(self, current: str) -> None:
        """Remember it; called only after the work has succeeded."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(f"{current}\n")

    def forget(self) -> None:
        """Called before the work begins, so that an interrupted one is done again."""
        self.file.unlink(missing_ok=True)
