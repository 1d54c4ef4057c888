"""Reading the activity log: pages of events, newest first."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.activity.kinds import Group, kinds_of
from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.common.cursors import cursor_after, moment_and_key

PAGE_SIZE = 50
ACCOUNT_PAGE_SIZE = 10  # a section of the account page
ACCOUNT_GROUPS = (Group.SIGN_IN, Group.ACCOUNT)


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Filters of the log; an empty one matches everything. `actor_id` is who acted."""

    group: str = ""
    actor_id: UUID | None = None
    restaurant_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class EventPage:
    """One page; `next_cursor` is the place of the one after it, None on the last."""

    events: list[LoggedEvent]
    next_cursor: str | None


def events_of_restaurant(
    *, restaurant: Any, filters: EventFilter | None = None, cursor: str | None = None
) -> EventPage:
    """What happened in this restaurant. A malformed cursor returns the first page."""
    own = LoggedEvent.objects.filter(restaurant_id=restaurant.pk)
    return _page(own, filters or EventFilter(), cursor)


def events_of_account(*, account: Any, cursor: str | None = None) -> EventPage:
    """The security events of an account: who signed in, and what changed about signing in."""
    kinds = [kind for group in ACCOUNT_GROUPS for kind in kinds_of(group)]
    with rls.acting_as(rls.PLATFORM):
        own = LoggedEvent.objects.filter(account_id=account.pk, kind__in=kinds)
        return _page(own, EventFilter(), cursor, size=ACCOUNT_PAGE_SIZE)


def events_of_platform(
    *, filters: EventFilter | None = None, cursor: str | None = None
) -> EventPage:
    """Everything, for staff; the caller has checked that and acts as the platform."""
    return _page(LoggedEvent.objects.all(), filters or EventFilter(), cursor)


def actors_in_restaurant(*, restaurant: Any) -> list[UUID]:
    """The accounts that acted in this restaurant, as far as the log goes back."""
    own = LoggedEvent.objects.filter(restaurant_id=restaurant.pk, actor_kind="account")
    ids = own.order_by("actor_id").values_list("actor_id", flat=True).distinct()
    return [each for each in ids if each is not None]


def has_signed_in_like_this(*, account: Any, device: str, address: str) -> bool | None:
    """Whether the account has signed in before with such a device from such a network; None if it
    has never signed in at all. `address` is truncated."""
    with rls.acting_as(rls.PLATFORM):
        earlier = LoggedEvent.objects.filter(
            account_id=account.pk, kind__in=("signed_in", "new_device")
        )
        if earlier.filter(device=device, address=address).exists():
            return True
        return False if earlier.exists() else None


def has_used_token_from(*, account_id: UUID, token_id: UUID, address: str) -> bool:
    """Whether this API token was created or used from this (truncated) address before."""
    with rls.acting_as(rls.PLATFORM):
        return LoggedEvent.objects.filter(
            account_id=account_id, object_kind="token", object_id=str(token_id), address=address
        ).exists()


def _page(
    events: QuerySet[LoggedEvent],
    filters: EventFilter,
    cursor: str | None,
    *,
    size: int = PAGE_SIZE,
) -> EventPage:
    if filters.group:
        events = events.filter(kind__in=kinds_of(filters.group))
    if filters.actor_id:
        events = events.filter(actor_id=filters.actor_id)
    if filters.restaurant_id:
        events = events.filter(restaurant_id=filters.restaurant_id)
    if before := moment_and_key(cursor):
        moment, key = before
        events = events.filter(Q(at__lt=moment) | Q(at=moment, public_id__lt=key))
    found = list(events.order_by("-at", "-public_id")[: size + 1])
    shown = found[:size]
    last = shown[-1] if len(found) > size else None
    return EventPage(shown, cursor_after(last.at, last.public_id) if last else None)
