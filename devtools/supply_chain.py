"""`make audit` and `make sbom`: known vulnerabilities, and a list of everything we install.

Both read the lock files. The tools are pinned and have environments of their own, so that they are
no part of what they list.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .console import say, step
from .installing import uv_environment
from .jobs import run_quietly
from .locking import PRODUCTION_LOCK
from .paths import ROOT, TOOLS, data_directory
from .toolchain import provide_uv

PIP_AUDIT = "pip-audit==2.10.1"
CYCLONEDX = "cyclonedx-bom==7.5.0"


def _program(requirement: str, name: str) -> Path:
    """A tool in its own environment, installed the first time."""
    home = TOOLS / requirement.partition("==")[0]
    program = home / "bin" / name
    if not program.exists():
        uv = provide_uv()
        failure = f"{requirement} couldn't be installed."
        with step(f"Installing {requirement}"):
            env = uv_environment()
            run_quietly(
                [uv, "venv", "--quiet", "--python", sys.executable, str(home)], failure, env
            )
            run_quietly(
                [uv, "pip", "install", "--quiet", "--python", str(home), requirement], failure, env
            )
    return program


def audit() -> int:
    """Ask the registries for known vulnerabilities of what production installs.

    Returns 0 if both answered and know none; what they print says the rest.
    """
    checks = {
        "Python": [
            str(_program(PIP_AUDIT, "pip-audit")), "--requirement", str(PRODUCTION_LOCK),
            "--require-hashes", "--disable-pip", "--strict",
        ],
        "JavaScript": ["npm", "audit", "--omit=dev"],
    }  # fmt: skip
    failed = []
    for name, command in checks.items():
        say(f"{name} packages:")
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
    if failed:
        say(f"Not clean, or not answered: {' and '.join(failed)}. Read the output above.")
    return len(failed)


def write_bills_of_materials() -> int:
    """Write CycloneDX documents of the Python and JavaScript packages into `DATA_DIR/sbom`."""
    folder = data_directory() / "sbom"
    folder.mkdir(parents=True, exist_ok=True)
    python, javascript = folder / "python.cdx.json", folder / "javascript.cdx.json"
    with step("Listing the Python packages"):
        run_quietly(
            [
                str(_program(CYCLONEDX, "cyclonedx-py")), "requirements", str(PRODUCTION_LOCK),
                "--pyproject", str(ROOT / "pyproject.toml"), "--output-file", str(python),
            ],
            "The Python packages couldn't be listed.",
        )  # fmt: skip
    with step("Listing the JavaScript packages"):
        listed = subprocess.run(
            ["npm", "sbom", "--sbom-format", "cyclonedx", "--omit=dev", "--package-lock-only"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        javascript.write_text(listed)
    for file in (python, javascript):
        count = len(json.loads(file.read_text())["components"])
        say(f"{file}: {count} packages")
    return 0
