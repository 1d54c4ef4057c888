"""Pages that list data: queries by number of rows, and response times of a long list."""

import gzip
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.preorders.core.links import order_token, waitlist_entry_path
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.restaurants.models import Restaurant
from benchmarks.figures import Figure, holds, shown
from benchmarks.scene import Scene
from tests.client import Visitors
from tests.factories import (
    MembershipFactory,
    PreOrderFactory,
    RestaurantFactory,
    SpecialOfferFactory,
    UserFactory,
)

ROWS = (1, 10, 100)
MANY = 5_000
TIMES = 15


class _Undo(Exception):
    """Raised to roll the rows back."""


@contextmanager
def _undone() -> Iterator[None]:
    try:
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            yield
            raise _Undo
    except _Undo:
        pass


@dataclass(frozen=True)
class Shop:
    """A restaurant with a given number of specials, and of orders for the first one."""

    restaurant: Restaurant
    owner: User
    offers: list[SpecialOffer]
    orders: list[PreOrder]
    place: WaitlistEntry

    @classmethod
    def with_rows(cls, rows: int) -> "Shop":
        # On the plan that has analytics.
        restaurant = RestaurantFactory(subdomain=f"rows{rows}", subscription_tier="branded")
        owner = UserFactory()
        MembershipFactory(user=owner, restaurant=restaurant)
        offers = SpecialOfferFactory.create_batch(rows, restaurant=restaurant)
        orders = PreOrderFactory.build_batch(rows, offer=offers[0], restaurant=restaurant)
        places = [
            WaitlistEntry(
                restaurant=restaurant,
                offer=offers[0],
                name=f"Guest {place}",
                email=f"guest{place}@example.test",
                portions=1,
                joined_at=offers[0].created_at,
            )
            for place in range(rows)
        ]
        waiting = WaitlistEntry.objects.bulk_create(places)
        return cls(restaurant, owner, offers, PreOrder.objects.bulk_create(orders), waiting[0])

    def requests(self) -> dict[str, tuple[Client, str]]:
        """Each page's client and path. A query string bypasses the page cache."""
        visitors = Visitors()
        guest, owner = visitors(at=self.restaurant), visitors(self.owner)
        in_cart = "ids=" + ",".join(str(offer.pk) for offer in self.offers[:10])
        return {
            "specials page": (guest, "/specials?afresh=1"),
            "offer page": (guest, f"/specials/{self.offers[0].pk}?afresh=1"),
            "confirmation": (guest, f"/pre-order-confirmation?preorder={self.orders[0].pk}"),
            "an order's own page": (guest, f"/order/{order_token(self.orders[0])}"),
            "find-order": (guest, "/find-order"),
            "the waitlist page": (guest, waitlist_entry_path(self.place)),
            "cart of 10": (guest, f"/api/cart/offers?{in_cart}"),
            "dashboard": (owner, "/restaurant"),
            "/api/specials/available": (guest, "/api/specials/available"),
            "/api/orders": (owner, "/api/orders"),
        }


def measure(scene: Scene) -> list[Figure]:
    measured = {rows: _pages(rows) for rows in ROWS}
    figures = []
    for name in measured[ROWS[0]]:
        found = [measured[rows][name] for rows in ROWS]
        counts = [page.queries for page in found]
        at = f"{name} at {', '.join(map(str, ROWS))} rows"
        figures.append(
            holds(
                f"queries of {at}",
                measured=", ".join(map(str, counts)),
                target="constant",
                reached=len(set(counts)) == 1,
            )
        )
        sizes = ", ".join(shown(page.kilobytes) for page in found)
        figures.append(Figure(f"KB gz of {at}", sizes))
    return [*figures, *_long_list()]


@dataclass(frozen=True)
class Page:
    """What a page costs: its queries and its size."""

    queries: int
    kilobytes: float  # compressed


def _pages(rows: int) -> dict[str, Page]:
    pages = {}
    with _undone():
        for name, (client, path) in Shop.with_rows(rows).requests().items():
            _get(client, path)  # warm-up: caches hosts and content types
            with CaptureQueriesContext(connection) as captured:
                answer = _get(client, path)
            pages[name] = Page(len(captured), len(gzip.compress(answer.content)) / 1000)
    return pages


def _get(client: Client, path: str) -> Any:
    with rls.acting_as(None):
        response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answered {response.status_code}.")
    return response


def _long_list() -> list[Figure]:
    """Response times of one offer's long order list: search, export, and changes."""
    with _undone():
        shop = Shop.with_rows(1)
        more = PreOrderFactory.build_batch(MANY, offer=shop.offers[0], restaurant=shop.restaurant)
        for place, order in enumerate(more):
            order.customer_name = f"Guest {place}"
            order.customer_email = f"guest{place}@example.test"
        PreOrder.objects.bulk_create(more, batch_size=1000)
        with connection.cursor() as cursor:  # as autovacuum does after so many rows
            cursor.execute("ANALYZE preorders_preorder")
        client, _ = shop.requests()["/api/orders"]
        offer = f"offer={shop.offers[0].pk}"
        code = more[MANY // 2].code
        timed = {
            "/api/orders": f"/api/orders?{offer}",
            "searched by name": f"/api/orders?{offer}&q=guest+{MANY - 7}",
            "searched by code": f"/api/orders?{offer}&q={code}",
            "searched without a result": f"/api/orders?{offer}&q=nobody",
            "looked up at the door": f"/api/pick-up?code={code}",
            "asked for changes": "/api/orders/changes",
            "analytics page": "/restaurant/analytics",
        }
        found = [(name, _median_time(client, path, TIMES)) for name, path in timed.items()]
        for kind in ("csv", "xlsx"):
            path = f"/api/orders/export?format={kind}&{offer}"
            found.append((f"exported as {kind}", _median_time(client, path, 3)))
    return [
        Figure(f"{name}, {MANY:,} orders on one offer", shown(took, " ms")) for name, took in found
    ]


def _median_time(client: Client, path: str, times: int) -> float:
    """Median time to the complete response, in milliseconds."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        _get(client, path).getvalue()
        took.append(1000 * (time.perf_counter() - begun))
    return median(took)
