"""Reads of a restaurant's orders for its staff: filtered pages, single orders, exports."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.common import rls
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.preorders.models import OrderNote, PaymentOperation, PreOrder
from apps.preorders.models.querysets import FULL_REFUND_Q, PreOrderQuerySet
from apps.preorders.models.search import search_words
from apps.preorders.models.states import OperationKind, OperationStatus, PaymentStatus
from apps.restaurants.models import Restaurant

EXPORT_CHUNK_ROWS = 1000  # rows that an export keeps in memory at a time


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """Filters of the order list; an empty one matches everything. `day` is the serve date."""

    offer_id: UUID | None = None
    day: date | None = None
    search: str = ""
    statuses: frozenset[str] = field(default_factory=frozenset)
    payments: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class OrderListTotals:
    """Totals of all matching orders, not of one page."""

    orders: int
    portions: int


@dataclass(frozen=True, slots=True)
class OrderPage:
    orders: list[PreOrder]
    next_cursor: str | None
    totals: OrderListTotals


def orders_for_restaurant(
    *,
    restaurant: Restaurant,
    filters: OrderFilter | None = None,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> OrderPage:
    """One page of the restaurant's orders, newest first.

    `cursor` is the previous page's `next_cursor`. Raises InvalidCursor.
    """
    found = _matching(restaurant, filters or OrderFilter())
    totals = found.aggregate(orders=Count("pk"), portions=Coalesce(Sum("quantity"), 0))
    if before := moment_and_key(cursor):
        moment, key = before
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    page = list(_newest_first(found)[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    return OrderPage(
        orders=list(_with_restaurant(restaurant, page[:limit])),
        next_cursor=cursor_after(last.created_at, last.pk) if last else None,
        totals=OrderListTotals(**totals),
    )


def failed_payments(*, restaurant: Restaurant) -> int:
    """The number of orders whose charge failed and that can still be paid by link."""
    return PreOrder.objects.filter(
        restaurant=restaurant, payment_status=PaymentStatus.CAPTURE_FAILED
    ).count()


def order_for_restaurant(*, restaurant: Restaurant, order_id: UUID) -> PreOrder | None:
    """One order; None if it doesn't belong to the restaurant."""
    found = for_people(PreOrder.objects.filter(restaurant=restaurant, pk=order_id)).first()
    return next(_with_restaurant(restaurant, [found])) if found else None


def every_order(*, restaurant: Restaurant, filters: OrderFilter) -> Iterator[PreOrder]:
    """All matching orders, newest first, streamed from one query.

    It runs while the response is being sent, after the view that acted as the restaurant has
    returned, so it acts as the restaurant itself while it fetches each row.
    """
    rows = iter(
        _newest_first(_matching(restaurant, filters)).iterator(chunk_size=EXPORT_CHUNK_ROWS)
    )
    while True:
        with rls.acting_as(restaurant):
            order = next(rows, None)
        if order is None:
            return
        yield from _with_restaurant(restaurant, [order])


def count_orders(*, restaurant: Restaurant, filters: OrderFilter) -> int:
    """The number of matching orders."""
    return _matching(restaurant, filters).count()


def for_people(orders: PreOrderQuerySet) -> PreOrderQuerySet:
    """The orders with everything that a row of the list shows, in one query."""
    notes = OrderNote.objects.filter(pre_order=OuterRef("pk")).order_by().values("pre_order")
    moving = PaymentOperation.objects.filter(
        pre_order=OuterRef("pk"), state=OperationStatus.PENDING
    ).exclude(kind=OperationKind.FORGET)
    return orders.select_related("offer", "sold", "pickup_slot").annotate(
        notes_count=Coalesce(Subquery(notes.annotate(n=Count("pk")).values("n")), 0),
        # A payment operation is pending, so cancel and refund aren't offered.
        has_pending_payment=Exists(moving),
        being_refunded=Exists(moving.filter(FULL_REFUND_Q)),
    )


def _matching(restaurant: Restaurant, filters: OrderFilter) -> PreOrderQuerySet:
    # Cart items without a name aren't orders yet (DECISIONS X24).
    found = PreOrder.objects.filter(restaurant=restaurant).exclude(customer_name="")
    if filters.offer_id:
        found = found.filter(offer_id=filters.offer_id)
    if filters.day:
        found = found.filter(offer__serve_date=filters.day)
    if filters.statuses:
        found = found.filter(status__in=sorted(filters.statuses))
    if filters.payments:
        found = found.filter(payment_status__in=sorted(filters.payments))
    for word in search_words(filters.search):
        found = found.filter(search_text__contains=word)
    return found


def _newest_first(orders: PreOrderQuerySet) -> PreOrderQuerySet:
    return for_people(orders).order_by("-created_at", "-pk")


def _with_restaurant(restaurant: Restaurant, orders: Iterable[PreOrder]) -> Iterator[PreOrder]:
    """Reuse the loaded restaurant; joining it would add 60 columns per row."""
    for order in orders:
        order.restaurant = restaurant
        order.offer.restaurant = restaurant
        yield order
