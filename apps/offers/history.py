"""A restaurant's past specials, page by page, with totals."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Lower

from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key, text_and_key
from apps.offers.models import SpecialOffer
from apps.offers.querysets import SpecialOfferQuerySet
from apps.offers.states import EXPIRED, OfferStatus
from apps.restaurants.models import Restaurant

NAME, DATE_ENTERED = "name", "date_entered"
ASCENDING, DESCENDING = "asc", "desc"


@dataclass(frozen=True, slots=True)
class PastOffer:
    """An offer at `now`. `ordered` counts all portions ever ordered, `valid` those whose cards were
    charged or, before the decision, are held (DECISIONS X15)."""

    offer: SpecialOffer
    now: datetime
    ordered: int
    valid: int


@dataclass(frozen=True, slots=True)
class HistoryCounts:
    """Totals: every past offer is expired or deleted; successful ones are expired, too."""

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
    limit: int = PAGE_SIZE,
) -> History:
    """One page of past offers in this order, with totals, in three queries.

    `cursor` is the previous page's `next_cursor`, with the same order. Names are compared
    case-insensitively. Raises InvalidCursor.
    """
    past = SpecialOffer.objects.filter(_is_past(now), restaurant=restaurant)
    descending = sort_order == DESCENDING
    rows = _page(past, sort_by, descending=descending, cursor=cursor, limit=limit)
    shown = rows[:limit]
    portions = _orders().portions_by_offer(offer.pk for offer in shown)
    entries = []
    for offer in shown:
        ordered = portions.get(offer.pk)
        entries.append(
            PastOffer(offer, now, ordered.all if ordered else 0, ordered.valid if ordered else 0)
        )
    more = len(rows) > limit
    last: Any = shown[-1] if more else None
    return History(entries, _counts(past), cursor_after(last.sorted_by, last.pk) if last else None)


def offer_to_run_again(
    *, restaurant: Restaurant, offer_id: UUID, now: datetime
) -> PastOffer | None:
    """One of the restaurant's offers, past or not, as the form that publishes it again needs it."""
    offers = SpecialOffer.objects.with_more_photos()
    offers = offers.select_related("restaurant", "photo", "alternative_dish")
    offer = offers.filter(restaurant=restaurant, pk=offer_id).first()
    if offer is None:
        return None
    portions = _orders().portions_by_offer([offer.pk]).get(offer.pk)
    return PastOffer(offer, now, portions.all if portions else 0, portions.valid if portions else 0)


def _is_past(now: datetime) -> Q:
    """An offer is past from its deadline on, even before it is closed (DECISIONS X22)."""
    return Q(status__in=sorted(EXPIRED | {OfferStatus.DELETED})) | Q(
        status=OfferStatus.ACTIVE, deadline__lte=now
    )


def _orders() -> Any:
    """The manager of pre-orders, whose model this app must not import."""
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
    past: SpecialOfferQuerySet, sort_by: str, *, descending: bool, cursor: str | None, limit: int
) -> list[SpecialOffer]:
    """One page and one more row, which tells the caller whether there is a next page."""
    offers = past.with_more_photos()
    offers = offers.select_related("restaurant", "photo", "alternative_dish")
    offers = offers.annotate(sorted_by=Lower("name") if sort_by == NAME else F("created_at"))
    after: tuple[Any, Any] | None = (
        text_and_key(cursor) if sort_by == NAME else moment_and_key(cursor)
    )
    if after:
        value, key = after
        beyond = "lt" if descending else "gt"
        offers = offers.filter(
            Q(**{f"sorted_by__{beyond}": value}) | Q(**{"sorted_by": value, f"pk__{beyond}": key})
        )
    sign = "-" if descending else ""
    return list(offers.order_by(f"{sign}sorted_by", f"{sign}pk")[: limit + 1])
