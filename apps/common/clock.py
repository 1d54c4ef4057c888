"""The one source of the present moment.

An entry point reads `now()` once and hands it down, so that one operation has one time. Tests and
the demo set another one with `stopped_at`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_stopped: ContextVar[datetime | None] = ContextVar("stopped_clock", default=None)


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return _stopped.get() or datetime.now(UTC)


@contextmanager
def stopped_at(moment: datetime) -> Iterator[None]:
    """Make `now()` answer `moment` inside the block, in this context only."""
    token = _stopped.set(moment.astimezone(UTC))
    try:
        yield
    finally:
        _stopped.reset(token)
