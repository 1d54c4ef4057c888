"""Templates have no line that is too long to read: `make check` fails on one.

No formatter does this for us: djlint is under the GPL, and those that move tags to lines of their
own add spaces between inline elements, which browsers show.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from .jobs import Outcome
from .paths import ROOT

LONGEST_LINE = 200  # characters


def check_template_lines(_env: object = None, root: Path = ROOT) -> Outcome:
    """Look at every template that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.html"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [
        f"{name}:{number}: {len(line)} characters"
        for name in sorted(set(filter(None, listed.stdout.split("\0"))))
        if (root / name).is_file()
        for number, line in enumerate((root / name).read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    return Outcome(1 if found else 0, "\n".join(found))
