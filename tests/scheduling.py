"""Which worker runs what: a file of browser tests as a whole, any other test anywhere.

Browser tests come first: they take longest, and a worker keeps its running program only until it
goes on to other tests. xdist's own groups are not used: they rely on a detail of pytest's that is
gone.
"""

from xdist.scheduler import LoadScopeScheduling

BROWSER_TESTS = "tests/e2e/"


class BrowserFirst(LoadScopeScheduling):
    """Every worker starts a program and a browser of its own, works through its share of the
    browser tests, and then helps with the rest."""

    def _split_scope(self, nodeid: str) -> str:
        """Tests of one scope run on one worker; every other test is a scope of its own."""
        return nodeid.partition("::")[0] if BROWSER_TESTS in nodeid else nodeid

    def schedule(self) -> None:
        begins = self.collection is None
        super().schedule()
        if begins:
            for scope in sorted(self.workqueue, key=lambda name: BROWSER_TESTS not in name):
                self.workqueue.move_to_end(scope)
