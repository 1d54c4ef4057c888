"""Test each pending mutant with the tests that execute its line. Run by cosmic-ray's own Python.

    python mutant_runs.py SESSION COVERAGE DURATIONS PYTEST TEST...

SESSION is cosmic-ray's database. COVERAGE is the data of a coverage run whose contexts are the
tests, and DURATIONS the output of that run, with `--durations=0`. PYTEST is a command, and each
TEST an argument of that run.
"""

from __future__ import annotations

import difflib
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from cosmic_ray.mutating import mutate_and_test, use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult
from coverage import CoverageData

DURATION = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(\S.*)$", re.MULTILINE)
# Most mutants are noticed by the first few tests. When all have met these, the others go on.
FIRST = 12
UNREACHED = WorkResult(worker_outcome=WorkerOutcome.NO_TEST, test_outcome=TestOutcome.SURVIVED)
# A mutant is also noticed if its tests take this many times as long as usual, plus a minute.
PATIENCE = 5
# The answer of `mutant_server.py` for a mutant that isn't Python, such as `**` for a signature's
# `*`.
NO_PYTHON = "not importable"


def main(session: str, coverage: str, durations: str, pytest: str, *tests: str) -> None:
    seconds_of: Counter[str] = Counter()
    for spent, test in DURATION.findall(Path(durations).read_text()):
        seconds_of[test] += float(spent)  # type: ignore[assignment]
    covered = CoverageData(coverage)
    covered.read()
    noticed: Counter[str] = Counter()
    log = Path(session).with_suffix(".log")
    with use_db(session, WorkDB.Mode.open) as database, _server(pytest, tests, log) as server:
        # Mutants that were not noticed yet, with the tests that they haven't met.
        later: list[tuple[WorkItem, list[str]]] = []

        def test(item: WorkItem, tests: list[str], others: list[str]) -> None:
            seconds = 60 + int(PATIENCE * sum(seconds_of[each] for each in tests))
            result = _tested(item, tests, seconds, server, pytest)
            with log.open("a") as output:
                output.write(f"\n{item.mutations[0]}: {result.output or 'not noticed'}\n")
            if others and not result.is_killed:
                later.append((item, others))
                return
            noticed[result.output or ""] += 1
            database.set_result(item.job_id, result)

        for item in _at_random(database.pending_work_items):
            # First the tests that are fast, or have noticed other mutants.
            chosen = _in_turn(
                sorted(
                    _tests_of(covered, item.mutations[0]),
                    key=lambda each: (seconds_of[each] / (1 + noticed[each]), each),
                )
            )
            test(item, chosen[:FIRST], chosen[FIRST:])
        for item, others in list(later):
            test(item, others, [])


def _in_turn(tests: Iterable[str]) -> list[str]:
    """The first test of each file, then the second of each: tests of one file ask much the same."""
    met: Counter[str] = Counter()

    def turn(test: str) -> int:
        file = test.partition("::")[0]
        met[file] += 1
        return met[file]

    return sorted(tests, key=turn)


def _at_random(items: Iterable[WorkItem]) -> list[WorkItem]:
    """In a random order that is always the same, so that an interrupted run has tested a fair
    sample."""

    def place(item: WorkItem) -> tuple[str, str, int]:
        (mutation,) = item.mutations
        return str(mutation.module_path), mutation.operator_name, mutation.occurrence

    ordered = sorted(items, key=place)
    random.Random(1).shuffle(ordered)
    return ordered


@contextmanager
def _server(pytest: str, tests: tuple[str, ...], log: Path) -> Iterator[Connection]:
    """Run `mutant_server.py`, and yield the connection to it."""
    ours, theirs = Pipe()
    env = os.environ | {
        "MUTANTS_ORDERS": str(theirs.fileno()),
        "PYTHONNODEBUGRANGES": "1",  # so that code that only moved within its line stays equal
    }
    command = [*pytest.split(), "-p", "devtools.mutant_server", *tests]
    with ours, log.open("a") as output:
        server = subprocess.Popen(
            command, env=env, pass_fds=[theirs.fileno()], stdout=output, stderr=output
        )
        theirs.close()
        try:
            ours.recv()  # from now on the module's file can be changed
            yield ours
            ours.send(None)
        except (EOFError, OSError) as ended:
            raise SystemExit(f"The tests ended by themselves: see {log}.") from ended
        finally:
            ours.close()  # which ends it, too
            server.wait()


def _tests_of(covered: CoverageData, mutation: MutationSpec) -> set[str]:
    contexts = covered.contexts_by_lineno(str(mutation.module_path.resolve()))
    lines = range(mutation.start_pos[0], mutation.end_pos[0] + 1)
    named = {context for line in lines for context in contexts.get(line, [])}
    if named == {""}:  # a line that runs only while the module is imported
        named = {context for line in contexts for context in contexts[line]}
    return {context.rpartition("|")[0] for context in named if context}


def _tested(
    item: WorkItem, tests: list[str], seconds: int, server: Connection, pytest: str
) -> WorkResult:
    (mutation,) = item.mutations
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    path = mutation.module_path
    with use_mutation(path, operator, mutation.occurrence) as (before, after):
        server.send((str(path.resolve()), tests, seconds))
        answer = server.recv()
    if not tests and not answer:
        return UNREACHED
    if answer is None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
            names.write("\n".join(tests))
            names.flush()
            return mutate_and_test(item.mutations, f"{pytest} -x -q @{names.name}", seconds)
    old, new = before.splitlines(), after.splitlines()
    noticed = TestOutcome.INCOMPETENT if answer.startswith(NO_PYTHON) else TestOutcome.KILLED
    return WorkResult(
        worker_outcome=WorkerOutcome.NORMAL,
        test_outcome=noticed if answer else TestOutcome.SURVIVED,
        output=answer,
        diff="\n".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
