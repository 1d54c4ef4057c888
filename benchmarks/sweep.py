"""The closing sweep over every offer there ever was."""

import time
from statistics import median

from django.db import connection, transaction

from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from apps.preorders.settlement import deadline
from benchmarks.figures import Figure, at_most, holds
from benchmarks.scene import Scene

OFFERS, DUE = 100_000, 50
MS = 50
INDEX = "offers_undecided"
TIMES = 25

# A tenth is still open; the rest is history.
_FILL = """
INSERT INTO offers_specialoffer (id, restaurant_id, name, description, regular_price, special_price,
    serve_date, deadline, min_preorders, max_per_order, has_alternative, revenue_share_rate, status,
    created_at, ordered_portions, reserved_portions)
SELECT gen_random_uuid(), %(restaurant)s, 'Offer ' || n, '', 30, 24, current_date,
    CASE WHEN n <= %(due)s THEN now() - n * interval '1 second'
         WHEN n %% 10 = 0 THEN now() + n * interval '1 minute'
         ELSE now() - n * interval '1 hour' END,
    3, 20, false, 0,
    CASE WHEN n <= %(due)s OR n %% 10 = 0 THEN 'active' ELSE 'succeeded' END,
    now() - interval '30 days', 0, 0
FROM generate_series(1, %(offers)s) AS n
"""


class _Undo(Exception):
    """Takes the offers back."""


def measure(scene: Scene) -> list[Figure]:
    """In a transaction that is rolled back, so that the running workers never see the offers."""
    figures: list[Figure] = []
    try:
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            _fill(scene)
            figures = _measure()
            raise _Undo
    except _Undo:
        return figures


def _fill(scene: Scene) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_FILL, {"restaurant": scene.restaurant.pk, "due": DUE, "offers": OFFERS})
        cursor.execute("ANALYZE offers_specialoffer")


def _measure() -> list[Figure]:
    took = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        found = deadline.due_offers(now=clock.now())
        took.append(1000 * (time.perf_counter() - begun))
    plan = SpecialOffer.objects.due(clock.now()).order_by("deadline")[:DUE].explain()
    return [
        at_most(f"closing sweep, {OFFERS:,} offers, {len(found)} due", median(took), MS, " ms"),
        holds(
            "closing sweep reads the partial index",
            measured="yes" if INDEX in plan else "no",
            target="yes",
            reached=INDEX in plan,
        ),
    ]
