"""Replacement directories outside the project.

A socket's path is limited to about 100 characters, and an unprivileged account can't enter /root.
A replacement is named after the directory it replaces, so that each start finds it again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from .errors import EmbeddedError

# Bytes. sockaddr_un holds 108 on Linux and 104 on macOS; PostgreSQL adds "/.s.PGSQL.5432.lock".
MAX_SOCKET_DIRECTORY = 80


def stand_in_name(purpose: str, original: Path) -> str:
    """A short name that is stable for a user and a directory."""
    key = f"{os.geteuid()}:{original.resolve()}".encode()
    return f"fb-{purpose}-{hashlib.sha256(key).hexdigest()[:12]}"


def private_directory(parent: Path, name: str) -> Path:
    """Create a private `parent/name`. Raises EmbeddedError if another user owns it."""
    directory = parent / name
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), _our_stand_in()}:
            raise EmbeddedError(
                f"{directory} belongs to someone else. Remove it and start again."
            ) from None
    return directory


def _our_stand_in() -> int:
    """For root, directories owned by the unprivileged account count as ours."""
    from .account import Account

    uid = Account.for_postgres().uid
    return os.geteuid() if uid is None else uid


def socket_directory(data: Path, purpose: str) -> Path:
    """The directory for a server's socket: the data directory, unless its path is too long."""
    if len(os.fsencode(data.resolve())) <= MAX_SOCKET_DIRECTORY:
        return data.resolve()
    return private_directory(Path(tempfile.gettempdir()), stand_in_name(purpose, data))


def release_socket_directory(directory: Path, data: Path) -> None:
    """Remove a stopped server's socket directory, unless it is the data directory."""
    if directory != data:
        with suppress(OSError):
            directory.rmdir()
