"""Concurrent pre-orders on one offer with fewer portions than guests."""

from statistics import mean

import stripe

from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from apps.preorders.checkout.services import GuestDetails, begin_order
from apps.preorders.models import PreOrder
from benchmarks.bare_orders import record
from benchmarks.figures import Figure, at_least, at_most, holds, processor_time, shown
from benchmarks.load import run_load
from benchmarks.scene import Scene, pre_order_request

AT_ONCE = 50
PORTIONS = 1_000
TOO_MANY = 100
STEADY_SECONDS = 15
PER_MINUTE, P95_MS = 3_000, 250
SHARE_OF_BARE = 0.3


def measure(scene: Scene) -> list[Figure]:
    offer = scene.offer(min_preorders=10, max_preorders=PORTIONS, name="The last portions")
    requests = [pre_order_request(scene, offer, n) for n in range(PORTIONS + TOO_MANY)]
    # Warm up connections, compiled queries, and Stripe's types with another offer.
    other = scene.offer(name="Warming up")
    run_load(scene.port, [pre_order_request(scene, other, n) for n in range(100)])
    steady = scene.offer(name="Steadily wanted", max_preorders=PORTIONS)
    arriving = run_load(
        scene.port,
        [pre_order_request(scene, steady, n) for n in range(STEADY_SECONDS * AT_ONCE)],
        connections=2 * AT_ONCE,
        per_second=AT_ONCE,
    )
    bare = [_bare_rate(scene)]
    before = scene.program.processor_seconds()
    done = run_load(scene.port, requests, connections=AT_ONCE)
    used = scene.program.processor_seconds()
    bare.append(_bare_rate(scene))
    accepted = done.statuses.get(201, 0)
    refused = done.statuses.get(409, 0)
    failed = len(requests) - accepted - refused
    return [
        at_least(
            "pre-orders on one offer, per minute", 60 * accepted / done.last_created, PER_MINUTE
        ),
        Figure("the same statements and calls without Django, per minute", shown(60 * mean(bare))),
        at_least(
            "pre-orders, share of that rate",
            accepted / done.last_created / mean(bare),
            SHARE_OF_BARE,
        ),
        at_most(
            f"pre-orders, p95 with {AT_ONCE} waiting all the time",
            1000 * done.percentile(95),
            P95_MS,
            " ms",
        ),
        at_most(
            f"pre-orders, p95 with {AT_ONCE} arriving every second",
            1000 * arriving.percentile(95),
            P95_MS,
            " ms",
        ),
        processor_time("pre-orders, CPU time", before, used),
        Figure("pre-orders, p50", shown(1000 * done.percentile(50), " ms")),
        holds(
            "pre-orders neither accepted nor refused",
            measured=str(failed),
            target="0",
            reached=not failed,
        ),
        *_ledger_figures(offer, accepted),
    ]


def _bare_rate(scene: Scene) -> float:
    """Orders a second of the control, which counts the portions and enforces no maximum."""
    offer = scene.offer(name="Without Django", max_preorders=PORTIONS)
    recording = scene.program.folder / "bare-order"

    def order(guest: str = "second") -> PreOrder:
        with rls.acting_as(offer.restaurant_id):
            return begin_order(
                offer_id=offer.pk,
                quantity=1,
                guest=GuestDetails("Guest", f"{guest}-of-{offer.pk}@example.test", "+12125550199"),
                claimed_total=None,
                now=clock.now(),
            )

    order("first")  # only the first order writes down what is sold
    with rls.acting_as(rls.PLATFORM):
        record(recording, order)
    requests = [pre_order_request(scene, offer, n) for n in range(PORTIONS)]
    with scene.program.bare_orders(recording) as port:
        run_load(port, requests[:100], connections=AT_ONCE)
        done = run_load(port, requests, connections=AT_ONCE)
    if done.statuses != {201: PORTIONS}:
        raise RuntimeError(f"The control failed: {done.statuses}")
    return done.rate


def _ledger_figures(offer: SpecialOffer, accepted: int) -> list[Figure]:
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.filter(offer=offer)
        portions = orders.reserving().portions()
        pages = set(orders.values_list("checkout_session_id", flat=True))
        offer.refresh_from_db()
    at_stripe = {
        session.id
        for session in stripe.checkout.Session.list(limit=100).auto_paging_iter()
        if session.id in pages
    }
    lost = accepted - len(at_stripe)
    same = portions == offer.reserved_portions == PORTIONS
    return [
        holds("pre-orders lost", measured=str(lost), target="0", reached=not lost),
        holds(
            "portions given out", measured=str(portions), target=f"{PORTIONS} (cap)", reached=same
        ),
    ]
