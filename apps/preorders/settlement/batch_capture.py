"""Records the charges of one message in a single transaction (decision 32).

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

CapturedOrder = tuple[IntentSnapshot, PreOrder]

_collected: ContextVar[list[CapturedOrder] | None] = ContextVar("gathered_charges", default=None)


@contextmanager
def batched_charges(now: Callable[[], datetime]) -> Iterator[None]:
    """Record the charges made in the block when it ends, also after an exception."""
    charges: list[CapturedOrder] = []
    token = _collected.set(charges)
    try:
        yield
    finally:
        _collected.reset(token)
        charges.sort(key=lambda each: each[1].offer_id)
        for _, group in groupby(charges, key=lambda each: each[1].offer_id):
            _record(list(group), now=now())


def record_or_batch(hold: IntentSnapshot, *, now: datetime, known: PreOrder) -> None:
    """Record a charge with `sync_intent`, or collect it inside `batched_charges`.

    Only charges of decided offers are collected: their offer's row doesn't need a lock.
    """
    collected = _collected.get()
    ordinary = (
        hold.state is IntentStatus.CAPTURED
        and hold.pre_order_id == str(known.pk)
        and not hold.refunded.cents
        and known.offer.status in DECIDED
    )
    if collected is not None and ordinary:
        collected.append((hold, known))
    else:
        sync_intent(hold, now=now, known=known)


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
