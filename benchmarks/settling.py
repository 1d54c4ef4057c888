"""Settlement of an offer with a thousand authorized orders, with the real workers."""

import json
from datetime import datetime, timedelta

import stripe
from django.db import connection

from apps.billing.models import PaymentHistory
from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from apps.preorders.models import Email, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationStatus, PaymentStatus
from benchmarks.figures import Figure, at_most, holds, processor_time, shown
from benchmarks.load import run_load
from benchmarks.scene import Scene, cents, pay_all, pre_order_request, seconds_past, wait_until

HOLDS = 1_000
WITHIN_S, START_WITHIN_S = 10, 5
PATIENCE = 900.0

Movement = tuple[str, str, int]  # intent, what, cents


def measure(scene: Scene) -> list[Figure]:
    with rls.acting_as(rls.PLATFORM):
        offer = scene.offer(name="A thousand guests", min_preorders=HOLDS, max_per_order=1)
        holding = hold_all(scene, offer, HOLDS)
        program = scene.program
        before = program.processor_seconds()
        deadline = clock.now() + timedelta(seconds=5)
        SpecialOffer.objects.filter(pk=offer.pk).update(deadline=deadline)
        begun, charged = watch(offer, deadline, HOLDS)
        settled = program.processor_seconds()
        wait_quiet(scene, offer)
        quiet = seconds_past(deadline)
        return [
            at_most(f"settlement of {HOLDS:,} holds, last capture", charged, WITHIN_S, " s"),
            at_most("settlement, first capture after the deadline", begun, START_WITHIN_S, " s"),
            processor_time("settlement, CPU time", before, settled),
            Figure("settlement, emails sent and webhooks mirrored", shown(quiet, " s")),
            Figure("authorizations recorded by webhook", shown(60 * HOLDS / holding, "/min")),
            compare_ledgers(offer),
        ]


def count(offer: SpecialOffer, status: PaymentStatus) -> int:
    return PreOrder.objects.filter(offer=offer, payment_status=status).count()


def hold_all(scene: Scene, offer: SpecialOffer, holds: int) -> float:
    """Authorize so many orders. Returns the seconds from the first payment to the last webhook."""
    requests = [pre_order_request(scene, offer, number) for number in range(holds)]
    done = run_load(scene.port, requests, store_bodies=True)
    if done.statuses != {201: holds}:
        raise RuntimeError(f"Not every pre-order was accepted: {done.statuses}")
    pages = [json.loads(body)["checkoutUrl"].rpartition("/")[2] for body in done.bodies]
    begun = clock.now()
    pay_all(scene, pages)
    wait_until(lambda: count(offer, PaymentStatus.AUTHORIZED) == holds, PATIENCE)
    heard = seconds_past(begun)
    wait_quiet(scene, offer)
    return heard


def wait_quiet(scene: Scene, offer: SpecialOffer) -> None:
    """Wait until no webhook, task, or email is pending."""

    def is_quiet() -> bool:
        emails = Email.objects.filter(pre_order__offer=offer, sent_at=None)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM djstripe_webhookeventtrigger WHERE NOT processed")
            waiting = cursor.fetchone()[0]
        return not (waiting or emails.exists() or scene.program.stripe.control()["undelivered"])

    wait_until(is_quiet, PATIENCE, every=0.5)


def watch(offer: SpecialOffer, deadline: datetime, holds: int) -> tuple[float, float]:
    """Seconds from the deadline to the first and to the last captured order."""
    wait_until(lambda: count(offer, PaymentStatus.CAPTURED) > 0, PATIENCE)
    begun = seconds_past(deadline)
    wait_until(lambda: count(offer, PaymentStatus.CAPTURED) == holds, PATIENCE)
    return begun, seconds_past(deadline)


def compare_ledgers(offer: SpecialOffer) -> Figure:
    """Compare our ledger with Stripe's records, entry by entry, to the cent."""
    ours = [
        (intent, kind, cents(amount))
        for intent, kind, amount in PaymentHistory.objects.filter(
            offer=offer, transaction_type__in=["capture", "authorization"]
        ).values_list("payment_intent_id", "transaction_type", "amount")
    ]
    fees = dict(
        PreOrder.objects.filter(offer=offer).values_list("payment_intent_id", "processing_fee")
    )
    theirs: list[Movement] = []
    wrong_fees = 0
    page = stripe.PaymentIntent.list(limit=100, expand=["data.latest_charge"])
    for intent in page.auto_paging_iter():
        if intent.id not in fees:
            continue
        theirs += [
            (intent.id, "authorization", intent.amount),
            (intent.id, "capture", intent.amount_received),
        ]
        charge = intent.latest_charge
        wrong_fees += charge.application_fee_amount != cents(fees[intent.id])  # type: ignore[union-attr]
    unfinished = PaymentOperation.objects.filter(
        pre_order__offer=offer, state=OperationStatus.PENDING
    ).count()
    same = sorted(ours) == sorted(theirs) and not wrong_fees and not unfinished
    return holds(
        "ledger against Stripe's list",
        measured=f"{len(ours):,} movements, {'equal' if same else 'different'}",
        target="equal",
        reached=same,
    )
