"""The commands of `devtools/bootstrap.py`."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
from pathlib import Path

from .checks import check_environment, rewrite_api_types, run_checks
from .console import CommandError, say, step
from .embedded.errors import EmbeddedError
from .embedded.services import EmbeddedServices
from .environment import base_environment
from .installing import alone, install_everything, install_python_packages
from .jobs import end_jobs
from .locking import compile_locks
from .mutants import run_mutants
from .paths import ENVIRONMENT, PYTHON, ROOT
from .running import run
from .suite import run_suite, split_arguments
from .supply_chain import audit, write_bills_of_materials


def do_run(_: argparse.Namespace) -> int:
    """Install what is missing, start everything, and run until Ctrl-C."""
    return run(reloading=False)


def do_dev(_: argparse.Namespace) -> int:
    """Like run, with code reloading."""
    return run(reloading=True)


def do_install(_: argparse.Namespace) -> int:
    """Install and build without starting anything."""
    install_everything()
    return 0


def do_check(_: argparse.Namespace) -> int:
    """Run linters, type checks, import layers, migrations, and the API schema check."""
    install_everything()
    return run_checks()


def do_test(arguments: argparse.Namespace) -> int:
    """Run the checks and all tests; extra arguments go to pytest."""
    return run_suite(
        split_arguments(os.environ.get("PYTEST_ARGS", ""), os.environ.get("ARGS", ""))
        + arguments.pytest_arguments
    )


def do_types(_: argparse.Namespace) -> int:
    """Regenerate the API schema and its TypeScript types."""
    install_everything()
    with step("Generating the API schema and types"):
        outcome = rewrite_api_types()
    if outcome.code:
        raise CommandError(outcome.output)
    return 0


def do_docs(_: argparse.Namespace) -> int:
    """Regenerate docs/data-model.md from the models."""
    install_everything()
    return subprocess.run(
        [str(PYTHON), "-m", "devtools.data_model"], cwd=ROOT, env=check_environment(), check=False
    ).returncode


def do_migrations(_: argparse.Namespace) -> int:
    """Write the migrations that the models need; connects to no database."""
    install_everything()
    return subprocess.run(
        [str(PYTHON), "-W", "ignore", "manage.py", "makemigrations"],
        cwd=ROOT,
        env=check_environment(),
        check=False,
    ).returncode


def do_messages(_: argparse.Namespace) -> int:
    """Update the translation catalogs in locale/ from the code."""
    install_everything()
    return subprocess.run(
        [str(PYTHON), "-m", "devtools.messages"], cwd=ROOT, check=False
    ).returncode


def do_lock(arguments: argparse.Namespace) -> int:
    """Compile requirements*.txt from pyproject.toml."""
    compile_locks(upgrade=arguments.upgrade or os.environ.get("UPGRADE", "") not in {"", "0"})
    return 0


def do_bench(arguments: argparse.Namespace) -> int:
    """Run the benchmarks, all or the named ones."""
    install_everything()
    words = split_arguments(os.environ.get("ARGS", "")) + arguments.parts
    env = base_environment()
    with alone("test"):
        # Replaces this process, so that Ctrl-C reaches it and it can clean up.
        process = subprocess.Popen([str(PYTHON), "-m", "benchmarks", *words], cwd=ROOT, env=env)
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.terminate()
            return process.wait()


def do_mutants(_: argparse.Namespace) -> int:
    """Change the code bit by bit and list the changes that no test notices."""
    install_everything()
    with alone("test"):
        return run_mutants(split_arguments(os.environ.get("ARGS", "")))


def do_audit(_: argparse.Namespace) -> int:
    """Ask the registries for known vulnerabilities of the locked packages."""
    return audit()


def do_sbom(_: argparse.Namespace) -> int:
    """List everything production installs, as CycloneDX documents."""
    return write_bills_of_materials()


def do_services(arguments: argparse.Namespace) -> int:
    """Start PostgreSQL and Valkey in the background and print their URLs, or stop them."""
    if not PYTHON.exists():
        install_python_packages()
    services = EmbeddedServices(
        ENVIRONMENT, Path(arguments.data).absolute(), throwaway=arguments.throwaway
    )
    if arguments.stop:
        services.stop()
        return 0
    for name, value in services.start().items():
        say(f"export {name}='{value}'")
    return 0


def build_parser() -> argparse.ArgumentParser:
    """The command-line parser: a command and its options."""
    parser = argparse.ArgumentParser(prog="devtools/bootstrap.py", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)

    for name, run_command in {
        "run": do_run,
        "dev": do_dev,
        "install": do_install,
        "check": do_check,
        "types": do_types,
        "docs": do_docs,
        "migrations": do_migrations,
        "messages": do_messages,
        "mutants": do_mutants,
        "audit": do_audit,
        "sbom": do_sbom,
    }.items():
        verbs.add_parser(name, help=run_command.__doc__).set_defaults(run_command=run_command)

    test = verbs.add_parser("test", help=do_test.__doc__)
    test.add_argument("pytest_arguments", nargs=argparse.REMAINDER)
    test.set_defaults(run_command=do_test)

    lock = verbs.add_parser("lock", help=do_lock.__doc__)
    lock.add_argument(
        "--upgrade", action="store_true", help="upgrade to the newest versions allowed"
    )
    lock.set_defaults(run_command=do_lock)

    bench = verbs.add_parser("bench", help=do_bench.__doc__)
    bench.add_argument("parts", nargs="*", help="pages, weight, lighthouse, …")
    bench.set_defaults(run_command=do_bench)

    services = verbs.add_parser("services", help=do_services.__doc__)
    services.add_argument("--data", required=True, help="directory for the servers' data")
    services.add_argument(
        "--throwaway", action="store_true", help="faster, but data is lost in a power failure"
    )
    services.add_argument("--stop", action="store_true", help="stop the servers of this directory")
    services.set_defaults(run_command=do_services)
    return parser


def _interrupt(*_: object) -> None:
    # First, because threads wait for these commands, and exiting waits for the threads.
    end_jobs()
    raise KeyboardInterrupt


def run_command(argv: list[str]) -> int:
    """Run a command and return its exit code."""
    arguments = build_parser().parse_args(argv)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        return int(arguments.run_command(arguments))
    except (CommandError, EmbeddedError) as problem:
        say(f"\n{problem}")
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
        return 130
