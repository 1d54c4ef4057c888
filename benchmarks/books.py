"""The ledger with 100,000 entries: sealing, verifying, a month's statement, comparing with Stripe.

Orders are copies of one, made in the database, and belong to one restaurant and one month, which is
the worst case. Comparing excludes the network: pages as Stripe would list them are made of the
ledger, and handed to the reconciler a hundred movements at a time.
"""

import time
import tracemalloc
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
from benchmarks.figures import Figure, at_most
from benchmarks.scene import Scene
from tests.factories import PreOrderFactory

ORDERS = 25_000  # of four entries each
ENTRIES = 4 * ORDERS
PAGE = 100
MEGABYTE = 1024 * 1024

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
    %(begin)s + random() * %(length)s
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
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = "
            "'preorders_preorder' AND is_generated = 'NEVER'"
        )
        names = [name for (name,) in cursor.fetchall()]
        values = ", ".join(_OWN.get(name, f"o.{name}") for name in names)
        cursor.execute(
            f"INSERT INTO preorders_preorder ({', '.join(names)}) SELECT {values} FROM "
            "preorders_preorder o, generate_series(1, %s) AS n WHERE o.id = %s",
            [ORDERS, template.pk],
        )
        cursor.execute(
            _ENTRIES,
            {
                "cycle": billing_cycle(restaurant=restaurant, now=now).pk,
                "begin": begin,
                "length": min(end, now) - begin,
            },
        )
        cursor.execute("ANALYZE billing_paymenthistory, preorders_preorder")


def _measure(scene: Scene) -> list[Figure]:
    restaurant = scene.restaurant
    now = clock.now()
    period = Period.month(now.astimezone(restaurant.zone).date())
    seconds, _ = _timed(lambda: chain.seal_entries(now=now))
    figures = [at_most(f"sealing {ENTRIES:,} ledger entries", seconds, 60, " s")]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE billing_ledgerseal")
    seconds, _ = _timed(lambda: chain.verify(now=now))
    figures.append(at_most(f"verify_ledger, {ENTRIES:,} entries", seconds, 30, " s"))
    seconds, statement = _timed(lambda: statement_of(restaurant, period))
    assert statement.figures.orders == ORDERS, statement.figures
    figures.append(at_most(f"month's statement, {ENTRIES:,} entries", seconds, 1, " s"))
    seconds, _ = _timed(lambda: statement_pdf(statement))
    figures.append(at_most("month's statement as a PDF", seconds, 1, " s"))
    seconds, missing = _timed(_compare_everything)
    assert missing == 0, missing
    figures.append(at_most(f"reconciler, {ENTRIES:,} entries, no network", seconds, 30, " s"))
    jobs: dict[str, Callable[[], Any]] = {
        "verify_ledger": lambda: chain.verify(now=now),
        "every entry as CSV": lambda: sum(
            len(piece) for piece in csv_pieces(entry_rows(restaurant, period))
        ),
        "reconciler": _compare_everything,
    }
    for name, job in jobs.items():
        figures.append(at_most(f"{name}, memory at most", _peak(job), 16, " MB"))
    return figures


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


def _timed(job: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = job()
    return time.perf_counter() - begun, result


def _peak(job: Callable[[], Any]) -> float:
    """The most memory that the job's own objects took, in megabytes."""
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()
