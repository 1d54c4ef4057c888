"""What each verb of `devtools/bootstrap.py` does."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
from pathlib import Path

from .checks import rewrite_api_types, run_checks
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


def do_run(_: argparse.Namespace) -> int:
    """Install what is missing, start everything, and stay until Ctrl-C."""
    return run(reloading=False)


def do_dev(_: argparse.Namespace) -> int:
    """The same, with code reloaded as it is edited."""
    return run(reloading=True)


def do_install(_: argparse.Namespace) -> int:
    """Install and build, and start nothing."""
    install_everything()
    return 0


def do_check(_: argparse.Namespace) -> int:
    """Linters, types, layers, migrations, the API's description."""
    install_everything()
    return run_checks()


def do_test(arguments: argparse.Namespace) -> int:
    """The checks and every test; further arguments go to pytest."""
    return run_suite(
        split_arguments(os.environ.get("PYTEST_ARGS", ""), os.environ.get("ARGS", ""))
        + arguments.pytest_arguments
    )


def do_types(_: argparse.Namespace) -> int:
    """Rewrite the API's description and its TypeScript types from the code."""
    install_everything()
    with step("Writing the API's description and types"):
        outcome = rewrite_api_types()
    if outcome.code:
        raise CommandError(outcome.output)
    return 0


def do_messages(_: argparse.Namespace) -> int:
    """Bring the catalogues in locale/ up to date with the texts of the code."""
    install_everything()
    return subprocess.run(
        [str(PYTHON), "-m", "devtools.messages"], cwd=ROOT, check=False
    ).returncode


def do_lock(arguments: argparse.Namespace) -> int:
    """Compile requirements*.txt from pyproject.toml."""
    compile_locks(upgrade=arguments.upgrade or os.environ.get("UPGRADE", "") not in {"", "0"})
    return 0


def do_bench(arguments: argparse.Namespace) -> int:
    """Measure the figures the design promises; words choose some of them."""
    install_everything()
    words = split_arguments(os.environ.get("ARGS", "")) + arguments.parts
    env = base_environment()
    with alone("test"):
        # As the program itself, so that Ctrl-C reaches it and it ends what it started.
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


def do_services(arguments: argparse.Namespace) -> int:
    """Start PostgreSQL and Valkey in the background and print where they are, or stop them."""
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
    """The command line: one verb and its options."""
    parser = argparse.ArgumentParser(prog="devtools/bootstrap.py", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)

    for name, act in {
        "run": do_run,
        "dev": do_dev,
        "install": do_install,
        "check": do_check,
        "types": do_types,
        "messages": do_messages,
        "mutants": do_mutants,
    }.items():
        verbs.add_parser(name, help=act.__doc__).set_defaults(act=act)

    test = verbs.add_parser("test", help=do_test.__doc__)
    test.add_argument("pytest_arguments", nargs=argparse.REMAINDER)
    test.set_defaults(act=do_test)

    lock = verbs.add_parser("lock", help=do_lock.__doc__)
    lock.add_argument("--upgrade", action="store_true", help="take newer versions where allowed")
    lock.set_defaults(act=do_lock)

    bench = verbs.add_parser("bench", help=do_bench.__doc__)
    bench.add_argument("parts", nargs="*", help="pages, weight, lighthouse, …")
    bench.set_defaults(act=do_bench)

    services = verbs.add_parser("services", help=do_services.__doc__)
    services.add_argument("--data", required=True, help="directory for the servers' data")
    services.add_argument("--throwaway", action="store_true", help="fast, lost in a power cut")
    services.add_argument("--stop", action="store_true", help="stop the servers of this directory")
    services.set_defaults(act=do_services)
    return parser


def _interrupt(*_: object) -> None:
    # First, because threads wait for these commands and we wait for the threads.
    end_jobs()
    raise KeyboardInterrupt


def run_command(argv: list[str]) -> int:
    """Run one verb; its exit code."""
    arguments = build_parser().parse_args(argv)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        return int(arguments.act(arguments))
    except (CommandError, EmbeddedError) as problem:
        say(f"\n{problem}")
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
        return 130
