"""Which worker runs what, and that every test that was collected is run.

At least half of the workers are browser lanes: each starts a program and a browser of its own,
works through its share of the browser tests in whole files, and then helps with the rest. The
others run the other tests from the beginning, because a browser test waits about half of its time.
xdist's own groups aren't used, because they rely on an internal of pytest that no longer exists.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# The tests of outages wait as much as browser tests, and take as long as one of their files.
BROWSER_TESTS = ("tests/e2e/", "tests/faults/test_outages.py")


def is_browser_scope(scope: str) -> bool:
    return any(part in scope for part in BROWSER_TESTS)


def refuse_duplicates(ids: Iterable[str]) -> None:
    """Fail on tests with the same id: only one of them would run, and nobody would miss the
    others."""
    twice = [f"{count} × {name}" for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise pytest.UsageError("Several tests have the same id: " + ", ".join(twice))


class BrowserLanes(LoadScopeScheduling):
    """Browser tests on half of the workers, rounded up, and first; every other test on whoever is
    free."""

    def _split_scope(self, nodeid: str) -> str:
        """Tests of one scope run on one worker; every other test is a scope of its own."""
        return nodeid.partition("::")[0] if is_browser_scope(nodeid) else nodeid

    def _is_browser_lane(self, node: WorkerController) -> bool:
        """If a worker dies, the next one in line takes its place."""
        alive = [each for each in self.nodes if not each.shutting_down]
        return node in alive[: (self.numnodes + 1) // 2]

    def _assign_work_unit(self, node: WorkerController) -> None:
        lane = self._is_browser_lane(node)
        mine = next((scope for scope in self.workqueue if is_browser_scope(scope) == lane), None)
        if mine is None and not lane:
            # Only browser tests are left, and starting a program for one of them takes longer.
            node.shutdown()
            return
        if mine is not None:
            self.workqueue.move_to_end(mine, last=False)
        super()._assign_work_unit(node)

    def schedule(self) -> None:
        for collected in self.registered_collections.values():
            refuse_duplicates(collected)
        super().schedule()


# Tests that can pass on their second try without failing the run; decision 34 says why.
SECOND_TRY_ALLOWED = frozenset(
    {"tests/e2e/test_offer_page.py::test_an_extension_is_told_and_a_guest_can_leave"}
)


# How much of the first attempt's output is repeated at the end of the run.
LAST_LINES = 20


class EveryTestIsRun:
    """Fails a run that reports success without having run everything it collected, or after a
    second try of a test that isn't allowed one."""

    def __init__(self) -> None:
        self.expected: set[str] = set()
        self.reported: set[str] = set()
        self.missing: list[str] = []
        self.tried_again: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        names = [item.nodeid for item in session.items]
        refuse_duplicates(names)
        self.expected.update(names)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        self.expected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reported.add(report.nodeid)
        if str(report.outcome) == "rerun":
            self.tried_again[report.nodeid] = report.longreprtext

    def refused_second_tries(self) -> list[str]:
        return sorted(
            name for name in self.tried_again if name.split("[")[0] not in SECOND_TRY_ALLOWED
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK and not session.config.option.collectonly:
            self.missing = sorted(self.expected - self.reported)
        if self.missing or self.refused_second_tries():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.missing:
            terminalreporter.section("collected and never run", red=True, bold=True)
            for name in self.missing:
                terminalreporter.line(name)
        if self.tried_again:
            refused = self.refused_second_tries()
            terminalreporter.section("passed or failed on a second try", red=bool(refused))
            for name in sorted(self.tried_again):
                fails = " (fails the run)" if name in refused else " (allowed by decision 34)"
                terminalreporter.line(name + fails)
                # A build server keeps the end of a run's output.
                terminalreporter.line("\n".join(self.tried_again[name].splitlines()[-LAST_LINES:]))
