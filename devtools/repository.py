"""The files of this repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .paths import ROOT


def repository_files(*patterns: str, root: Path = ROOT) -> list[str]:
    """The files that git knows or would add, sorted and relative to `root`. With patterns such as
    `*.html`, only those that match one of them, in any folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    names = set(filter(None, listed.stdout.split("\0")))
    return sorted(name for name in names if (root / name).is_file())
