"""Health checks of the database, cache, worker, and scheduler (design §7)."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import datetime, timedelta
from functools import cache as cache_of_functions
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection

from apps.common import rls
from apps.preorders.settlement.reconciliation_status import reconciliation_status

HEARTBEAT_KEY = "heartbeat"
# The scheduler sends a heartbeat every 5 s; a worker shows that it lives every 2 s.
MAX_HEARTBEAT_AGE = timedelta(seconds=30)
SILENT_SECONDS = MAX_HEARTBEAT_AGE.total_seconds()
LONGEST_WAIT_SECONDS = 2
REMEMBERED_SECONDS = 24 * 60 * 60  # after that, "never" and "long ago" are the same


def note_heartbeat(*, now: datetime) -> None:
    """Record the scheduler's heartbeat. Its queue has a worker of its own, which is never busy."""
    _note(HEARTBEAT_KEY, now)


def note_worker(queues: Iterable[str], *, now: datetime) -> None:
    """Record that a worker takes from these queues, whether or not it is busy."""
    for queue in queues:
        _note(_worker_key(queue), now)


def _worker_key(queue: str) -> str:
    return f"worker:{queue}"


def _note(key: str, now: datetime) -> None:
    cache.set(key, now.isoformat(), timeout=REMEMBERED_SECONDS)


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def cache_state() -> str:
    """Whether the cache returns what it was given: "ok", or what is wrong."""
    try:
        return _cache()
    except Exception:  # whatever its client raises
        return "doesn't answer"


def _cache() -> str:
    cache.set("health", "ok", timeout=10)
    return "ok" if cache.get("health") == "ok" else "doesn't return what was stored"


def scheduler_heard(*, now: datetime) -> float:
    """Seconds since the scheduler's last heartbeat; a day if there was none."""
    return _seconds_since(cache.get(HEARTBEAT_KEY), now)


def workers_heard(*, now: datetime) -> dict[str, float]:
    """By queue, the seconds since its worker's last sign of life; a day if there was none."""
    names = [queue.name for queue in settings.CELERY_TASK_QUEUES]
    found = cache.get_many([_worker_key(name) for name in names])
    return {name: _seconds_since(found.get(_worker_key(name)), now) for name in names}


def _seconds_since(heard: str | None, now: datetime) -> float:
    if heard is None:
        return float(REMEMBERED_SECONDS)
    return max(0.0, (now - datetime.fromisoformat(heard)).total_seconds())


def _silence(seconds: float) -> str:
    """Empty if the last sign of life is recent."""
    if seconds <= SILENT_SECONDS:
        return ""
    if seconds >= REMEMBERED_SECONDS:
        return "no heartbeat yet"
    return f"no heartbeat for {int(seconds)} s"


def _scheduler(now: datetime) -> str:
    return _silence(scheduler_heard(now=now)) or "ok"


def _workers(now: datetime) -> str:
    """Whether each queue has a worker. The heartbeat itself shows that its queue has one."""
    heard = workers_heard(now=now)
    silent = [f"{name}: {silence}" for name, each in heard.items() if (silence := _silence(each))]
    return ", ".join(silent) or "ok"


def check_readiness() -> dict[str, str]:
    """`ok` or the problem, for what a request needs: the database and the cache."""
    return _ask({"database": _database, "cache": _cache})


def check_health(*, now: datetime) -> dict[str, str]:
    """`ok` or the problem, for the database, cache, workers, and scheduler."""
    return _ask(_health_checks(now))


def report_health(*, now: datetime) -> tuple[dict[str, str], dict[str, Any] | None]:
    """`check_health`, and how the comparison with Stripe is doing, asked at the same time.

    The latter is None while the database doesn't answer. It says nothing about a single restaurant,
    because everybody can read it.
    """
    reconciliation = {"reconciliation": lambda: _reconciliation(now)}
    answers: dict[str, Any] = _ask({**_health_checks(now), **reconciliation})
    figures = answers.pop("reconciliation")
    return answers, None if isinstance(figures, str) else figures


def _health_checks(now: datetime) -> dict[str, Callable[[], Any]]:
    return {
        "database": _database,
        "cache": _cache,
        "worker": lambda: _workers(now),
        "scheduler": lambda: _scheduler(now),
    }


def _reconciliation(now: datetime) -> dict[str, Any]:
    with rls.acting_as(rls.PLATFORM):
        status = reconciliation_status()
    return {
        "is_late": status.is_late(now=now),
        "last_finished_at": status.last_finished_at,
        "read": status.read,
        "open_differences": status.open_differences,
    }


def _ask(checks: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """Run all checks at once in threads, so that the answer takes two seconds at most, whatever
    hangs.

    The answer of a check that raises or hangs is a text that says so.
    """
    asked = {
        name: _probes().submit(copy_context().run, _in_thread, check)
        for name, check in checks.items()
    }
    wait(asked.values(), timeout=LONGEST_WAIT_SECONDS)
    for probe in asked.values():
        probe.cancel()  # one that waits for a thread, behind earlier ones that hang
    return {
        name: probe.result()
        if probe.done() and not probe.cancelled()
        else f"no answer within {LONGEST_WAIT_SECONDS} s"
        for name, probe in asked.items()
    }


@cache_of_functions
def _probes() -> ThreadPoolExecutor:
    """The threads of this process, made after the fork. Health checks that hang can't use more of
    them."""
    return ThreadPoolExecutor(max_workers=8, thread_name_prefix="health")


def _in_thread(check: Callable[[], Any]) -> Any:
    """The check's answer. Errors are named by their type alone: their texts have addresses and
    accounts."""
    try:
        return check()
    except Exception as error:
        return type(error).__name__
    finally:
        connection.close()
