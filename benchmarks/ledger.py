"""The ledger with 100,000 entries: sealing, verifying, a month's statement, comparing with Stripe.

Orders are copies of one, made in the database, and belong to one restaurant and one month, which is
the worst case. Comparing excludes the network: pages as Stripe would list them are made of the
ledger, and handed to the reconciler a hundred movements at a time.
"""

import resource
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db import connection, transaction

from apps.billing import chain
from apps.billing.gateway import BalanceMovement
from apps.billing.models import PaymentHistory
from apps.billing.services import billing_cycle
from apps.common import clock, rls
from apps.common.money import Money
from apps.preorders.settlement.balance_movements import unmatched_intents
from apps.preorders.statements.csv_files import csv_pieces, entry_rows
from apps.preorders.statements.pdf import statement_pdf
from apps.preorders.statements.periods import Period
from apps.preorders.statements.selectors import statement_of
from benchmarks.copies import insert_copies
from benchmarks.figures import Figure, at_most
from benchmarks.scene import Scene
from tests.factories import PreOrderFactory

ORDERS = 25_000  # of four entries each
ENTRIES = 4 * ORDERS
PAGE = 100

# What is unique, or filled by PostgreSQL, for each copy of an order.
_OWN = {
    "id": "gen_random_uuid()",
    "share_code": "substr(md5(n::text), 1, 12)",
    "payment_intent_id": "'pi_bench_' || n",
    "checkout_session_id": "NULL",
}
_ENTRIES = """
INSERT INTO billing_paymenthistory (restaurant_id, cycle_id, pre_order_id, offer_id,
    transaction_type, amount, currency, settled_amount, settled_currency, platform_fee_amount,
    processing_fee_amount, fee_rate, payment_intent_id, transfer_id, reference, status,
    processed_at)
SELECT o.restaurant_id, CASE WHEN t.kind = 'authorization' THEN NULL ELSE %(cycle)s END, o.id,
    o.offer_id, t.kind, t.amount, 'usd', CASE WHEN t.kind = 'transfer' THEN t.amount END,
    CASE WHEN t.kind = 'transfer' THEN 'usd' ELSE '' END,
    CASE WHEN t.kind = 'capture' THEN 0.78 ELSE 0 END, 0, 3, o.payment_intent_id,
    CASE WHEN t.kind IN ('capture', 'transfer') THEN 'tr_' || o.id ELSE '' END, '', 'succeeded',
    %(begin)s + random() * %(seconds)s * interval '1 second'
FROM preorders_preorder o
CROSS JOIN (VALUES ('authorization', 25.92), ('capture', 25.92), ('fee', 1.57), ('transfer', 23.57))
    AS t (kind, amount)
WHERE o.payment_intent_id LIKE 'pi_bench_%%'
"""


class _Undo(Exception):
    """Raised to roll everything back."""


def measure(scene: Scene) -> list[Figure]:
    """Measure in a transaction that is rolled back, so that workers never see the orders."""
    figures: list[Figure] = []
    try:
        with rls.acting_as(rls.PLATFORM), transaction.atomic():
            _fill(scene)
            figures = _measure(scene)
            raise _Undo
    except _Undo:
        return figures


def _fill(scene: Scene) -> None:
    now = clock.now()
    restaurant = scene.restaurant
    template = PreOrderFactory(offer=scene.specials[0])
    begin, end = Period.month(now.astimezone(restaurant.zone).date()).bounds(restaurant.zone)
    insert_copies(template, f"generate_series(1, {ORDERS}) AS n", **_OWN)
    with connection.cursor() as cursor:
        cursor.execute(
            _ENTRIES,
            {
                "cycle": billing_cycle(restaurant=restaurant, now=now).pk,
                "begin": begin,
                "seconds": (min(end, now) - begin).total_seconds(),
            },
        )
        cursor.execute("ANALYZE billing_paymenthistory, preorders_preorder")


def _measure(scene: Scene) -> list[Figure]:
    restaurant, now = scene.restaurant, clock.now()
    period = Period.month(now.astimezone(restaurant.zone).date())
    figures: list[Figure] = []

    def measured(what: str, job: Callable[[], Any], seconds: float, memory: float = 0) -> Any:
        before, begun = _largest(), time.perf_counter()
        result = job()
        figures.append(at_most(what, time.perf_counter() - begun, seconds, " s"))
        if memory:
            figures.append(at_most(f"{what}, growth", _largest() - before, memory, " MB"))
        return result

    def csv_size() -> int:
        return sum(len(piece) for piece in csv_pieces(entry_rows(restaurant, period)))

    measured(f"sealing {ENTRIES:,} ledger entries", lambda: chain.seal_entries(now=now), 60, 32)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE billing_ledgerseal")
    result = measured("verify_ledger", lambda: chain.verify(now=now), 30, 32)
    assert (result.entries >= ENTRIES, result.broken) == (True, {}), result
    statement = measured("month's statement", lambda: statement_of(restaurant, period), 1)
    assert statement.figures.orders == ORDERS, statement.figures
    measured("month's statement as a PDF", lambda: statement_pdf(statement), 1)
    missing = measured("reconciler without the network", _compare_everything, 30, 32)
    assert missing == 0, missing
    measured("every entry as CSV", csv_size, 60, 32)
    return figures


def _largest() -> float:
    """The most memory this process ever had, in megabytes (Linux counts kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _compare_everything() -> int:
    """The number of movements, as Stripe lists them, that the ledger doesn't have."""
    now, missing, page = clock.now(), 0, []
    for movement in _movements():
        page.append(movement)
        if len(page) == PAGE:
            missing += len(unmatched_intents(page, now=now))
            page = []
    return missing + len(unmatched_intents(page, now=now))


def _movements() -> Iterator[BalanceMovement]:
    created = clock.now() - timedelta(hours=1)
    nothing = Money(0)
    charges = PaymentHistory.objects.filter(
        transaction_type="capture", payment_intent_id__startswith="pi_bench_"
    ).values_list("payment_intent_id", "transfer_id")
    for number, (intent, transfer) in enumerate(charges.iterator(chunk_size=1000)):
        charge, fee = f"ch_{number}", f"fee_{number}"
        paid, ours = Money(2592), Money(235)
        for kind, source, amount, fees, intent_id in (
            ("charge", charge, paid, ours, intent),
            ("transfer", transfer, paid, nothing, ""),
            ("application_fee", fee, ours, nothing, ""),
        ):
            name = f"txn_{number}_{kind}"
            yield BalanceMovement(name, kind, source, amount, fees, created, intent_id, charge)
