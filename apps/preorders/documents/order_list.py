"""The restaurant's orders as its people look for them: one question, one page, one order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.common import rls
from apps.common.cursors import cursor_after, moment_and_key
from apps.preorders.models import OrderNote, PaymentOperation, PreOrder
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.search import search_words
from apps.preorders.models.states import OperationStatus, PaymentStatus
from apps.restaurants.models import Restaurant

PAGE_SIZE = 50
CHUNK = 1000  # rows an export holds in memory at a time


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """What is asked for; an empty one asks for everything. `day` is the serve day."""

    offer_id: UUID | None = None
    day: date | None = None
    search: str = ""
    statuses: frozenset[str] = field(default_factory=frozenset)
    payments: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class OrderListTotals:
    """Of everything the filter finds, not of one page."""

    orders: int
    portions: int


@dataclass(frozen=True, slots=True)
class OrderPage:
    orders: list[PreOrder]
    next_cursor: str | None
    totals: OrderListTotals


def orders_for_restaurant(
    *, restaurant: Restaurant, asked: OrderFilter | None = None, cursor: str | None = None
) -> OrderPage:
    """One page of the restaurant's orders, newest first. `cursor` is a former page's
    `next_cursor`; one that cannot be read begins anew."""
    found = _matching(restaurant, asked or OrderFilter())
    totals = found.aggregate(orders=Count("pk"), portions=Coalesce(Sum("quantity"), 0))
    if before := moment_and_key(cursor):
        moment, key = before
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    page = list(_newest_first(found)[: PAGE_SIZE + 1])
    last = page[PAGE_SIZE - 1] if len(page) > PAGE_SIZE else None
    return OrderPage(
        orders=list(_of(restaurant, page[:PAGE_SIZE])),
        next_cursor=cursor_after(last.created_at, last.pk) if last else None,
        totals=OrderListTotals(**totals),
    )


def failed_payments(*, restaurant: Restaurant) -> int:
    """How many orders' cards were declined and can still be paid in another way."""
    return PreOrder.objects.filter(
        restaurant=restaurant, payment_status=PaymentStatus.CAPTURE_FAILED
    ).count()


def order_for_restaurant(*, restaurant: Restaurant, order_id: UUID) -> PreOrder | None:
    """One order of the restaurant; None when it is not the restaurant's."""
    found = for_people(PreOrder.objects.filter(restaurant=restaurant, pk=order_id)).first()
    return next(_of(restaurant, [found])) if found else None


def orders_by_id(*, restaurant: Restaurant, ids: Iterable[UUID]) -> list[PreOrder]:
    """Those of `ids` that are the restaurant's, as the list shows them."""
    found = for_people(PreOrder.objects.filter(restaurant=restaurant, pk__in=list(ids)))
    return list(_of(restaurant, found))


def every_order(*, restaurant: Restaurant, asked: OrderFilter) -> Iterator[PreOrder]:
    """All that the filter finds, newest first, in one statement and with little in memory.

    Read while an answer is being sent, when the view that acted as the restaurant has returned: so
    it acts as the restaurant itself, for as long as it takes to fetch the next row and no longer.
    """
    rows = iter(_newest_first(_matching(restaurant, asked)).iterator(chunk_size=CHUNK))
    while True:
        with rls.acting_as(restaurant):
            order = next(rows, None)
        if order is None:
            return
        yield from _of(restaurant, [order])


def how_many(*, restaurant: Restaurant, asked: OrderFilter) -> int:
    """The number of orders that the filter finds."""
    return _matching(restaurant, asked).count()


def for_people(orders: PreOrderQuerySet) -> PreOrderQuerySet:
    """With everything a line of the list shows, in one statement."""
    notes = OrderNote.objects.filter(pre_order=OuterRef("pk")).order_by().values("pre_order")
    moving = PaymentOperation.objects.filter(
        pre_order=OuterRef("pk"), state=OperationStatus.PENDING
    )
    return orders.select_related("offer__alternative_dish", "pickup_slot").annotate(
        notes_count=Coalesce(Subquery(notes.annotate(n=Count("pk")).values("n")), 0),
        # Something is being done with its money: nothing else may be begun.
        money_moves=Exists(moving),
    )


def _matching(restaurant: Restaurant, asked: OrderFilter) -> PreOrderQuerySet:
    # A cart may be begun before anybody's name is known; until then it is no order (X24).
    found = PreOrder.objects.filter(restaurant=restaurant).exclude(customer_name="")
    if asked.offer_id:
        found = found.filter(offer_id=asked.offer_id)
    if asked.day:
        found = found.filter(offer__serve_date=asked.day)
    if asked.statuses:
        found = found.filter(status__in=sorted(asked.statuses))
    if asked.payments:
        found = found.filter(payment_status__in=sorted(asked.payments))
    for word in search_words(asked.search):
        found = found.filter(search_text__contains=word)
    return found


def _newest_first(orders: PreOrderQuerySet) -> PreOrderQuerySet:
    return for_people(orders).order_by("-created_at", "-pk")


def _of(restaurant: Restaurant, orders: Iterable[PreOrder]) -> Iterator[PreOrder]:
    """The restaurant is known already: sixty columns a row less to read."""
    for order in orders:
        order.restaurant = restaurant
        order.offer.restaurant = restaurant
        yield order
