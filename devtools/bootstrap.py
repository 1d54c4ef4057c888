#!/usr/bin/env python3
"""Entry point of `make run`, `make dev`, `make test`, and the other commands.

Uses only syntax that old Pythons can parse, so that it can tell the user if Python is too old.
"""

import os
import sys

OLDEST_PYTHON = (3, 11)


def python_problem(version: "tuple[int, ...]") -> "str | None":
    """The message to show if this Python is too old, or None."""
    if version[:2] >= OLDEST_PYTHON:
        return None
    return (
        f"Fully Booked needs Python 3.11 or newer, but this is {version[0]}.{version[1]}. "
        "Install a newer one and run the command again, for example: make run PYTHON=python3.12"
    )


def main() -> None:
    problem = python_problem(tuple(sys.version_info[:2]))
    if problem:
        sys.exit(problem)
    # Replace this directory, whose files would shadow standard library modules.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from devtools.commands import run_command

    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
