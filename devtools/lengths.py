"""`make check` fails on template lines and modules that are too long to read, and on template tags
that a line cuts in two.

No formatter wraps templates for us: djlint is under the GPL, and those that move tags to lines of
their own add spaces between inline elements, which browsers show.
"""

from __future__ import annotations

import re
from pathlib import Path

from .jobs import Outcome
from .paths import ROOT
from .repository import repository_files

LONGEST_LINE = 200  # characters
LONGEST_MODULE = 400  # lines
# Left out: what a tool wrote, and tests, because those of one module stay together.
NOT_MEASURED = re.compile(r"(^|/)(migrations|tests)/|(^|/)\w+\.test\.tsx?$")
# Modules that may be longer, each with its reason.
EXCEPTIONS: dict[str, str] = {}
# Django shows as text what its `tag_re` doesn't match, because it isn't closed on its line.
# Repeated here, because this module runs before Django is installed:
# https://github.com/django/django/blob/5.2/django/template/base.py
WHOLE_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}")
OPEN_TAG = re.compile(r"\{[{%#]")


def check_template_lines(_env: object = None, root: Path = ROOT) -> Outcome:
    """Look at every template that git knows or would add."""
    found = [
        f"{name}:{number}: {len(line)} characters"
        for name in repository_files("*.html", root=root)
        for number, line in enumerate((root / name).read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    found += [
        f"{name}:{number}: a template tag goes on in the next line"
        for name in repository_files("*.html", "*/templates/*.txt", "templates/*.txt", root=root)
        for number, line in enumerate((root / name).read_text().splitlines(), 1)
        if OPEN_TAG.search(WHOLE_TAG.sub("", line))
    ]
    return Outcome(1 if found else 0, "\n".join(found))


def check_module_lengths(_env: object = None, root: Path = ROOT) -> Outcome:
    """Look at every Python and TypeScript module that git knows or would add."""
    found = [
        f"{name}: {length} lines"
        for name in repository_files("*.py", "*.ts", "*.tsx", root=root)
        if not NOT_MEASURED.search(name) and name not in EXCEPTIONS
        if (length := len((root / name).read_text().splitlines())) > LONGEST_MODULE
    ]
    return Outcome(1 if found else 0, "\n".join(found))
