"""Reconciles our orders with Stripe's intents and refunds (design §4).

A difference is recorded first; then `apply_payment_intent` updates the order. A difference that
remains is left for a person to resolve.
"""

import itertools
import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError, IntentSnapshot, IntentStatus
from apps.billing.models import Discrepancy
from apps.common import formats
from apps.common.money import Money
from apps.preorders.models import PreOrder
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q
from apps.preorders.models.states import OperationStatus, PaymentStatus
from apps.preorders.settlement.alarms import close_alarms
from apps.preorders.settlement.failed_refunds import record_failed_refunds
from apps.preorders.settlement.payments import apply_payment_intent

logger = logging.getLogger(__name__)

# How far back Stripe's lists are read each time.
LOOKBACK = timedelta(hours=2)
# Recent changes may still have a webhook on its way.
DELIVERY_GRACE = timedelta(minutes=1)
BATCH_SIZE = 500

_EXPECTED = {
    PaymentStatus.UNPAID: {IntentStatus.OPEN, IntentStatus.DEAD},
    PaymentStatus.REQUIRES_ACTION: {IntentStatus.NEEDS_ACTION},
    PaymentStatus.AUTHORIZED: {IntentStatus.HELD},
    PaymentStatus.CAPTURED: {IntentStatus.CAPTURED},
    PaymentStatus.REFUNDED: {IntentStatus.CAPTURED},
    PaymentStatus.RELEASED: {IntentStatus.DEAD},
    PaymentStatus.CAPTURE_FAILED: {IntentStatus.HELD, IntentStatus.OPEN, IntentStatus.DEAD},
}


def reconcile(*, now: datetime) -> int:
    """Compare our records with Stripe's recent intents and refunds, and with the intents of our
    unsettled orders.

    Returns the number of differences found. Raises GatewayError if Stripe's lists can't be read.
    """
    found = 0
    seen: set[str] = set()
    for hold in gateway.intents_since(now - LOOKBACK):
        seen.add(hold.intent_id)
        found += _check(hold.intent_id, hold, now=now)
    refunded = gateway.intents_refunded_since(now - LOOKBACK)
    for intent_id in itertools.chain(refunded, _unsettled_intents(now)):
        if intent_id not in seen:
            seen.add(intent_id)
            found += _check(intent_id, None, now=now)
    for intent_id in set(gateway.intents_with_failed_refunds_since(now - LOOKBACK)):
        record_failed_refunds(intent_id, now=now)
    close_alarms(now=now)
    return found


def _check(intent_id: str, hold: IntentSnapshot | None, *, now: datetime) -> bool:
    """Compare one intent; False also if it can't be read now, so that the others are compared."""
    try:
        return _compare(hold or gateway.retrieve_intent(intent_id), now=now)
    except GatewayError as error:
        logger.warning("intent %s cannot be read: %s", intent_id, error)
        return False


def _unsettled_intents(now: datetime) -> list[str]:
    """Intents of orders in checkout, with overdue operations, expired holds or open differences."""
    overdue = Q(
        operations__state=OperationStatus.PENDING, operations__due_at__lt=now - DELIVERY_GRACE
    )
    undecided_hold = Q(payment_status=PaymentStatus.AUTHORIZED, capture_before__lt=now)
    orders = PreOrder.objects.filter(CHECKOUT_OPEN_Q | overdue | undecided_hold)
    intents = orders.exclude(payment_intent_id=None).order_by("created_at")
    different = Discrepancy.objects.filter(
        kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None
    ).order_by("found_at")
    return [
        str(intent_id)
        for rows in (different, intents)
        for intent_id in rows.values_list("payment_intent_id", flat=True)[:BATCH_SIZE]
    ]


def _order_of(hold: IntentSnapshot) -> PreOrder | None:
    try:
        order_id = UUID(hold.pre_order_id or "")
    except ValueError:
        return None
    return PreOrder.objects.select_related("offer__restaurant").filter(pk=order_id).first()


def _compare(hold: IntentSnapshot, *, now: datetime) -> bool:
    order = _order_of(hold)
    if order is None:
        return False
    open_rows = Discrepancy.objects.filter(
        payment_intent_id=hold.intent_id, kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None
    )
    if not (difference := _difference(order, hold)):
        open_rows.update(resolved_at=now)
        return False
    if _is_possibly_in_transit(order, hold, now):
        return False
    if not open_rows.filter(description=difference).exists():
        Discrepancy.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order_id=order.pk,
            payment_intent_id=hold.intent_id,
            description=difference,
            found_at=now,
        )
    logger.warning("order %s, intent %s: %s", order.pk, hold.intent_id, difference)
    apply_payment_intent(hold.intent_id, now=now)
    order.refresh_from_db()
    if not _difference(order, gateway.retrieve_intent(hold.intent_id)):
        open_rows.update(resolved_at=now)
    return True


def _is_possibly_in_transit(order: PreOrder, hold: IntentSnapshot, now: datetime) -> bool:
    """Whether the difference could be a change whose webhook hasn't arrived yet."""
    moments = [order.created_at, hold.authorized_at]
    latest = order.transitions.order_by("-at").values_list("at", flat=True).first()
    moments.append(latest)
    return any(moment and moment > now - DELIVERY_GRACE for moment in moments)


def _difference(order: PreOrder, hold: IntentSnapshot) -> str:
    """A sentence about how the order and the intent differ; empty if they agree."""
    status = PaymentStatus(order.payment_status)
    if order.payment_intent_id not in (None, hold.intent_id):
        live = hold.state in (IntentStatus.HELD, IntentStatus.CAPTURED)
        is_refunded = hold.captured.cents and hold.refunded >= hold.captured
        return f"a second intent is {hold.state}" if live and not is_refunded else ""
    if order.payment_intent_id is None and hold.state in (IntentStatus.OPEN, IntentStatus.DEAD):
        return ""
    if not order.customer_name and hold.state is IntentStatus.HELD:
        return ""  # it counts once the guest's name is known (DECISIONS X24)
    if hold.state not in _EXPECTED[status]:
        return f"Stripe says {hold.state}, the order says {status}"
    currency = order.offer.restaurant.currency
    if hold.currency != currency:
        return f"Stripe says {hold.currency}, the restaurant charges in {currency}"
    charged, back = (formats.money(part, currency) for part in (hold.captured, hold.refunded))
    if status == PaymentStatus.CAPTURED:
        if hold.captured != Money.of(order.total_amount):
            total = formats.money(order.total_amount, currency)
            return f"Stripe charged {charged}, the order says {total}"
        if hold.refunded != Money.of(order.refunded_amount):
            recorded = formats.money(order.refunded_amount, currency)
            return f"Stripe refunded {back}, the order says {recorded}"
    if status == PaymentStatus.REFUNDED and hold.refunded < hold.captured:
        return f"Stripe refunded {back} of {charged}, the order says {status}"
    return ""
