"""Installs packages and builds the front end, only if their inputs have changed."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from .console import say, step
from .jobs import run_quietly
from .paths import ENVIRONMENT, FRONTEND_BUILD, NODE_MODULES, PYTHON, ROOT, TOOLS
from .stamps import Stamp, digest
from .toolchain import check_node, provide_uv

PYTHON_STAMP = Stamp(ENVIRONMENT / ".installed-from")
NODE_STAMP = Stamp(NODE_MODULES / ".installed-from")
FRONTEND_STAMP = Stamp(TOOLS / "frontend-built-from")


@contextmanager
def alone(kind: str) -> Iterator[None]:
    """A lock, so that concurrent commands don't install the same thing."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / f"{kind}.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another command is installing. Waiting for it…")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def install_python_packages() -> None:
    """Install exactly the packages of requirements-dev.txt into `.venv`."""
    lock = ROOT / "requirements-dev.txt"
    # Our own packages are installed in place: what they declare counts, not their code.
    declared = [lock, *sorted(ROOT.glob("packages/*/pyproject.toml"))]
    # Includes the path, because a virtual environment can't be moved or copied.
    wanted = digest(declared, str(ROOT), platform.python_version(), sys.base_prefix)
    if PYTHON_STAMP.matches(wanted) and PYTHON.exists():
        return
    with alone("python"):
        if not PYTHON_STAMP.matches(wanted):
            _sync_python_packages(lock)
            PYTHON_STAMP.record(wanted)


def _sync_python_packages(lock: Path) -> None:
    uv = provide_uv()
    with step("Installing Python packages"):
        PYTHON_STAMP.forget()
        env = uv_environment()
        failure = "The Python packages couldn't be installed. Fix the problem above and try again."
        if not _environment_fits():
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            run_quietly(
                [uv, "venv", "--quiet", "--python", sys.executable, str(ENVIRONMENT)], failure, env
            )
        run_quietly(
            [uv, "pip", "sync", "--quiet", "--python", str(PYTHON), str(lock)], failure, env
        )


def uv_environment() -> dict[str, str]:
    """Environment for uv: this Python, never a downloaded one, and the system's certificates."""
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return (
        {"UV_NATIVE_TLS": "true", "UV_SYSTEM_CERTS": "true"}
        | env
        | {"UV_PYTHON_DOWNLOADS": "never"}
    )


def _environment_fits() -> bool:
    """Whether `.venv` works, hasn't been moved, and uses the current Python version."""
    question = "import sys; print(sys.prefix, '%d.%d.%d' % sys.version_info[:3], sep='\\n')"
    try:
        answer = subprocess.run(
            [str(PYTHON), "-c", question], capture_output=True, text=True, check=False
        ).stdout.splitlines()
    except OSError:
        return False
    return answer == [str(ENVIRONMENT), platform.python_version()]


def compile_catalogs() -> None:
    """Compile the translation catalogs. Needs the Python packages."""
    for catalog in ROOT.glob("locale/*/LC_MESSAGES/*.po"):
        compiled = catalog.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < catalog.stat().st_mtime:
            run_quietly(
                [str(PYTHON), "-m", "devtools.messages", "compile"],
                "The translations in locale/ couldn't be compiled. See the errors above.",
            )
            return


def install_node_packages() -> None:
    """Install exactly the packages of package-lock.json into `node_modules`."""
    lock = ROOT / "package-lock.json"
    wanted = digest([lock, ROOT / "package.json"], platform.machine(), platform.system())
    if NODE_STAMP.matches(wanted):
        return
    with step("Installing JavaScript packages"):
        NODE_STAMP.forget()
        run_quietly(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            "The JavaScript packages couldn't be installed. Fix the problem above and try again.",
        )
        NODE_STAMP.record(wanted)


def frontend_sources() -> list[Path]:
    """All inputs of the build, including templates, where Tailwind finds class names."""
    frontend = ROOT / "frontend"
    parts = frontend.iterdir() if frontend.is_dir() else iter(())
    return [
        *sorted(part for part in parts if part != FRONTEND_BUILD and part.name[0] != "."),
        ROOT / "templates",
        *sorted(ROOT.glob("apps/*/templates")),
        ROOT / "demo" / "templates",
        *sorted(ROOT.glob("*.config.*")),
        *sorted(ROOT.glob("tsconfig*.json")),
        ROOT / "package.json",
        ROOT / "package-lock.json",
    ]


def write_api_types() -> None:
    """Write schema.ts from schema.yaml if that has changed; before the sources are looked at."""
    run_quietly(
        ["npm", "run", "--silent", "types"],
        "The TypeScript types of the API could not be written: see above.",
    )


def build_frontend() -> None:
    """Build scripts and styles, unless the last build is complete and up to date."""
    wanted = digest(frontend_sources())
    if FRONTEND_STAMP.matches(_with_build(wanted)):
        return
    with step("Building the front end"):
        FRONTEND_STAMP.forget()
        run_quietly(
            ["npm", "run", "--silent", "build"],
            "The front end couldn't be built. See the errors above.",
        )
        FRONTEND_STAMP.record(_with_build(wanted))


def _with_build(sources: str) -> str:
    """A digest of the sources and of the build, to notice a deleted or changed build.

    The manifest is named explicitly, because hidden files don't count.
    """
    return digest([FRONTEND_BUILD, FRONTEND_BUILD / ".vite" / "manifest.json"], sources)


def prepare_frontend(*, build: bool = True) -> None:
    """Install the JavaScript packages, write the API types and, unless Vite is used, build."""
    check_node()
    with alone("node"):
        install_node_packages()
        write_api_types()
        if build:
            build_frontend()


def prepare_python() -> None:
    """Install the Python packages, then compile the translations."""
    install_python_packages()
    compile_catalogs()


def install_everything() -> None:
    """Install the Python packages and prepare the front end, in parallel."""
    check_node()
    with ThreadPoolExecutor() as pool:
        for part in [pool.submit(prepare_python), pool.submit(prepare_frontend)]:
            part.result()
