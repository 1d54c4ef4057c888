"""The queries that everyone waits for, among 1,000, 10,000, and 100,000 restaurants.

The rows are copies of one restaurant's, made with set-based SQL in a transaction that is rolled
back. What grows with the number of restaurants shows as a slope; most should stay level, because
every query asks for one restaurant or reads a partial index.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median

from django.db import connection, transaction

from apps.common import clock, rls
from apps.integrations.delivery import due_endpoints
from apps.integrations.models import WebhookEndpoint
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.preorders.checkout.acceptance import check_portions
from apps.preorders.checkout.services import GuestDetails, OrderRequest, reserve
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import price_order
from apps.preorders.models import PreOrder
from apps.preorders.settlement import deadline, worker
from apps.restaurants import hosts
from apps.restaurants.models import Domain, Restaurant
from benchmarks.copies import insert_copies
from benchmarks.figures import Figure, holds
from benchmarks.scene import Scene
from tests.factories import PreOrderFactory, SpecialOfferFactory

SIZES = (1_000, 10_000, 100_000)
SPECIALS, ORDERS = 3, 2  # of each restaurant; orders of each special
TIMES = 15
LARGEST_SLOPE = 3  # from the smallest size to the largest; and whatever takes less than…
LEVEL_MS = 2
EVENING = 10_000  # orders a minute


class _Undo(Exception):
    """Raised to roll everything back."""


def measure(scene: Scene) -> list[Figure]:
    figures: list[Figure] = []
    try:
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            _measure(scene, figures)
            raise _Undo
    except _Undo:
        return figures


def _measure(scene: Scene, figures: list[Figure]) -> None:
    now = clock.now()
    special = SpecialOfferFactory(
        restaurant=scene.restaurant, deadline=now + timedelta(days=1), min_preorders=3
    )
    order = PreOrderFactory(restaurant=scene.restaurant, offer=special)
    domain = Domain.objects.filter(tenant=scene.restaurant).first()
    assert domain is not None
    found: dict[str, list[float]] = {}
    seconds, rows = 0.0, 0
    filled = 0
    for size in SIZES:
        begun = time.perf_counter()
        rows += _fill(scene.restaurant, domain, special, order, filled, size)
        seconds += time.perf_counter() - begun
        filled = size
        for what, query in _queries(scene.restaurant, special).items():
            found.setdefault(what, []).append(_milliseconds(query))
    figures += [_figure(what, times) for what, times in found.items()]
    figures.append(Figure(f"filling {rows:,} rows", f"{seconds:,.0f} s"))
    each = found["reserving an order"][-1]
    busy = EVENING / 60 * each / 1000
    figures.append(Figure(f"connections that {EVENING:,} orders a minute keep busy", f"{busy:.1f}"))


def _queries(restaurant: Restaurant, special: SpecialOffer) -> dict[str, Callable[[], object]]:
    now = clock.now()
    own = SpecialOffer.objects.filter(restaurant=restaurant)
    orders = PreOrder.objects.filter(restaurant=restaurant)
    return {
        "a host's restaurant": lambda: hosts._look_up(f"r-500.{restaurant.subdomain}"),
        "a restaurant's open specials": lambda: list(
            own.filter(status="active", deadline__gt=now).order_by("deadline")[:50]
        ),
        "its newest orders": lambda: list(orders.order_by("-created_at")[:50]),
        "counting a special's portions": lambda: special.pre_orders.reserving().portions(),
        "specials past their deadline": lambda: deadline.due_offers(now=now),
        "payment operations that are due": lambda: worker.due_operations(now=now),
        "webhooks with something due": lambda: due_endpoints(now=now),
        "reserving an order": lambda: _reserve(special),
    }


def _reserve(special: SpecialOffer) -> None:
    """The rows that an order writes before the call to Stripe."""
    now = clock.now()
    guest = GuestDetails("Dana Guest", "dana@example.test", "+1 212 555 0199")
    with rls.acting_as(special.restaurant_id):
        offer = lock_offer(special.pk)
        taken = check_portions(offer, 1, now)
        price = price_order(offer, 1)
        reserve(offer, OrderRequest(1, guest, ""), price, expires_at=special.deadline, now=now)
        save_counts(offer, ordered=offer.ordered_portions, reserved=taken + 1, now=clock.now())


def _milliseconds(query: Callable[[], object]) -> float:
    """How long the query takes. It is then rolled back, which isn't timed: PostgreSQL looks at each
    foreign key that the transaction has yet to check, and filling the tables left more than a
    million (AfterTriggerEndSubXact in https://doxygen.postgresql.org/trigger_8c_source.html)."""
    took = []
    for _ in range(TIMES + 1):
        saved = transaction.savepoint()
        begun = time.perf_counter()
        query()
        took.append(1000 * (time.perf_counter() - begun))
        transaction.savepoint_rollback(saved)
    return median(took[1:])  # the first one fills caches


def _figure(what: str, times: list[float]) -> Figure:
    shown = " → ".join(f"{each:.2f}" for each in times)
    reached = times[-1] <= max(LEVEL_MS, LARGEST_SLOPE * times[0])
    target = f"≤ {LARGEST_SLOPE} times the first, or {LEVEL_MS} ms"
    return holds(f"{what}, ms", measured=shown, target=target, reached=reached)


def _fill(
    restaurant: Restaurant,
    domain: Domain,
    special: SpecialOffer,
    order: PreOrder,
    already: int,
    size: int,
) -> int:
    """Make it `size` restaurants with hosts, specials, orders, and webhooks; returns the rows."""
    subdomain = restaurant.subdomain
    endpoint, _ = WebhookEndpoint.objects.get_or_create(
        restaurant=restaurant,
        url="https://example.com/",
        defaults={
            "event_types": ["order.placed"],
            "secret": "x",
            "not_before": clock.now(),
            "created_at": clock.now(),
        },
    )
    key = "md5('{0}' || n::text{1})::uuid"
    rows = insert_copies(
        restaurant,
        f"generate_series({already + 1}, {size}) AS n",
        id=key.format("r", ""),
        schema_name="'s_' || n",
        name="'Restaurant ' || n",
        email="'r' || n || '@example.test'",
        slug="'r-' || n",
        subdomain="'r-' || n",
    )
    rows += insert_copies(
        domain,
        f"generate_series({already + 1}, {size}) AS n",
        id="1000000 + n",
        tenant_id=key.format("r", ""),
        domain=f"'r-' || n || '.{subdomain}'",
    )
    rows += insert_copies(
        endpoint,
        f"generate_series({already + 1}, {size}) AS n",
        id=key.format("e", ""),
        restaurant_id=key.format("r", ""),
    )
    specials = f"generate_series({already + 1}, {size}) AS n, generate_series(1, {SPECIALS}) AS s"
    rows += insert_copies(
        special,
        specials,
        id=key.format("o", " || '-' || s"),
        restaurant_id=key.format("r", ""),
        # One of three is open; the others were decided.
        status="CASE WHEN s = 1 THEN 'active' ELSE 'succeeded' END",
        deadline="now() + (2 - s) * interval '1 week' + n * interval '1 second'",
    )
    rows += insert_copies(
        order,
        f"{specials}, generate_series(1, {ORDERS}) AS o",
        id="gen_random_uuid()",
        restaurant_id=key.format("r", ""),
        offer_id=key.format("o", " || '-' || s"),
        share_code="n || '-' || s || '-' || o",
        payment_intent_id="'pi_' || n || '-' || s || '-' || o",
        checkout_session_id="'cs_' || n || '-' || s || '-' || o",
        created_at="now() - (n % 100000) * interval '1 minute'",
    )
    with connection.cursor() as cursor:
        for row in (restaurant, domain, endpoint, special, order):
            cursor.execute(f'ANALYZE "{row._meta.db_table}"')
    return rows
