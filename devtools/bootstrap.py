#!/usr/bin/env python3
"""The door of `make run`, `make dev`, `make test` and `make check`.

Kept to the syntax of old Pythons on purpose: all it does is to say clearly that Python is too
old, before anything newer is even parsed.
"""

import os
import sys

OLDEST_PYTHON = (3, 11)


def python_problem(version: "tuple[int, ...]") -> "str | None":
    """A sentence that says what to do about this Python, or None when it will do."""
    if version[:2] >= OLDEST_PYTHON:
        return None
    return (
        f"Fully Booked needs Python 3.11 or newer, and this is {version[0]}.{version[1]}. "
        "Install a newer one and run the command again, for example: make run PYTHON=python3.12"
    )


def main() -> None:
    problem = python_problem(tuple(sys.version_info[:2]))
    if problem:
        sys.exit(problem)
    # In place of this directory, whose files would hide modules of the standard library.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from devtools.commands import run_command

    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
