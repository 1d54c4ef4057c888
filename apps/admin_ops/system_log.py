"""The system log of the staff's home page: what has happened since this server started.

Three entries of the start, then the events of the activity log (DECISIONS X52). Nothing is stored
for it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from django.conf import settings
from django.utils import timezone

from apps.activity.kinds import Group, Kind
from apps.activity.models import ActorKind, Outcome
from apps.activity.selectors import EventFilter
from apps.admin_ops.activity import ShownEvent, activity_of_platform
from apps.admin_ops.health import cache_state

MOST_ENTRIES = 50
SERVER_STARTED_AT = timezone.now()  # this process, or the one it was forked from
_ONLY_LOOKED = frozenset({Group.ACCESS, Group.DATA})


class Level(StrEnum):
    INFO = "INFO"
    SUCCESS = "SUCCESS"
    REQUEST = "REQUEST"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line; `id` stays the same when the log is read again, `timestamp` is in UTC."""

    id: str
    timestamp: str
    level: Level
    message: str


def system_log(*, started_at: datetime | None = None) -> list[LogEntry]:
    """The latest entries, oldest first; the caller has checked that staff ask."""
    start = started_at or SERVER_STARTED_AT
    events = activity_of_platform(filters=EventFilter(), cursor=None).events
    since = [each for each in reversed(events) if each.event.at >= start]
    return [*_start(start), *map(_entry, since)][-MOST_ENTRIES:]


def _start(at: datetime) -> list[LogEntry]:
    cache = cache_state()
    stored = (Level.SUCCESS, "In-memory storage initialized")
    if cache != "ok":
        stored = (Level.ERROR, f"In-memory storage: {cache}")
    lines = [
        (Level.INFO, f"Server started on port {settings.PORT}"),
        stored,
        (Level.INFO, "Middleware loaded successfully"),
    ]
    return [
        LogEntry(f"start-{number}", _utc(at), level, message)
        for number, (level, message) in enumerate(lines)
    ]


def _entry(shown: ShownEvent) -> LogEntry:
    event = shown.event
    parts = [shown.title, shown.name, shown.details, shown.actor, shown.subject, shown.restaurant]
    message = " · ".join(filter(None, parts))
    return LogEntry(str(event.public_id), _utc(event.at), _level(shown), message)


def _level(shown: ShownEvent) -> Level:
    event = shown.event
    if event.outcome != Outcome.SUCCESS:
        return Level.ERROR
    if event.actor_kind == ActorKind.SYSTEM:
        return Level.INFO
    is_known = event.kind in Kind.values
    if is_known and Kind(event.kind).group in _ONLY_LOOKED:
        return Level.REQUEST
    return Level.SUCCESS


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
