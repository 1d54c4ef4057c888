"""`python -m benchmarks pages watchers …`: the parts named, by default all of `PARTS`."""

import os
import platform
import signal
import sys
from importlib import import_module

from benchmarks.figures import Figure, table
from benchmarks.program import Program
from devtools.console import say, step
from devtools.paths import data_directory

PARTS = ("pages", "watchers", "weight", "sweep", "lists", "ordering", "settling")
# The one is fetched from npm's registry, the other drives a browser.
ON_REQUEST = ("lighthouse", "journey")


def main(asked: list[str]) -> int:
    """0 when every target is reached, 1 when one is missed, 2 for a part that does not exist."""
    known = (*PARTS, *ON_REQUEST)
    unknown = [name for name in asked if name not in known]
    if unknown:
        say(f"There is no {', '.join(unknown)}. Choose from: {', '.join(known)}.")
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    program = Program(data_directory() / "bench")
    figures: list[Figure] = []
    try:
        with step("Starting the program"):
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
    """Ended from outside, we still end what we started, once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(130)


def _scene(program: Program) -> object:
    """Django is set up in this process too, for the same database."""
    os.environ.update(program.env)
    import django

    django.setup()
    return import_module("benchmarks.scene").set_up(program)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
