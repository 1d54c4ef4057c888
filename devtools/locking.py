"""`make lock`: requirements*.txt from pyproject.toml, for every Python and platform we support."""

from __future__ import annotations

from .console import step
from .installing import uv_environment
from .jobs import run_quietly
from .paths import ROOT
from .toolchain import provide_uv

PRODUCTION_LOCK = ROOT / "requirements.txt"
DEVELOPMENT_LOCK = ROOT / "requirements-dev.txt"


def compile_locks(*, upgrade: bool) -> None:
    """Write both locks; versions already locked stay unless `upgrade` is asked for.

    The development lock is the production lock and the tools: what is tested is what is deployed.
    """
    common = [
        provide_uv(), "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
        "--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock",
    ]  # fmt: skip
    if upgrade:
        common.append("--upgrade")
    jobs = [
        ("Locking the packages of production", PRODUCTION_LOCK, []),
        (
            "Locking the packages of development",
            DEVELOPMENT_LOCK,
            ["--group", "dev", "--constraints", PRODUCTION_LOCK.name],
        ),
    ]
    for doing, lock, options in jobs:
        with step(doing):
            run_quietly(
                [*common, "pyproject.toml", *options, "--output-file", lock.name],
                "The versions asked for in pyproject.toml do not go together.",
                uv_environment(),
            )
