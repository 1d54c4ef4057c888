"""Reads of a restaurant's orders for its staff: filtered pages, single orders, exports."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from django.db.models import Case, Count, Exists, F, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from apps.common import rls
from apps.common.cursors import (
    PAGE_SIZE,
    InvalidCursor,
    cursor_after,
    moment_and_key,
    moment_text,
    text_and_key,
)
from apps.preorders.models import OrderNote, PaymentOperation, PreOrder
from apps.preorders.models.querysets import FULL_REFUND_Q, PreOrderQuerySet
from apps.preorders.models.search import search_words
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    OperationKind,
    OperationStatus,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)
from apps.restaurants.models import Restaurant

SHOWN_WITH_AN_ORDER = ("offer", "sold", "pickup_slot")
NEWEST_FIRST = ("-created_at", "-pk")
EXPORT_CHUNK_ROWS = 1000  # rows that an export keeps in memory at a time


class OrderSort(StrEnum):
    """The order of the list: the newest first, or by serve day, today and the next days first and
    then the past ones, the latest first."""

    NEWEST = "newest"
    SERVE_DAY = "serve_day"


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """Filters of the order list. `day` is the serve date.

    Checkouts that ended without a card match only a search, or a filter by payment.
    """

    offer_id: UUID | None = None
    day: date | None = None
    search: str = ""
    statuses: frozenset[str] = field(default_factory=frozenset)
    payments: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class OrderListTotals:
    """Totals of all matching orders, not of one page: how many rows there are, and how many of them
    stand, with their portions."""

    rows: int
    orders: int
    portions: int


@dataclass(frozen=True, slots=True)
class ServeDay:
    """A serve day, and how many orders for it stand."""

    day: date
    orders: int
    portions: int


@dataclass(frozen=True, slots=True)
class OrderPage:
    orders: list[PreOrder]
    next_cursor: str | None
    totals: OrderListTotals
    days: list[ServeDay]
    shown_days: list[ServeDay]


# What a filter can ask for beside the payment statuses.
PARTIALLY_REFUNDED = "partially_refunded"
# A checkout that ended without a card: it never became an order.
ABANDONED_Q = Q(
    status=PreOrderStatus.CANCELLED,
    payment_status__in=sorted(CHECKOUT_STATUSES),
    source=OrderSource.WEB,
)
# Not canceled, and with a card that is held, charged, or asked to pay again.
STANDS_Q = ~Q(status=PreOrderStatus.CANCELLED) & ~Q(
    payment_status__in=sorted({*CHECKOUT_STATUSES, PaymentStatus.RELEASED, PaymentStatus.REFUNDED})
)
SERVE_DAYS_SHOWN = 14


def orders_for_restaurant(
    *,
    restaurant: Restaurant,
    filters: OrderFilter | None = None,
    sort: OrderSort = OrderSort.NEWEST,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
    now: datetime,
) -> OrderPage:
    """One page of the restaurant's orders; the first page names the serve days.

    `cursor` is the previous page's `next_cursor`. Raises InvalidCursor.
    """
    matching = _matching(restaurant, filters or OrderFilter())
    totals = matching.aggregate(
        rows=Count("pk"),
        orders=Count("pk", filter=STANDS_Q),
        portions=Coalesce(Sum("quantity", filter=STANDS_Q), 0),
    )
    by_day = sort == OrderSort.SERVE_DAY
    today = now.astimezone(restaurant.zone).date()
    position = _DayPosition.read(cursor, today=today) if by_day else None
    found = position.rest(matching) if position else _after_newest(matching, cursor)
    page = list(found[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    page = page[:limit]
    next_cursor = None
    if last:
        next_cursor = position.cursor(last) if position else cursor_after(last.created_at, last.pk)
    return OrderPage(
        orders=list(_with_restaurant(restaurant, page)),
        next_cursor=next_cursor,
        totals=OrderListTotals(**totals),
        days=[] if cursor else _serve_days(restaurant, now=now),
        shown_days=_totals_of_days(matching, {order.offer.serve_date for order in page})
        if by_day
        else [],
    )


def _after_newest(orders: PreOrderQuerySet, cursor: str | None) -> PreOrderQuerySet:
    if before := moment_and_key(cursor):
        moment, key = before
        orders = orders.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    return _newest_first(orders)


@dataclass(frozen=True, slots=True)
class _DayPosition:
    """A position in the list by serve day. `today` stays that of the first page, so that a list
    read over midnight stays one list."""

    today: date
    day: date | None = None
    moment: datetime | None = None
    key: UUID | int | None = None

    @classmethod
    def read(cls, cursor: str | None, *, today: date) -> "_DayPosition":
        """The position after which the page begins. Raises InvalidCursor."""
        if (position := text_and_key(cursor)) is None:
            return cls(today)
        text, key = position
        try:
            first, day, moment = text.split("/")
            read = cls(
                date.fromisoformat(first),
                date.fromisoformat(day),
                datetime.fromisoformat(moment),
                key,
            )
        except ValueError:
            raise InvalidCursor from None
        if not (read.moment and read.moment.tzinfo):
            raise InvalidCursor
        return read

    def cursor(self, last: PreOrder) -> str:
        moment = moment_text(last.created_at)
        return cursor_after(f"{self.today}/{last.offer.serve_date}/{moment}", last.pk)

    def rest(self, orders: PreOrderQuerySet) -> PreOrderQuerySet:
        """The orders after this position, in the list's order."""
        if self.day:
            same_day = Q(offer__serve_date=self.day)
            later = same_day & (
                Q(created_at__lt=self.moment) | Q(created_at=self.moment, pk__lt=self.key)
            )
            if self.day >= self.today:
                later |= Q(offer__serve_date__gt=self.day) | Q(offer__serve_date__lt=self.today)
            else:
                later |= Q(offer__serve_date__lt=self.day)
            orders = orders.filter(later)
        upcoming = Case(
            When(offer__serve_date__gte=self.today, then=F("offer__serve_date")), default=None
        )
        return for_people(orders).order_by(
            upcoming.asc(nulls_last=True), "-offer__serve_date", "-created_at", "-pk"
        )


def _totals_of_days(matching: PreOrderQuerySet, days: set[date]) -> list[ServeDay]:
    """The matching orders of these days; the totals of a day whose orders fill several pages are
    on each of them."""
    rows = (
        matching.filter(offer__serve_date__in=sorted(days))
        .order_by("offer__serve_date")
        .values("offer__serve_date")
        .annotate(
            orders=Count("pk", filter=STANDS_Q),
            portions=Coalesce(Sum("quantity", filter=STANDS_Q), 0),
        )
    )
    return [ServeDay(row["offer__serve_date"], row["orders"], row["portions"]) for row in rows]


def _serve_days(restaurant: Restaurant, *, now: datetime) -> list[ServeDay]:
    """Today and the next days with orders that stand, whatever the filters."""
    rows = (
        PreOrder.objects.filter(
            STANDS_Q,
            restaurant=restaurant,
            offer__serve_date__gte=now.astimezone(restaurant.zone).date(),
        )
        .exclude(customer_name="")
        .order_by("offer__serve_date")
        .values("offer__serve_date")
        .annotate(orders=Count("pk"), portions=Sum("quantity"))
    )
    return [
        ServeDay(row["offer__serve_date"], row["orders"], row["portions"])
        for row in rows[:SERVE_DAYS_SHOWN]
    ]


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
    # Without what only the list shows: counted for each row, it takes longer than all the rest.
    found = _matching(restaurant, filters).select_related(*SHOWN_WITH_AN_ORDER)
    rows = iter(found.order_by(*NEWEST_FIRST).iterator(chunk_size=EXPORT_CHUNK_ROWS))
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
    friends = PreOrder.objects.filter(
        STANDS_Q, friend_of=Coalesce(OuterRef("friend_of"), OuterRef("pk"))
    ).order_by()
    return orders.select_related(*SHOWN_WITH_AN_ORDER).annotate(
        notes_count=Coalesce(Subquery(notes.annotate(n=Count("pk")).values("n")), 0),
        # Of the guest who invited this one and others (decision 88).
        starter_name=F("friend_of__customer_name"),
        starter_status=F("friend_of__status"),
        friends_count=Coalesce(
            Subquery(friends.values("friend_of").annotate(n=Count("pk")).values("n")), 0
        ),
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
        wanted = Q(payment_status__in=sorted(filters.payments - {PARTIALLY_REFUNDED}))
        if PARTIALLY_REFUNDED in filters.payments:
            wanted |= Q(payment_status=PaymentStatus.CAPTURED, refunded_amount__gt=0)
        found = found.filter(wanted)
    elif not filters.search:
        found = found.exclude(ABANDONED_Q)
    for word in search_words(filters.search):
        found = found.filter(search_text__contains=word)
    return found


def _newest_first(orders: PreOrderQuerySet) -> PreOrderQuerySet:
    return for_people(orders).order_by(*NEWEST_FIRST)


def _with_restaurant(restaurant: Restaurant, orders: Iterable[PreOrder]) -> Iterator[PreOrder]:
    """Reuse the loaded restaurant; joining it would add 60 columns per row."""
    for order in orders:
        order.restaurant = restaurant
        order.offer.restaurant = restaurant
        yield order
