"""Checkouts that are open when a special's deadline passes: asked about, and closed in the end.

Until the grace period ends, news comes by webhook and by guests who return, so each checkout is
only asked about once a minute. Afterwards the pages are closed. One that can't be read doesn't keep
its special undecided forever (decision 45).
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.models import QuerySet

from apps.billing.models import Discrepancy
from apps.common.transitions import Cause
from apps.preorders.checkout.endings import give_up
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CHECKOUT_GRACE, ReasonCode
from apps.preorders.settlement.alarms import DECIDED_WITHOUT_Q, raise_alarm
from apps.preorders.settlement.checkout_expiry import finish_checkouts

logger = logging.getLogger(__name__)

ASK_AGAIN_AFTER = timedelta(minutes=1)
# A checkout that can't be read for this long after the grace period needs a person, …
UNREADABLE_FOR = timedelta(minutes=5)
# … and after this long its special is decided without it. A hold that turns up later is late, so it
# is released: nobody is charged for an order that wasn't counted.
GIVEN_UP_AFTER = timedelta(hours=2)
READ_AT_LAST = "Stripe reported how the checkout ended."


def finish_open_checkouts(offer_id: UUID, *, now: datetime) -> bool:
    """Ask Stripe about the offer's open checkouts; True once none is open.

    Only one process at a time does this for an offer; others leave it to that one.
    """
    if not _is_any_open(offer_id):
        return True
    with _only_one(offer_id) as chosen:
        if chosen:
            _finish(offer_id, now)
    return not _is_any_open(offer_id)


def _is_any_open(offer_id: UUID) -> bool:
    return PreOrder.objects.filter(offer_id=offer_id).in_checkout().exists()


@contextmanager
def _only_one(offer_id: UUID) -> Iterator[bool]:
    """Whether nobody else does this now.

    PostgreSQL ends an advisory lock with its session, so a killed worker leaves none behind. It
    blocks nobody, and no row and no transaction is held.
    https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
    """
    if settings.DATABASE_IS_SHARED:
        # The lock would stay on a connection that others get.
        raise ImproperlyConfigured("Settlement needs DATABASE_POOLING=session (docs/scaling.md).")
    key = offer_id.int & (2**63 - 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        chosen = cursor.fetchone()[0]
    try:
        yield chosen
    finally:
        if chosen:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])


def _finish(offer_id: UUID, now: datetime) -> None:
    waiting = PreOrder.objects.filter(offer_id=offer_id).in_checkout()
    orders = list(waiting.select_related("offer__restaurant", "cart"))
    if not orders:
        return
    closes_at = orders[0].offer.deadline + CHECKOUT_GRACE
    close = now >= closes_at
    if not close:
        orders = _not_asked_lately(orders, now)
    finish_checkouts(
        orders,
        now=now,
        close=close,
        on_error=partial(_on_unreadable, waited=now - closes_at, now=now),
    )


def _not_asked_lately(orders: Sequence[PreOrder], now: datetime) -> list[PreOrder]:
    """Orders that weren't asked about in the last minute; they are noted as asked about now."""
    keys = {f"checkout-asked:{order.pk}": order for order in orders}
    asked = cache.get_many(keys)
    due = {
        key: order
        for key, order in keys.items()
        if key not in asked or now - datetime.fromisoformat(asked[key]) >= ASK_AGAIN_AFTER
    }
    cache.set_many(dict.fromkeys(due, now.isoformat()), int(CHECKOUT_GRACE.total_seconds()))
    return list(due.values())


def _on_unreadable(order: PreOrder, error: Exception, *, waited: timedelta, now: datetime) -> None:
    """Raise an alarm after a while, and in the end decide without this order."""
    logger.error("checkout of order %s cannot be read", order.pk, exc_info=error)
    why = type(error).__name__
    if waited >= GIVEN_UP_AFTER:
        if give_up(order.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_UNREADABLE)):
            _alarms_of([order.pk]).update(resolved_at=now)
            description = f"Decided without a checkout that can't be read: {why}"
            raise_alarm(order, Discrepancy.Kind.UNREADABLE, description, now=now)
    elif waited >= UNREADABLE_FOR:
        description = f"The decision waits for a checkout that can't be read: {why}"
        raise_alarm(order, Discrepancy.Kind.UNREADABLE, description, now=now)


def settle_unreadable(*, now: datetime) -> None:
    """Read the checkouts again that specials were decided without, and close their alarms.

    A hold that one of them has is released as too late. One that still can't be read keeps its
    alarm, until a person closes it.
    """
    waiting = PreOrder.objects.filter(pk__in=_alarms_of(None).values("pre_order"))
    orders = list(waiting.filter(DECIDED_WITHOUT_Q).select_related("offer__restaurant", "cart"))
    unread: set[UUID] = set()

    def on_error(order: PreOrder, error: Exception) -> None:
        logger.warning("checkout of order %s still can't be read: %s", order.pk, error)
        unread.add(order.pk)

    finish_checkouts(orders, now=now, close=True, on_error=on_error)
    settled = [order.pk for order in orders if order.pk not in unread]
    _alarms_of(settled).update(resolved_at=now, resolution=READ_AT_LAST)


def _alarms_of(order_ids: Sequence[UUID] | None) -> QuerySet[Discrepancy]:
    """The open alarms about unreadable checkouts, of these orders or of all."""
    found = Discrepancy.objects.filter(kind=Discrepancy.Kind.UNREADABLE, resolved_at=None)
    return found if order_ids is None else found.filter(pre_order__in=order_ids)
