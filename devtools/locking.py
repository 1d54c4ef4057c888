"""`make lock`: compiles requirements*.txt from pyproject.toml for all supported platforms."""

from __future__ import annotations

from .console import step
from .installing import uv_environment
from .jobs import run_quietly
from .paths import ROOT
from .toolchain import provide_uv

PRODUCTION_LOCK = ROOT / "requirements.txt"
DEVELOPMENT_LOCK = ROOT / "requirements-dev.txt"
REPORTS_LOCK = ROOT / "requirements-reports.txt"


def compile_locks(*, upgrade: bool) -> None:
    """Write the lock files. Locked versions stay unless `upgrade` is set.

    The other two extend the production lock, so that what is tested is what is deployed: one for
    development, and one for production with the packages that reports to other services need.
    """
    common = [
        provide_uv(), "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
        "--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock",
        "--generate-hashes",  # uv and pip refuse a package with other content
    ]  # fmt: skip
    if upgrade:
        common.append("--upgrade")
    jobs = [
        ("Locking production packages", PRODUCTION_LOCK, []),
        (
            "Locking development packages",
            DEVELOPMENT_LOCK,
            ["--group", "dev", "--constraints", PRODUCTION_LOCK.name],
        ),
        (
            "Locking packages for reports",
            REPORTS_LOCK,
            ["--all-extras", "--constraints", PRODUCTION_LOCK.name],
        ),
    ]
    for doing, lock, options in jobs:
        with step(doing):
            run_quietly(
                [*common, "pyproject.toml", *options, "--output-file", lock.name],
                "The versions in pyproject.toml can't be resolved.",
                uv_environment(),
            )
