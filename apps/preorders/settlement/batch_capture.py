"""Charges written down together: what the orders of one message have in common is done once.

A thousand orders of one offer are charged in hundreds of messages. Each is charged by itself; then
all of a message are recorded in one transaction, which costs little more than recording one. A
worker that dies before loses nothing: whoever takes an order up after the lease looks, sees that it
is charged and records that (design §3).
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

_gathered: ContextVar[list[CapturedOrder] | None] = ContextVar("gathered_charges", default=None)


@contextmanager
def batched_charges(now: Callable[[], datetime]) -> Iterator[None]:
    """The charges that the block makes are recorded at its end, however it ends."""
    charges: list[CapturedOrder] = []
    token = _gathered.set(charges)
    try:
        yield
    finally:
        _gathered.reset(token)
        charges.sort(key=lambda each: each[1].offer_id)
        for _, group in groupby(charges, key=lambda each: each[1].offer_id):
            _record(list(group), now=now())


def record_or_batch(hold: IntentSnapshot, *, now: datetime, known: PreOrder) -> None:
    """`record_hold`; in `charges_together` an ordinary charge waits for the others.

    Ordinary is one of an offer that is decided: its row is not locked any more.
    """
    gathered = _gathered.get()
    ordinary = (
        hold.state is IntentStatus.CAPTURED
        and hold.pre_order_id == str(known.pk)
        and not hold.refunded.cents
        and known.offer.status in DECIDED
    )
    if gathered is not None and ordinary:
        gathered.append((hold, known))
    else:
        sync_intent(hold, now=now, known=known)


def _record(charges: list[CapturedOrder], *, now: datetime) -> None:
    """Charges of one offer. Whatever is wrong with one of them must not keep the others back."""
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
            # Its lease runs out and the sweep finds it.
            logger.exception("the charge of order %s was not recorded", known.pk)


def _record_at_once(charges: list[CapturedOrder], now: datetime) -> list[CapturedOrder]:
    """Returns those that need a closer look: they moved meanwhile."""
    by_order = {known.pk: hold for hold, known in charges}
    offer = charges[0][1].offer
    with rls.acting_as(offer.restaurant_id), transaction.atomic():
        taken = []
        for order in lock_orders(offer, by_order):
            hold = by_order[order.pk]
            if order.payment_intent_id == hold.intent_id and order.payment_status in _CHARGEABLE:
                adopt(order, hold)
                taken.append((order, hold))
        if taken:
            record_charge(taken, now=now)
    done = {order.pk for order, _ in taken}
    return [each for each in charges if each[1].pk not in done]


_CHARGEABLE = (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED)
