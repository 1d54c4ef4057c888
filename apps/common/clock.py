"""The application clock: the only source of the current time.

An entry point reads `now()` once and passes it down, so one operation has one time. Tests and the
demo replace it with `stopped_at`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_stopped: ContextVar[datetime | None] = ContextVar("stopped_clock", default=None)


def now() -> datetime:
    """The current time, timezone-aware, in UTC."""
    return _stopped.get() or datetime.now(UTC)


@contextmanager
def stopped_at(moment: datetime) -> Iterator[None]:
    """Make `now()` return `moment` inside the block, in this context only."""
    token = _stopped.set(moment.astimezone(UTC))
    try:
        yield
    finally:
        _stopped.reset(token)
