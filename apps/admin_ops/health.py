"""Health checks of the database, cache, worker, and scheduler (design §7)."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import connection

HEARTBEAT_KEY = "heartbeat"
# The scheduler sends a heartbeat every 5 s; a worker shows that it lives every 2 s.
MAX_HEARTBEAT_AGE = timedelta(seconds=30)


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
    cache.set(key, now.isoformat(), timeout=int(MAX_HEARTBEAT_AGE.total_seconds() * 2))


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


def _silence(key: str, now: datetime) -> str:
    """Empty if the last sign of life is recent."""
    heard = cache.get(key)
    if heard is None:
        return "no heartbeat yet"
    silence = now - datetime.fromisoformat(heard)
    if silence <= MAX_HEARTBEAT_AGE:
        return ""
    return f"no heartbeat for {int(silence.total_seconds())} s"


def _workers(now: datetime) -> str:
    """Whether each queue has a worker; that of the heartbeat shows in the heartbeat."""
    silent = [
        f"{queue.name}: {silence}"
        for queue in settings.CELERY_TASK_QUEUES
        if (silence := _silence(_worker_key(queue.name), now))
    ]
    return ", ".join(silent) or "ok"


def check_health(*, now: datetime) -> dict[str, str]:
    """`ok` or the problem, for the database, cache, workers, and scheduler."""
    checks: dict[str, Callable[[], str]] = {
        "database": _database,
        "cache": _cache,
        "worker": lambda: _workers(now),
        "scheduler": lambda: _silence(HEARTBEAT_KEY, now) or "ok",
    }
    found = {}
    for name, check in checks.items():
        try:
            found[name] = check()
        except Exception as error:
            found[name] = type(error).__name__
    return found
