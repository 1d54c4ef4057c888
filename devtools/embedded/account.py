"""The user account a server runs under.

PostgreSQL refuses to run as root, and many containers have no other user. There, we switch to an
account that exists everywhere and find out which paths it can access.
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

UNPRIVILEGED_ACCOUNT = "nobody"


@dataclass(frozen=True)
class Account:
    """The `uid` and `gid` to switch to; both None means the current user."""

    uid: int | None = None
    gid: int | None = None

    @classmethod
    def for_postgres(cls) -> Account:
        """The current user or, for root, an unprivileged account. Raises EmbeddedError."""
        if os.geteuid() != 0:
            return cls()
        try:
            entry = pwd.getpwnam(UNPRIVILEGED_ACCOUNT)
        except KeyError:
            raise EmbeddedError(
                f"PostgreSQL can't run as root, and there is no account `{UNPRIVILEGED_ACCOUNT}` "
                "to run it under. Run as a non-root user, or set DATABASE_URL."
            ) from None
        return cls(entry.pw_uid, entry.pw_gid)

    @property
    def process_options(self) -> dict[str, Any]:
        """Arguments for `subprocess` that make a child run under this account."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        """Make this account the owner of a directory, with access for nobody else."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)
        path.chmod(0o700)

    def can_run(self, *command: str | Path) -> bool:
        """Whether a command succeeds when run as this account."""
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
        """Whether this account can enter a directory (it can't below /root)."""
        if self.uid is None:
            return os.access(directory, os.X_OK)
        return self.can_run(shutil.which("test") or "/usr/bin/test", "-x", directory)
