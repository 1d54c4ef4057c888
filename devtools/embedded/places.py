"""Directories outside the project, for what cannot stand inside it.

A socket's path may have about 100 characters, and an ordinary account cannot enter /root. Every
such directory is named after the directory it stands in for, so that each start finds it again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from .errors import EmbeddedError

# sockaddr_un holds 108 bytes on Linux and 104 on macOS; PostgreSQL adds "/.s.PGSQL.5432.lock".
LONGEST_SOCKET_DIRECTORY = 80


def stand_in_name(purpose: str, original: Path) -> str:
    """A short name that is the same at every start for one user and one directory."""
    key = f"{os.geteuid()}:{original.resolve()}".encode()
    return f"fb-{purpose}-{hashlib.sha256(key).hexdigest()[:12]}"


def private_directory(parent: Path, name: str) -> Path:
    """Make `parent/name`, open to us alone; refuse one that a stranger put there."""
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
    """As root, directories handed to the ordinary account are still ours."""
    from .account import Account

    uid = Account.for_postgres().uid
    return os.geteuid() if uid is None else uid


def socket_directory(data: Path, purpose: str) -> Path:
    """Where a server on this data directory puts its socket: there, if the path is not too long."""
    if len(os.fsencode(data.resolve())) <= LONGEST_SOCKET_DIRECTORY:
        return data.resolve()
    return private_directory(Path(tempfile.gettempdir()), stand_in_name(purpose, data))


def give_up_socket_directory(directory: Path, data: Path) -> None:
    """Remove a stopped server's socket directory if it is not the data directory itself."""
    if directory != data:
        with suppress(OSError):
            directory.rmdir()
