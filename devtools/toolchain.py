"""Checks the Node version and provides uv."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from .console import CommandError, step
from .paths import ROOT, TOOLS

UV_VERSION = "0.13.8"
NEEDED_NODE = "Node 20.19 or newer (22.12 or newer if it is Node 22)"


def node_problem(answer: str | None) -> str | None:
    """The message to show for this `node --version`, or None if the version is supported.

    Vite's rule: `^20.19.0 || >=22.12.0`. An answer of None means that Node isn't installed.
    """
    if answer is None:
        return (
            f"Fully Booked needs {NEEDED_NODE}, but Node isn't installed. "
            "Install it from nodejs.org and run the command again."
        )
    found = re.fullmatch(r"v?(\d+)\.(\d+)\..*", answer.strip())
    if found:
        major, minor = int(found[1]), int(found[2])
        if (major == 20 and minor >= 19) or (major, minor) >= (22, 12):
            return None
    return (
        f"Fully Booked needs {NEEDED_NODE}, but this is {answer.strip()}. "
        "Install a newer one from nodejs.org and run the command again."
    )


def check_node() -> None:
    """Raises CommandError if Node or npm is missing or too old."""
    node = shutil.which("node")
    answer = (
        subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if node
        else None
    )
    problem = node_problem(answer)
    if problem:
        raise CommandError(problem)
    if not shutil.which("npm"):
        raise CommandError(
            "Node is installed, but npm isn't. Install npm (on Debian: apt install npm) and run "
            "the command again."
        )


def find_uv() -> str | None:
    """The path of uv: on PATH or from an earlier run; otherwise None."""
    own = TOOLS / "uv" / "bin" / "uv"
    return shutil.which("uv") or (str(own) if own.exists() else None)


def provide_uv() -> str:
    """The path of uv, installed into the project if necessary. Raises CommandError."""
    found = find_uv()
    if found:
        return found
    target = TOOLS / "uv"
    with step("Installing uv, the Python package installer"):
        if not (_uv_into_directory(target) or _uv_into_environment(target)):
            raise CommandError(
                "uv couldn't be installed: Python has neither venv nor pip, or its package index "
                "can't be reached. Install python3-venv, python3-pip, or uv itself, and run the "
                "command again."
            )
    return str(target / "bin" / "uv")


def _uv_into_directory(target: Path) -> bool:
    """The quicker way, which also works where the system manages Python (Debian)."""
    shutil.rmtree(target, ignore_errors=True)
    return _succeeds(
        sys.executable, *_pip_install(), "--no-deps", "--target", str(target), f"uv=={UV_VERSION}"
    )


def _uv_into_environment(target: Path) -> bool:
    """For a Python without pip, or one that may only install into environments."""
    return _succeeds(sys.executable, "-m", "venv", "--clear", str(target)) and _succeeds(
        str(target / "bin" / "python"), *_pip_install(), f"uv=={UV_VERSION}"
    )


def _pip_install() -> list[str]:
    return ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def _succeeds(*command: str) -> bool:
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0
