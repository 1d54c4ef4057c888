"""Which worker runs what: any test anywhere, but all browser tests on one.

They share one running program and one browser. xdist's own groups are not used: they rely on a
detail of pytest's that is gone.
"""

from xdist.scheduler import LoadScopeScheduling

BROWSER_TESTS = "tests/e2e/"


class OneProgram(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        """Tests of one scope run on one worker; every other test is a scope of its own."""
        return BROWSER_TESTS if BROWSER_TESTS in nodeid else nodeid
