"""Test each pending mutant with the tests that execute its line. Run by cosmic-ray's own Python.

    python mutant_runs.py SESSION COVERAGE DURATIONS PYTHON SECONDS

SESSION is cosmic-ray's database. COVERAGE is coverage's data of a run whose contexts are the tests,
and DURATIONS the output of that run, with `--durations=0`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult
from coverage import CoverageData

DURATION = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(\S.*)$", re.MULTILINE)
# Most mutants are noticed by the first few tests; the others meet the rest.
FIRST = 25
UNREACHED = WorkResult(worker_outcome=WorkerOutcome.NO_TEST, test_outcome=TestOutcome.SURVIVED)


def main(session: str, coverage: str, durations: str, python: str, seconds: str) -> None:
    seconds_of: dict[str, float] = {}
    for spent, test in DURATION.findall(Path(durations).read_text()):
        seconds_of[test] = seconds_of.get(test, 0.0) + float(spent)
    covered = CoverageData(coverage)
    covered.read()
    with use_db(session, WorkDB.Mode.open) as database:
        for item in database.pending_work_items:
            (mutation,) = item.mutations
            tests = sorted(
                _tests_of(covered, mutation), key=lambda test: (seconds_of.get(test, 1.0), test)
            )
            result = UNREACHED  # nobody executes the line
            for part in (tests[:FIRST], tests[FIRST:]):
                if part:
                    result = _tested(item, part, python, int(seconds))
                if result.is_killed:
                    break
            database.set_result(item.job_id, result)


def _tests_of(covered: CoverageData, mutation: MutationSpec) -> set[str]:
    contexts = covered.contexts_by_lineno(str(mutation.module_path.resolve()))
    lines = range(mutation.start_pos[0], mutation.end_pos[0] + 1)
    named = {context for line in lines for context in contexts.get(line, [])}
    return {context.rpartition("|")[0] for context in named if context}


def _tested(item: WorkItem, tests: list[str], python: str, seconds: int) -> WorkResult:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(tests))
        names.flush()
        return mutate_and_test(item.mutations, f"{python} -m pytest -x -q @{names.name}", seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
