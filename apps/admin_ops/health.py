"""Health checks of the database, cache, worker, and scheduler (design §7)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import connection

HEARTBEAT_KEY = "heartbeat"
# The scheduler sends a heartbeat every 5 s and a worker records it.
MAX_HEARTBEAT_AGE = timedelta(seconds=30)


def note_heartbeat(*, now: datetime) -> None:
    """Record a heartbeat: the scheduler sent it and a worker runs it, so both are alive."""
    cache.set(HEARTBEAT_KEY, now.isoformat(), timeout=int(MAX_HEARTBEAT_AGE.total_seconds() * 2))


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _cache() -> str:
    cache.set("health", "ok", timeout=10)
    return "ok" if cache.get("health") == "ok" else "doesn't return what was stored"


def _background(now: datetime) -> str:
    heard = cache.get(HEARTBEAT_KEY)
    if heard is None:
        return "no heartbeat yet"
    silence = now - datetime.fromisoformat(heard)
    return (
        "ok"
        if silence <= MAX_HEARTBEAT_AGE
        else f"no heartbeat for {int(silence.total_seconds())} s"
    )


def check_health(*, now: datetime) -> dict[str, str]:
    """`ok` or the problem, for the database, cache, worker, and scheduler."""
    checks: dict[str, Callable[[], str]] = {
        "database": _database,
        "cache": _cache,
        # The scheduler sends the heartbeat and a worker records it, so it covers both.
        "worker": lambda: _background(now),
        "scheduler": lambda: _background(now),
    }
    found = {}
    for name, check in checks.items():
        try:
            found[name] = check()
        except Exception as error:
            found[name] = type(error).__name__
    return found
