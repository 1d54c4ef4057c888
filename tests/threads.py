"""Real threads, for tests about things that happen at the same moment."""

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

    Each has the caller's stopped clock and acting restaurant. Returns the results in order; where a
    call raised an exception, the exception is its result.
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

    pool = ThreadPoolExecutor(len(calls))
    try:
        futures = [pool.submit(copy_context().run, run, call) for call in calls]
        return [future.result(STUCK_AFTER) for future in futures]
    finally:
        pool.shutdown(wait=False)  # a thread that is stuck would never let this end


class Meeting:
    """A point that several threads pass. The first time it arrives, each waits there for all the
    others, so that the race doesn't depend on luck.
    """

    def __init__(self, people: int) -> None:
        self._barrier = Barrier(people)
        self._been_here = local()
        self.has_happened = False

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, called after the meeting."""

        def behind(*args: Any, **options: Any) -> Any:
            if not self.has_happened and not getattr(self._been_here, "yes", False):
                self._been_here.yes = True
                self._barrier.wait(STUCK_AFTER)
                self.has_happened = True
            return call(*args, **options)

        return behind


def is_anyone_waiting_for_a_lock() -> bool:
    """Whether a session of this test's database waits for a lock that another one holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else it sees the first answer
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def wait_until(is_so: Callable[[], bool]) -> None:
    """Ask again and again until `is_so()`. Raises TimeoutError after STUCK_AFTER seconds, so that a
    test that would wait forever fails instead."""
    end = monotonic() + STUCK_AFTER
    while not is_so():
        if monotonic() > end:
            raise TimeoutError(f"waited too long for {is_so}")
