"""Records charges together, whichever of the worker's threads made them (decisions 32 and 110).

Each order is charged by itself; recording ten charges together costs little more than recording
one. If a worker dies before that, nothing is lost: after the lease, another worker reads the
intent, sees that it is captured and records it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from itertools import groupby
from threading import Lock
from time import monotonic

from django.db import transaction

from apps.billing.gateway import IntentSnapshot, IntentStatus
from apps.common import rls
from apps.offers.states import DECIDED
from apps.preorders.core.locks import lock_orders
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.preorders.settlement.capture import record_charge
from apps.preorders.settlement.payments import adopt, sync_intent

logger = logging.getLogger(__name__)

# How long a charge waits for others. Threads that charge at the same time make a second's worth of
# charges together: 25 at Stripe's rate.
WAIT_SECONDS = 1

CapturedOrder = tuple[IntentSnapshot, PreOrder]


class ChargeBatch:
    """What this process's threads charged and nobody recorded yet.

    The first thread that finds the oldest charge old enough records all of them. The last thread
    that leaves its block records what is left.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._charges: list[CapturedOrder] = []
        self._due_at = 0.0
        self._blocks = 0

    def enter(self) -> None:
        with self._lock:
            self._blocks += 1

    def leave(self) -> list[CapturedOrder]:
        """The charges to record now."""
        with self._lock:
            self._blocks -= 1
            return self._take() if not self._blocks or self._is_due() else []

    def add(self, charge: CapturedOrder) -> None:
        with self._lock:
            if not self._charges:
                self._due_at = monotonic() + WAIT_SECONDS
            self._charges.append(charge)

    def take_due(self) -> list[CapturedOrder]:
        """The charges to record now, if the oldest has waited long enough."""
        with self._lock:
            return self._take() if self._is_due() else []

    def _is_due(self) -> bool:
        return bool(self._charges) and monotonic() >= self._due_at

    def _take(self) -> list[CapturedOrder]:
        taken, self._charges = self._charges, []
        return taken


_batch = ChargeBatch()
_is_batching: ContextVar[bool] = ContextVar("batching_charges", default=False)


@contextmanager
def batched_charges(now: Callable[[], datetime]) -> Iterator[Callable[[], None]]:
    """Record the charges made in the block together, also after an exception.

    Yields a function that records what has waited long enough; call it now and then.
    """
    token = _is_batching.set(True)
    _batch.enter()
    try:
        yield lambda: _record_all(_batch.take_due(), now)
    finally:
        _is_batching.reset(token)
        _record_all(_batch.leave(), now)


def record_or_batch(hold: IntentSnapshot, *, now: datetime, known: PreOrder) -> None:
    """Record a charge with `sync_intent`, or collect it inside `batched_charges`.

    Only charges of decided offers are collected: their offer's row doesn't need a lock.
    """
    ordinary = (
        hold.state is IntentStatus.CAPTURED
        and hold.pre_order_id == str(known.pk)
        and not hold.refunded.cents
        and known.offer.status in DECIDED
    )
    if _is_batching.get() and ordinary:
        _batch.add((hold, known))
    else:
        sync_intent(hold, now=now, known=known)


def _record_all(charges: list[CapturedOrder], now: Callable[[], datetime]) -> None:
    charges.sort(key=lambda each: each[1].offer_id)
    for _, group in groupby(charges, key=lambda each: each[1].offer_id):
        _record(list(group), now=now())


def _record(charges: list[CapturedOrder], *, now: datetime) -> None:
    """Record the charges of one offer; an error with one doesn't affect the others."""
    left = charges
    try:
        if len(charges) > 1:
            left = _record_at_once(charges, now)
    except Exception:
        logger.exception("%d charges could not be recorded at once", len(charges))
    for hold, known in left:
        try:
            sync_intent(hold, now=now, known=known)
        except Exception:
            # The sweep finds it when its lease expires.
            logger.exception("the charge of order %s was not recorded", known.pk)


def _record_at_once(charges: list[CapturedOrder], now: datetime) -> list[CapturedOrder]:
    """Record the charges in one transaction; returns those whose order changed meanwhile."""
    by_order = {known.pk: hold for hold, known in charges}
    offer = charges[0][1].offer
    with rls.acting_as(offer.restaurant_id), transaction.atomic():
        taken = []
        for order in lock_orders(offer, by_order):
            hold = by_order[order.pk]
            if (
                order.payment_intent_id == hold.intent_id
                and order.payment_status in _CHARGEABLE_STATUSES
            ):
                adopt(order, hold)
                taken.append((order, hold))
        if taken:
            record_charge(taken, now=now)
    done = {order.pk for order, _ in taken}
    return [each for each in charges if each[1].pk not in done]


_CHARGEABLE_STATUSES = (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED)
