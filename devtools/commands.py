"""What each verb of `devtools/bootstrap.py` does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .embedded.errors import EmbeddedError
from .embedded.services import EmbeddedServices

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"


def services(arguments: argparse.Namespace) -> int:
    """Start PostgreSQL and Valkey in the background and print where they are, or stop them."""
    servers = EmbeddedServices(
        ENVIRONMENT, Path(arguments.data).absolute(), throwaway=arguments.throwaway
    )
    if arguments.stop:
        servers.stop()
        return 0
    for name, value in servers.start().items():
        print(f"export {name}='{value}'")
    return 0


def build_parser() -> argparse.ArgumentParser:
    """The command line: one verb and its options."""
    parser = argparse.ArgumentParser(prog="devtools/bootstrap.py", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)

    verb = verbs.add_parser("services", help=services.__doc__)
    verb.add_argument("--data", required=True, help="directory for the servers' data")
    verb.add_argument("--throwaway", action="store_true", help="fast, not safe in a power cut")
    verb.add_argument("--stop", action="store_true", help="stop the servers of this directory")
    verb.set_defaults(act=services)
    return parser


def run_command(argv: list[str]) -> int:
    """Run one verb; its exit code."""
    arguments = build_parser().parse_args(argv)
    try:
        return int(arguments.act(arguments))
    except EmbeddedError as problem:
        print(problem, file=sys.stderr)
        return 1
