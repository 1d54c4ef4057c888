"""Writing the activity log.

`record` is called by the service that does what it records, inside its transaction: both are
written or neither. What repeats without end (refusals, wrong passwords for unknown accounts) is
written by `record_repeated`, whose rows grow with the logarithm of the attempts.
"""

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models.functions import Now

from apps.activity.kinds import Kind
from apps.activity.models import ActorKind, LoggedEvent, Outcome
from apps.common import clock, rls
from apps.common.browsers import browser_name
from apps.common.client_address import client_address, truncated
from apps.common.request_log import current_request, current_request_id

logger = logging.getLogger("security")

Detail = str | int | bool | Sequence[str]
REPETITION_WINDOW = timedelta(days=1)
DELETED_AT_ONCE = 5000  # rows
# Codes, ids, numbers, routes: no space and no @, so that no text and no email address passes.
_CODE = re.compile(r"[!-?A-~]{0,120}")


class NotACode(ValueError):
    """A detail is a text; only codes, ids, numbers, and lists of them are logged."""


def record(
    kind: Kind,
    *,
    restaurant: Any = None,
    account: Any = None,
    actor: Any = None,
    about: tuple[str, object] | None = None,
    outcome: str = Outcome.SUCCESS,
    by_guest: bool = False,
    now: datetime | None = None,
    **details: Detail,
) -> LoggedEvent:
    """Write one event and its line in the security log.

    `restaurant` and `account` (rows or ids) are whom it concerns. `actor` is the user who acted;
    without one it is the signed-in user of the request under way, with `by_guest` its guest, and in
    tasks and commands the program itself. `about` is the object's kind and id. Raises NotACode.
    """
    for value in details.values():
        _check(value)
    who, actor_kind = _actor(actor, by_guest=by_guest)
    request = current_request()
    at = now or clock.now()
    event = LoggedEvent(
        at=at,
        expires_at=at + kind.retention,
        kind=kind,
        outcome=outcome,
        actor_kind=actor_kind,
        actor_id=who,
        account_id=_id(account),
        restaurant_id=_id(restaurant),
        object_kind=about[0] if about else "",
        object_id=str(about[1]) if about else "",
        address=truncated(client_address(request)) if request else "",
        device=browser_name(request.headers.get("User-Agent", ""))[:80] if request else "",
        request_id=current_request_id(),
        details={
            name: value if isinstance(value, (str, int)) else list(value)
            for name, value in details.items()
        },
    )
    # An event of a restaurant is written as that restaurant, so that row-level security checks it.
    with rls.acting_as(event.restaurant_id or rls.PLATFORM):
        event.save(force_insert=True)
    _log(event)
    return event


def record_repeated(
    kind: Kind, *, key: str, once_in: timedelta = REPETITION_WINDOW, **facts: Any
) -> LoggedEvent | None:
    """Write the 1st, 10th, 100th, … occurrence of what has this key, with its count.

    Counted in the cache for `once_in`, so it leaves a handful of rows even if it happens often.
    """
    digest = hashlib.sha256(f"{kind}:{key}".encode()).hexdigest()
    count = _count(f"activity:{digest}", once_in)
    if not _is_power_of_ten(count):
        return None
    return record(kind, **facts, count=count)


def delete_expired_activity(now: datetime) -> int:
    """Delete the events whose retention is over; returns how many. For the nightly job.

    The database refuses to delete any other, by its own clock.
    """
    deleted = 0
    with rls.acting_as(rls.PLATFORM):
        while True:
            expired = LoggedEvent.objects.filter(expires_at__lte=now).filter(expires_at__lte=Now())
            ids = list(
                expired.order_by("expires_at").values_list("pk", flat=True)[:DELETED_AT_ONCE]
            )
            if not ids:
                return deleted
            deleted += LoggedEvent.objects.filter(pk__in=ids)._raw_delete("default")


def _actor(actor: Any, *, by_guest: bool) -> tuple[UUID | None, str]:
    request = current_request()
    if actor is None and not by_guest and request is not None:
        user = getattr(request, "user", None)
        actor = user if user is not None and user.is_authenticated else None
    if actor is not None:
        return actor.pk, ActorKind.STAFF if actor.is_staff else ActorKind.ACCOUNT
    return None, ActorKind.GUEST if by_guest or request is not None else ActorKind.SYSTEM


def _id(row: Any) -> UUID | None:
    if row is None or isinstance(row, UUID):
        return row
    found: UUID = row.pk
    return found


def _check(value: Detail) -> None:
    for each in [value] if isinstance(value, (str, int)) else value:
        if isinstance(each, str) and not _CODE.fullmatch(each):
            raise NotACode(each)


def _count(key: str, window: timedelta) -> int:
    seconds = int(window.total_seconds())
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # the window ended between the two calls
        cache.set(key, 1, seconds)
        return 1


def _is_power_of_ten(count: int) -> bool:
    return str(count).rstrip("0") == "1"


def _log(event: LoggedEvent) -> None:
    line: Mapping[str, object] = {
        "message": "security event",
        "event": str(event.kind),
        "outcome": str(event.outcome),
        "actor_kind": str(event.actor_kind),
        "actor_id": str(event.actor_id or ""),
        "subject_id": str(event.account_id or ""),
        "restaurant_id": str(event.restaurant_id or ""),
        "object_kind": event.object_kind,
        "object_id": event.object_id,
        "details": event.details,
    }
    logger.info(line)
