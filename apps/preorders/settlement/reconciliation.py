"""Reconciles our orders with Stripe's intents, refunds, and balance transactions (design §4).

A difference is recorded first; then `sync_intent` updates the order. A difference that remains is
left for a person to resolve.

Each pass has a time limit. It does the most important work first: orders whose money isn't settled.
Then it continues Stripe's lists where the last pass stopped, page by page, so that after an outage
or with many payments nothing is skipped. How far each list was read is in `ReconciliationProgress`.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import open_issue
from apps.billing.gateway import GatewayError, IntentSnapshot, IntentStatus
from apps.billing.models import Discrepancy, ReconciliationProgress
from apps.billing.stripe_fees import record_stripe_fees
from apps.preorders.models import PreOrder
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q
from apps.preorders.models.states import OperationKind, OperationStatus, PaymentStatus
from apps.preorders.settlement.alarms import close_alarms
from apps.preorders.settlement.balance_movements import unmatched_intents
from apps.preorders.settlement.differences import difference
from apps.preorders.settlement.open_checkouts import settle_unreadable
from apps.preorders.settlement.payments import sync_intent

logger = logging.getLogger(__name__)

# What a pass of a list begins with: this long before the last complete one began.
OVERLAP = timedelta(hours=2)
# Holds live for a week; all intents from that long are listed once a day, for what the overlap
# misses.
WEEK = timedelta(days=8)
WEEK_EVERY = timedelta(days=1)
# Recent changes may still have a webhook on its way.
DELIVERY_GRACE = timedelta(minutes=1)
BATCH_SIZE = 500


class OutOfTime(Exception):
    """The pass has used up its time; the next one continues."""


def reconcile(*, now: datetime, has_time: Callable[[], bool] = lambda: True) -> int:
    """Compare our records with Stripe's, unsettled orders first.

    Stops when `has_time` says so; the next pass continues. Returns the number of differences found.
    Raises GatewayError if Stripe's lists can't be read.
    """
    reconciled = _Pass(now, has_time)
    try:
        reconciled.compare_ids(_unsettled_intents(now))
        settle_unreadable(now=now)
        for each in _LISTS:
            reconciled.read_list(each)
    except OutOfTime:
        logger.warning("the reconciliation continues with the next pass")
    close_alarms(now=now)
    return reconciled.found


def unsettled_count(*, now: datetime) -> int:
    """How many payments a pass begins with, at most `BATCH_SIZE` of each kind; asks nobody."""
    return len(set(_unsettled_intents(now)))


# --- Stripe's lists -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _List:
    """One of Stripe's lists; `every` is how long after a complete pass the next one begins."""

    name: str
    read_page: Callable[..., gateway.ListPage]
    overlap: timedelta = OVERLAP
    every: timedelta = timedelta()


_LISTS = (
    _List("refunds", gateway.refunded_intents_page),
    _List("failed_refunds", gateway.failed_refund_intents_page),
    _List("intents", gateway.intents_page),
    _List("balance", gateway.balance_page),
    _List("week", gateway.intents_page, overlap=WEEK, every=WEEK_EVERY),
)


class _Pass:
    def __init__(self, now: datetime, has_time: Callable[[], bool]) -> None:
        self.now = now
        self.found = 0
        self._has_time = has_time
        self._seen: set[str] = set()

    def read_list(self, which: _List) -> None:
        """Read the list's pages from where the last pass stopped, and compare each."""
        progress, _ = ReconciliationProgress.objects.get_or_create(
            name=which.name, defaults={"since": self.now - which.overlap}
        )
        if not progress.begun_at:
            if progress.finished_at and self.now < progress.finished_at + which.every:
                return
            progress.begun_at = self.now
        while True:
            self._check_time()
            page = which.read_page(progress.since, after=progress.cursor)
            self.compare(page.intents)
            self.compare_ids(page.intent_ids)
            self.compare_ids(unmatched_intents(page.movements, now=self.now))
            record_stripe_fees(page.movements)
            progress.cursor = page.last
            progress.read_count += page.count
            if page.is_last:
                break
            progress.save()
        progress.since = progress.begun_at - which.overlap
        progress.finished_at, progress.begun_at, progress.cursor = self.now, None, ""
        progress.last_read_count, progress.read_count = progress.read_count, 0
        progress.save()

    def compare_ids(self, intent_ids: Iterable[str]) -> None:
        """Read and compare intents; one that can't be read now waits, and the others don't."""
        for intent_id in intent_ids:
            if intent_id in self._seen:
                continue
            self._check_time()
            try:
                self.compare([gateway.retrieve_with_refunds(intent_id)])
            except GatewayError as error:
                logger.warning("intent %s cannot be read: %s", intent_id, error)

    def compare(self, holds: Iterable[IntentSnapshot]) -> None:
        """Compare a page of intents, with its orders read at once."""
        unseen = [hold for hold in holds if hold.intent_id not in self._seen]
        orders = PreOrder.objects.select_related("offer__restaurant").in_bulk(
            {order_id for hold in unseen if (order_id := _order_id(hold))}
        )
        for hold in unseen:
            self._seen.add(hold.intent_id)
            order = orders.get(_order_id(hold) or UUID(int=0))
            if order is None:
                continue
            try:
                self.found += _compare(order, hold, now=self.now)
            except GatewayError as error:
                logger.warning("intent %s cannot be fixed now: %s", hold.intent_id, error)

    def _check_time(self) -> None:
        if not self._has_time():
            raise OutOfTime


def _order_id(hold: IntentSnapshot) -> UUID | None:
    try:
        return UUID(hold.pre_order_id or "")
    except ValueError:
        return None


# --- what isn't settled ---------------------------------------------------------------------------
def _unsettled_intents(now: datetime) -> list[str]:
    """Intents with an open difference, then of orders with overdue operations, pending refunds, or
    expired holds, then of orders in checkout."""
    overdue = Q(
        operations__state=OperationStatus.PENDING, operations__due_at__lt=now - DELIVERY_GRACE
    )
    being_refunded = Q(
        operations__state=OperationStatus.PENDING, operations__kind=OperationKind.REFUND
    )
    undecided_hold = Q(payment_status=PaymentStatus.AUTHORIZED, capture_before__lt=now)
    orders = PreOrder.objects.exclude(payment_intent_id=None)
    groups = (
        Discrepancy.objects.filter(kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None).order_by(
            "found_at"
        ),
        orders.filter(overdue | being_refunded | undecided_hold).order_by("created_at"),
        orders.filter(CHECKOUT_OPEN_Q).order_by("-created_at"),
    )
    return [
        str(intent_id)
        for rows in groups
        for intent_id in rows.values_list("payment_intent_id", flat=True)[:BATCH_SIZE]
    ]


# --- one intent -----------------------------------------------------------------------------------
def _compare(order: PreOrder, hold: IntentSnapshot, *, now: datetime) -> bool:
    open_rows = Discrepancy.objects.filter(
        payment_intent_id=hold.intent_id, kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None
    )
    hold = _with_refunds(order, hold)
    found = difference(order, hold)
    if not found:
        open_rows.update(resolved_at=now)
        return False
    if _is_possibly_in_transit(order, hold, now):
        return False
    open_rows.exclude(description=found).update(resolved_at=now)  # it differs in another way now
    if not open_rows.filter(description=found).exists():
        open_issue(
            order.restaurant_id,
            Discrepancy.Kind.DIFFERENCE,
            found,
            now=now,
            pre_order_id=order.pk,
            intent_id=hold.intent_id,
        )
    logger.warning("order %s, intent %s: %s", order.pk, hold.intent_id, found)
    sync_intent(gateway.retrieve_with_refunds(hold.intent_id), now=now)
    order.refresh_from_db()
    if not difference(order, gateway.retrieve_with_refunds(hold.intent_id)):
        open_rows.update(resolved_at=now)
    return True


def _with_refunds(order: PreOrder, hold: IntentSnapshot) -> IntentSnapshot:
    """The snapshot with its refunds, if Stripe or we know of any."""
    known = order.refunded_amount or order.returned_amount
    if hold.refunds is not None or not (hold.refunded.cents or known):
        return hold
    if hold.state is not IntentStatus.CAPTURED or order.payment_intent_id != hold.intent_id:
        return hold
    return gateway.retrieve_with_refunds(hold.intent_id)


def _is_possibly_in_transit(order: PreOrder, hold: IntentSnapshot, now: datetime) -> bool:
    """Whether the difference could be a change whose webhook hasn't arrived yet."""
    moments = [order.created_at, hold.authorized_at]
    latest = order.transitions.order_by("-at").values_list("at", flat=True).first()
    moments.append(latest)
    return any(moment and moment > now - DELIVERY_GRACE for moment in moments)
