"""Settlement and pre-orders with Stripe as it is: 400 ms a call, and its documented rate limits."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from benchmarks.figures import Figure, at_most, holds, processor_time, shown
from benchmarks.load import run_load
from benchmarks.scene import Scene, pre_order_request
from benchmarks.settling import compare_ledgers, hold_all, wait_quiet, watch

LATENCY_SECONDS = 0.4
ACCOUNT_LIMIT, ENDPOINT_LIMIT = 100, 25  # a second: https://docs.stripe.com/rate-limits
HOLDS, OTHERS_HOLDS = 1_000, 20
OTHERS_START = timedelta(seconds=8)  # after the large offer's deadline
WITHIN_OF_ALLOWED, START_WITHIN_S, OTHERS_WITHIN_S = 1.25, 5, 10
PRE_ORDERS, AT_ONCE = 1_000, 400
GUESTS_PATIENCE_SECONDS = 60


def measure(scene: Scene) -> list[Figure]:
    with rls.acting_as(rls.PLATFORM):
        large = scene.offer(name="A thousand guests", min_preorders=HOLDS, max_per_order=1)
        other = scene.offer(name="Twenty guests", min_preorders=OTHERS_HOLDS, max_per_order=1)
        hold_all(scene, large, HOLDS)
        hold_all(scene, other, OTHERS_HOLDS)
        with _as_in_production(scene):
            return [*_settle(scene, large, other), *_order(scene)]


@contextmanager
def _as_in_production(scene: Scene) -> Iterator[None]:
    stripe = scene.program.stripe
    limits = {"STRIPE_RATE_LIMIT": ACCOUNT_LIMIT, "STRIPE_ENDPOINT_RATE_LIMIT": ENDPOINT_LIMIT}
    with scene.program.restarted(**{name: str(value) for name, value in limits.items()}):
        stripe.control(latency={"seconds": LATENCY_SECONDS}, limits="live")
        try:
            yield
        finally:
            stripe.control(latency={"seconds": 0}, limits="off")


def _settle(scene: Scene, large: SpecialOffer, other: SpecialOffer) -> list[Figure]:
    before = scene.program.processor_seconds()
    deadline = clock.now() + timedelta(seconds=5)
    SpecialOffer.objects.filter(pk=large.pk).update(deadline=deadline)
    SpecialOffer.objects.filter(pk=other.pk).update(deadline=deadline + OTHERS_START)
    others: list[float] = []
    with _watching_health(scene) as health:
        beside = threading.Thread(
            target=_watch_beside, args=(other, deadline + OTHERS_START, others), daemon=True
        )
        beside.start()
        begun, charged = watch(large, deadline, HOLDS)
        beside.join()
    used = scene.program.processor_seconds()
    wait_quiet(scene, large)
    # The first capture ends after two calls; from then on, an endpoint takes its limit.
    allowed = 2 * LATENCY_SECONDS + (HOLDS + OTHERS_HOLDS) / ENDPOINT_LIMIT
    control = scene.program.stripe.control()
    what = f"settlement of {HOLDS:,} holds at {1000 * LATENCY_SECONDS:.0f} ms a call"
    return [
        Figure(f"{what}, last capture", shown(charged, " s")),
        at_most(
            f"{what}, of the {shown(allowed, ' s')} that the limits allow",
            charged / allowed,
            WITHIN_OF_ALLOWED,
        ),
        at_most(f"{what}, first capture", begun, START_WITHIN_S, " s"),
        at_most(
            f"{OTHERS_HOLDS} holds of another offer meanwhile", others[0], OTHERS_WITHIN_S, " s"
        ),
        holds(
            f"{what}, health other than 200",
            measured=f"{health[False]} of {health.total()}",
            target="0",
            reached=not health[False],
        ),
        Figure(f"{what}, calls that Stripe refused", str(control["rate_limited"])),
        processor_time(f"{what}, CPU time", before, used),
        compare_ledgers(large),
    ]


def _watch_beside(offer: SpecialOffer, deadline: datetime, found: list[float]) -> None:
    with rls.acting_as(rls.PLATFORM):
        found.append(watch(offer, deadline, OTHERS_HOLDS)[1])


@contextmanager
def _watching_health(scene: Scene) -> Iterator[Counter[bool]]:
    answers: Counter[bool] = Counter()
    over = threading.Event()

    def ask() -> None:
        while not over.wait(0.5):
            answers[scene.program.is_healthy()] += 1

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield answers
    finally:
        over.set()
        asking.join()


def _order(scene: Scene) -> list[Figure]:
    """Pre-orders, as many a second as the endpoint's limit allows."""
    scene.program.stripe.control(limits="live")  # forget what was refused so far
    offer = scene.offer(name="As many as allowed", max_preorders=2 * PRE_ORDERS)
    requests = [pre_order_request(scene, offer, n) for n in range(PRE_ORDERS)]
    before = scene.program.processor_seconds()
    done = run_load(
        scene.port,
        requests,
        connections=AT_ONCE,
        per_second=ENDPOINT_LIMIT,
        patience=GUESTS_PATIENCE_SECONDS,
    )
    used = scene.program.processor_seconds()
    refused = len(requests) - done.statuses.get(201, 0)
    what = f"pre-orders, {60 * ENDPOINT_LIMIT:,}/min at {1000 * LATENCY_SECONDS:.0f} ms a call"
    return [
        holds(f"{what}, refused", measured=str(refused), target="0", reached=not refused),
        Figure(f"{what}, p50", shown(done.percentile(50), " s")),
        Figure(f"{what}, p95", shown(done.percentile(95), " s")),
        Figure(f"{what}, rate", shown(60 * done.rate, "/min")),
        Figure(
            f"{what}, calls that Stripe refused",
            str(scene.program.stripe.control()["rate_limited"]),
        ),
        processor_time(f"{what}, CPU time", before, used),
    ]
