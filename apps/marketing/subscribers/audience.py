"""The restaurant's own list of followers: reading, removing, exporting."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.csv_files import csv_chunks, harmless
from apps.common.errors import NotFound
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant

PAGE_SIZE = 50
GONE = "This follower isn't on your list anymore."
Status = Subscriber.Status
# Rows that only say whether somebody wants reminders aren't followers.
LISTED = (Status.CONFIRMED, Status.PENDING, Status.UNSUBSCRIBED, Status.SUPPRESSED)


@dataclass(frozen=True, slots=True)
class AudiencePage:
    """A page of followers, newest first; `number` counts from 1."""

    followers: list[Subscriber]
    number: int
    has_next: bool


@dataclass(frozen=True, slots=True)
class AudienceCounts:
    """How many addresses follow, and why the others don't."""

    confirmed: int
    pending: int
    unsubscribed: int
    suppressed: int


def audience_counts(restaurant: Restaurant) -> AudienceCounts:
    """The counts of the whole list."""
    counted = Subscriber.objects.filter(restaurant=restaurant).aggregate(
        **{str(each): Count("pk", filter=Q(status=each)) for each in LISTED}
    )
    return AudienceCounts(**counted)


def audience_page(
    restaurant: Restaurant, *, search: str = "", status: str = "", number: int = 1
) -> AudiencePage:
    """One page of the list; `search` is part of an address or a name."""
    found = Subscriber.objects.filter(restaurant=restaurant, status__in=LISTED)
    if status in LISTED:
        found = found.filter(status=status)
    if search := search.strip().replace("\0", ""):
        found = found.filter(Q(email__icontains=search) | Q(name__icontains=search))
    start = (number - 1) * PAGE_SIZE
    rows = found.order_by("-changed_at", "pk")[start : start + PAGE_SIZE + 1]
    page = list(rows)
    return AudiencePage(page[:PAGE_SIZE], number, len(page) > PAGE_SIZE)


@transaction.atomic
def remove_follower(*, restaurant: Restaurant, subscriber_id: UUID, now: datetime) -> None:
    """Delete a follower from the list, with the proof of consent.

    Addresses that unsubscribed or can't be emailed stay in the table, or an import would email them
    again. Raises NotFound.
    """
    removable = Subscriber.objects.filter(
        restaurant=restaurant, pk=subscriber_id, status__in=[Status.CONFIRMED, Status.PENDING]
    )
    if not removable.delete()[0]:
        raise NotFound(GONE)
    record(
        Kind.FOLLOWER_REMOVED,
        restaurant=restaurant,
        about=("subscriber", subscriber_id),
        now=now,
    )


COLUMNS = ("Email", "Name", "Status", "Language", "Since", "How", "Where", "Words agreed to")


def export_audience(restaurant: Restaurant, *, now: datetime) -> Iterator[bytes]:
    """The whole list as CSV, with each proof of consent; no text is read as a formula.

    Noted in the activity log.
    """
    rows = list(
        Subscriber.objects.filter(restaurant=restaurant, status__in=LISTED).order_by("email")
    )
    record(Kind.AUDIENCE_EXPORTED, restaurant=restaurant, followers=len(rows), now=now)
    return csv_chunks(_cells(rows, restaurant))


def _cells(rows: list[Subscriber], restaurant: Restaurant) -> Iterator[Iterable[str]]:
    yield COLUMNS
    for each in rows:
        since = each.consent_at.astimezone(restaurant.zone) if each.consent_at else None
        cells = (
            each.email,
            each.name,
            each.get_status_display(),
            each.language,
            since.isoformat(sep=" ", timespec="minutes") if since else "",
            each.get_source_display(),
            each.consent_context,
            each.consent_words,
        )
        yield [cell if index == 4 else harmless(cell) for index, cell in enumerate(cells)]
