"""Which account a server runs under.

PostgreSQL refuses to run as root, and many containers know no other user. There we drop to an
account that exists everywhere and owns nothing, and find out what that account can reach.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import EmbeddedError

ORDINARY_ACCOUNT = "nobody"


@dataclass(frozen=True)
class Account:
    """`uid` and `gid` to switch to, or None for both: stay who we are."""

    uid: int | None = None
    gid: int | None = None

    @classmethod
    def for_postgres(cls) -> Account:
        """The account PostgreSQL will accept: ourselves, unless we are root."""
        if os.geteuid() != 0:
            return cls()
        try:
            entry = pwd.getpwnam(ORDINARY_ACCOUNT)
        except KeyError:
            raise EmbeddedError(
                f"PostgreSQL cannot run as root and there is no account `{ORDINARY_ACCOUNT}` "
                "to run it under. Start as an ordinary user, or set DATABASE_URL."
            ) from None
        return cls(entry.pw_uid, entry.pw_gid)

    @property
    def process_options(self) -> dict[str, Any]:
        """Arguments for `subprocess` that make a child run under this account."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        """Hand a directory over to this account, closed to everyone else."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)
        path.chmod(0o700)

    def can_run(self, *command: str | Path) -> bool:
        """Whether a command succeeds under this account."""
        try:
            done = subprocess.run(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd="/",
                check=False,
                **self.process_options,
            )
        except OSError:
            return False
        return done.returncode == 0

    def can_enter(self, directory: Path) -> bool:
        """Whether this account may pass through a directory (not so below /root)."""
        if self.uid is None:
            return os.access(directory, os.X_OK)
        return self.can_run(shutil.which("test") or "/usr/bin/test", "-x", directory)
