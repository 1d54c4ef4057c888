"""`python -m benchmarks pages watchers …`: runs the named parts, by default all of `PARTS`."""

import os
import platform
import signal
import sys
from importlib import import_module

from benchmarks.figures import Figure, table
from benchmarks.program import Program
from devtools.console import say, step
from devtools.paths import data_directory

PARTS = (
    *("pages", "watchers", "weight", "sweep", "ledger", "lists", "ordering", "settling", "limited"),
    "inviting",
)
# Only by name: lighthouse is downloaded with npm, journey needs a browser, and restaurants fills a
# gigabyte.
ON_REQUEST = ("lighthouse", "journey", "restaurants")


def main(asked: list[str]) -> int:
    """Returns 0 if every target is reached, 1 if one is missed, 2 for an unknown part."""
    known = (*PARTS, *ON_REQUEST)
    unknown = [name for name in asked if name not in known]
    if unknown:
        say(f"Unknown part: {', '.join(unknown)}. Choose from: {', '.join(known)}.")
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    program = Program(data_directory() / "bench")
    figures: list[Figure] = []
    try:
        with step("Starting the application"):
            program.start()
        scene = _scene(program)
        for name in asked or PARTS:
            with step(f"Measuring {name}"):
                found = import_module(f"benchmarks.{name}").measure(scene)
            say(table(found))
            figures += found
    finally:
        program.stop()
    say(f"\n{os.cpu_count()} cores, Python {platform.python_version()}\n\n{table(figures)}")
    return int(any(one.reached is False for one in figures))


def _end(*_: object) -> None:
    """Signal handler: exit normally, so that everything started is stopped."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(130)


def _scene(program: Program) -> object:
    """The scene. Sets up Django in this process too, with the same database."""
    os.environ.update(program.env)
    import django

    django.setup()
    return import_module("benchmarks.scene").set_up(program)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
