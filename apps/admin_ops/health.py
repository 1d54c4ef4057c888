"""Whether everything the product needs answers, each part by name (design §7)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import connection

BEAT_KEY = "heartbeat"
# The scheduler beats every 5 s and the worker writes it down: silence means one of them is gone.
SILENCE = timedelta(seconds=30)


def note_heartbeat(*, now: datetime) -> None:
    """A beat of the schedule arrived at a worker: both are alive."""
    cache.set(BEAT_KEY, now.isoformat(), timeout=int(SILENCE.total_seconds() * 2))


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _cache() -> str:
    cache.set("health", "ok", timeout=10)
    return "ok" if cache.get("health") == "ok" else "doesn't return what was stored"


def _background(now: datetime) -> str:
    heard = cache.get(BEAT_KEY)
    if heard is None:
        return "no heartbeat yet"
    silence = now - datetime.fromisoformat(heard)
    return "ok" if silence <= SILENCE else f"silent for {int(silence.total_seconds())} s"


def check_health(*, now: datetime) -> dict[str, str]:
    """`ok`, or what is wrong, for database, cache, worker and scheduler."""
    checks: dict[str, Callable[[], str]] = {
        "database": _database,
        "cache": _cache,
        # A heartbeat is sent by the scheduler and written by a worker, so it speaks for both.
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
