"""The restaurant's past specials: what became of each, and how many there were (A11, D2, D3)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Lower

from apps.common.cursors import cursor_after, moment_and_key, text_and_key
from apps.offers.models import SpecialOffer
from apps.offers.states import EXPIRED, OfferStatus
from apps.restaurants.models import Restaurant

PAGE = 50
NAME, DATE_ENTERED = "name", "date_entered"
ASCENDING, DESCENDING = "asc", "desc"


@dataclass(frozen=True, slots=True)
class PastOffer:
    """An offer at the moment `now`, with the portions ever ordered of it and those of them whose
    cards were charged, or are held while it is being decided (DECISIONS X15)."""

    offer: SpecialOffer
    now: datetime
    ordered: int
    valid: int


@dataclass(frozen=True, slots=True)
class HistoryCounts:
    """All past offers: each is expired or deleted; the successful are among the expired."""

    total: int
    successful: int
    expired: int
    deleted: int


@dataclass(frozen=True, slots=True)
class History:
    entries: list[PastOffer]
    counts: HistoryCounts
    next_cursor: str | None


def history_of(
    *,
    restaurant: Restaurant,
    now: datetime,
    sort_by: str = DATE_ENTERED,
    sort_order: str = DESCENDING,
    cursor: str | None = None,
) -> History:
    """One page of the past offers in that order, and the counts of all: three statements.

    `cursor` is a former page's `next_cursor` in the same order; one that cannot be read begins
    anew. Names are compared without regard to case.
    """
    past = SpecialOffer.objects.filter(_is_past(now), restaurant=restaurant)
    found = _page(past, sort_by, descending=sort_order == DESCENDING, cursor=cursor)
    shown = found[:PAGE]
    portions = _orders().portions_by_offer(offer.pk for offer in shown)
    entries = []
    for offer in shown:
        ordered = portions.get(offer.pk)
        entries.append(
            PastOffer(offer, now, ordered.all if ordered else 0, ordered.valid if ordered else 0)
        )
    more = len(found) > PAGE
    last: Any = shown[-1] if more else None
    return History(entries, _counts(past), cursor_after(last.sorted_by, last.pk) if last else None)


def _is_past(now: datetime) -> Q:
    """Expired for everybody at the deadline, however soon it is closed (DECISIONS X22)."""
    return Q(status__in=sorted(EXPIRED | {OfferStatus.DELETED})) | Q(
        status=OfferStatus.ACTIVE, deadline__lte=now
    )


def _orders() -> Any:
    """The orders of offers, whose model is not this app's to import."""
    return SpecialOffer._meta.get_field("pre_orders").related_model._default_manager


def _counts(past: QuerySet[SpecialOffer]) -> HistoryCounts:
    deleted = Q(status=OfferStatus.DELETED)
    return HistoryCounts(
        **past.aggregate(
            total=Count("pk"),
            successful=Count("pk", filter=Q(status=OfferStatus.SUCCEEDED)),
            expired=Count("pk", filter=~deleted),
            deleted=Count("pk", filter=deleted),
        )
    )


def _page(
    past: QuerySet[SpecialOffer], sort_by: str, *, descending: bool, cursor: str | None
) -> list[SpecialOffer]:
    """One more than fits, so that the caller sees whether there is a next page."""
    offers = past.select_related("restaurant", "photo", "alternative_dish")
    offers = offers.annotate(sorted_by=Lower("name") if sort_by == NAME else F("created_at"))
    after = text_and_key(cursor) if sort_by == NAME else moment_and_key(cursor)
    if after:
        value, key = after
        beyond = "lt" if descending else "gt"
        offers = offers.filter(
            Q(**{f"sorted_by__{beyond}": value}) | Q(**{"sorted_by": value, f"pk__{beyond}": key})
        )
    sign = "-" if descending else ""
    return list(offers.order_by(f"{sign}sorted_by", f"{sign}pk")[: PAGE + 1])
