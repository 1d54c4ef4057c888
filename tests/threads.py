"""Real threads for the tests of what happens at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Barrier, local
from time import monotonic
from typing import Any

from django.db import connection

STUCK_AFTER = 20  # seconds until a thread that waits for another is called a failure


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Call all of them at the same moment, each on its own thread and database connection.

    Each sees the caller's stopped clock and acting restaurant. Answers the results in order, the
    exception in place of a result where one was raised.
    """
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            start.wait(STUCK_AFTER)
            return call()
        except Exception as problem:
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        futures = [pool.submit(copy_context().run, run, call) for call in calls]
        return [future.result(STUCK_AFTER) for future in futures]


class Meeting:
    """A place on the way of several threads. Each waits there, the first time it comes, until all
    have come, so that none has gone on before the last has arrived: the race is no matter of luck.
    """

    def __init__(self, people: int) -> None:
        self._barrier = Barrier(people)
        self._been_here = local()
        self.has_happened = False

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, behind the meeting."""

        def behind(*args: Any, **options: Any) -> Any:
            if not self.has_happened and not getattr(self._been_here, "yes", False):
                self._been_here.yes = True
                self._barrier.wait(STUCK_AFTER)
                self.has_happened = True
            return call(*args, **options)

        return behind


def is_anyone_waiting_for_a_lock() -> bool:
    """Whether a session of this test's database waits for what another one holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees it once
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def wait_until(is_so: Callable[[], bool]) -> None:
    """Ask the database again and again. Raises TimeoutError when it has not come to that in
    STUCK_AFTER seconds, so that a test which waits in vain fails and does not hang."""
    end = monotonic() + STUCK_AFTER
    while not is_so():
        if monotonic() > end:
            raise TimeoutError(f"waited in vain: {is_so}")
