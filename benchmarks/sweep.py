"""The query that finds offers past their deadline, among 100,000 offers."""

import time
from datetime import timedelta
from statistics import median

from django.db import connection, transaction

from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from apps.preorders.settlement import deadline
from benchmarks.copies import insert_copies
from benchmarks.figures import Figure, at_most, holds
from benchmarks.scene import Scene
from tests.factories import SpecialOfferFactory

OFFERS, DUE = 100_000, 50
MS = 50
INDEX = "offers_undecided"
TIMES = 25


class _Undo(Exception):
    """Raised to roll the offers back."""


def measure(scene: Scene) -> list[Figure]:
    """Measure in a transaction that is rolled back, so that workers never see the offers."""
    figures: list[Figure] = []
    try:
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            _fill(scene)
            figures = _measure()
            raise _Undo
    except _Undo:
        return figures


def _fill(scene: Scene) -> None:
    """A tenth of the offers is still open, and a few of those are due."""
    now = clock.now()
    offer = SpecialOfferFactory(
        restaurant=scene.restaurant, deadline=now - timedelta(hours=1), status="succeeded"
    )
    insert_copies(
        offer,
        f"generate_series(1, {OFFERS}) AS n",
        id="gen_random_uuid()",
        name="'Offer ' || n",
        deadline=f"CASE WHEN n <= {DUE} THEN now() - n * interval '1 second'"
        " WHEN n % 10 = 0 THEN now() + n * interval '1 minute'"
        " ELSE now() - n * interval '1 hour' END",
        status=f"CASE WHEN n <= {DUE} OR n % 10 = 0 THEN 'active' ELSE 'succeeded' END",
    )
    with connection.cursor() as cursor:
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
