"""Installing and building, each only when what it depends on has changed."""

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
    """One installation of a kind at a time, when `make run` and `make test` start together."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / f"{kind}.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another command is installing; waiting for it…")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def install_python_packages() -> None:
    """Make `.venv` hold exactly what requirements-dev.txt says."""
    lock = ROOT / "requirements-dev.txt"
    # Our own packages are installed in place: what they declare counts, not their code.
    declared = [lock, *sorted(ROOT.glob("packages/*/pyproject.toml"))]
    # The place counts too: an environment does not survive being moved or copied elsewhere.
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
        failure = "The Python packages could not be installed. Mend that and run the command again."
        if not _environment_fits():
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            run_quietly(
                [uv, "venv", "--quiet", "--python", sys.executable, str(ENVIRONMENT)], failure, env
            )
        run_quietly(
            [uv, "pip", "sync", "--quiet", "--python", str(PYTHON), str(lock)], failure, env
        )


def uv_environment() -> dict[str, str]:
    """For uv: this very Python, never a downloaded one, and the certificates the system trusts."""
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return (
        {"UV_NATIVE_TLS": "true", "UV_SYSTEM_CERTS": "true"}
        | env
        | {"UV_PYTHON_DOWNLOADS": "never"}
    )


def _environment_fits() -> bool:
    """Whether `.venv` works, stands where it was made, and is of the Python we run on."""
    question = "import sys; print(sys.prefix, '%d.%d.%d' % sys.version_info[:3], sep='\\n')"
    try:
        answer = subprocess.run(
            [str(PYTHON), "-c", question], capture_output=True, text=True, check=False
        ).stdout.splitlines()
    except OSError:
        return False
    return answer == [str(ENVIRONMENT), platform.python_version()]


def compile_catalogues() -> None:
    """Make the texts in other languages readable, after the Python packages that do it."""
    for catalogue in ROOT.glob("locale/*/LC_MESSAGES/*.po"):
        compiled = catalogue.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < catalogue.stat().st_mtime:
            run_quietly(
                [str(PYTHON), "-m", "devtools.messages", "compile"],
                "The catalogues in locale/ could not be compiled: see above.",
            )
            return


def install_node_packages() -> None:
    """Make `node_modules` hold exactly what package-lock.json says."""
    lock = ROOT / "package-lock.json"
    wanted = digest([lock, ROOT / "package.json"], platform.machine(), platform.system())
    if NODE_STAMP.matches(wanted):
        return
    with step("Installing JavaScript packages"):
        NODE_STAMP.forget()
        run_quietly(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            "The JavaScript packages could not be installed. Mend that and run the command again.",
        )
        NODE_STAMP.record(wanted)


def frontend_sources() -> list[Path]:
    """All the build depends on; the templates too, as Tailwind reads class names there."""
    frontend = ROOT / "frontend"
    parts = frontend.iterdir() if frontend.is_dir() else iter(())
    return [
        *sorted(part for part in parts if part != FRONTEND_BUILD and part.name[0] != "."),
        ROOT / "templates",
        *sorted(ROOT.glob("apps/*/templates")),
        *sorted(ROOT.glob("*.config.*")),
        *sorted(ROOT.glob("tsconfig*.json")),
        ROOT / "package.json",
        ROOT / "package-lock.json",
    ]


def build_frontend() -> None:
    """Build scripts and styles unless those of an earlier build still fit, and are all there."""
    wanted = digest(frontend_sources())
    if FRONTEND_STAMP.matches(_with_build(wanted)):
        return
    with step("Building the front end"):
        FRONTEND_STAMP.forget()
        run_quietly(
            ["npm", "run", "--silent", "build"],
            "The front end could not be built: see above what is wrong with it.",
        )
        FRONTEND_STAMP.record(_with_build(wanted))


def _with_build(sources: str) -> str:
    """The digest of the sources, and what was built of them: a build that was deleted, emptied or
    changed since no longer fits. The manifest is hidden, so it is named."""
    return digest([FRONTEND_BUILD, FRONTEND_BUILD / ".vite" / "manifest.json"], sources)


def prepare_frontend(*, build: bool = True) -> None:
    """The packages, then the build (which Vite's development server does without)."""
    check_node()
    with alone("node"):
        install_node_packages()
        if build:
            build_frontend()


def prepare_python() -> None:
    """The packages, then what they make."""
    install_python_packages()
    compile_catalogues()


def install_everything() -> None:
    """Python packages and the front end, at the same time."""
    check_node()
    with ThreadPoolExecutor() as pool:
        for part in [pool.submit(prepare_python), pool.submit(prepare_frontend)]:
            part.result()
