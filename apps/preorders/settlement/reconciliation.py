"""What the processor says and what we say, held against each other (design §4).

A difference is written down before anything is done about it; then the ordinary function is asked
to move the order forward. What is still different after that waits for a person.
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
from apps.preorders.models.querysets import ORDERS_IN_CHECKOUT
from apps.preorders.models.states import OperationStatus, PaymentStatus
from apps.preorders.settlement.payments import apply_payment_intent

logger = logging.getLogger(__name__)

# How far back the processor's own list is read each time.
WINDOW = timedelta(hours=2)
# News on its way is no difference.
PATIENCE = timedelta(minutes=1)
AT_ONCE = 500

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
    """Compare the processor's recent intents and refunds, and our unsettled orders' intents, with
    our books.

    Returns the number of differences found. Raises GatewayError when the processor's list cannot be
    read.
    """
    found = 0
    seen: set[str] = set()
    for hold in gateway.intents_since(now - WINDOW):
        seen.add(hold.intent_id)
        found += _check(hold.intent_id, hold, now=now)
    refunded = gateway.intents_refunded_since(now - WINDOW)
    for intent_id in itertools.chain(refunded, _unsettled_intents(now)):
        if intent_id not in seen:
            seen.add(intent_id)
            found += _check(intent_id, None, now=now)
    return found


def _check(intent_id: str, hold: IntentSnapshot | None, *, now: datetime) -> bool:
    """Compare one intent; one that cannot be read, or mended now, does not keep the others from
    it."""
    try:
        return _compare(hold or gateway.retrieve_intent(intent_id), now=now)
    except GatewayError as error:
        logger.warning("intent %s cannot be read: %s", intent_id, error)
        return False


def _unsettled_intents(now: datetime) -> list[str]:
    """Where something should have moved on by now: an order in checkout, an operation overdue, a
    hold past its end, a difference found before."""
    overdue = Q(operations__state=OperationStatus.PENDING, operations__due_at__lt=now - PATIENCE)
    undecided_hold = Q(payment_status=PaymentStatus.AUTHORIZED, capture_before__lt=now)
    orders = PreOrder.objects.filter(ORDERS_IN_CHECKOUT | overdue | undecided_hold)
    intents = orders.exclude(payment_intent_id=None).order_by("created_at")
    different = Discrepancy.objects.filter(resolved_at=None).order_by("found_at")
    return [
        str(intent_id)
        for rows in (different, intents)
        for intent_id in rows.values_list("payment_intent_id", flat=True)[:AT_ONCE]
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
    open_rows = Discrepancy.objects.filter(payment_intent_id=hold.intent_id, resolved_at=None)
    if not (difference := _difference(order, hold)):
        open_rows.update(resolved_at=now)
        return False
    if _is_fresh(order, hold, now):
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


def _is_fresh(order: PreOrder, hold: IntentSnapshot, now: datetime) -> bool:
    """Whether this may simply be news that has not arrived yet."""
    moments = [order.created_at, hold.authorized_at]
    latest = order.transitions.order_by("-at").values_list("at", flat=True).first()
    moments.append(latest)
    return any(moment and moment > now - PATIENCE for moment in moments)


def _difference(order: PreOrder, hold: IntentSnapshot) -> str:
    """What the two disagree about, in words; empty when they agree."""
    status = PaymentStatus(order.payment_status)
    if order.payment_intent_id not in (None, hold.intent_id):
        live = hold.state in (IntentStatus.HELD, IntentStatus.CAPTURED)
        given_back = hold.captured.cents and hold.refunded >= hold.captured
        return f"{hold.state} besides the order's own intent" if live and not given_back else ""
    if order.payment_intent_id is None and hold.state in (IntentStatus.OPEN, IntentStatus.DEAD):
        return ""
    if not order.customer_name and hold.state is IntentStatus.HELD:
        return ""  # it counts once its diner is known (DECISIONS X24)
    if hold.state not in _EXPECTED[status]:
        return f"the processor says {hold.state}, the order says {status}"
    currency = order.offer.restaurant.currency
    if hold.currency != currency:
        return f"the processor says {hold.currency}, the restaurant charges in {currency}"
    charged, back = (formats.money(part, currency) for part in (hold.captured, hold.refunded))
    if status == PaymentStatus.CAPTURED:
        if hold.captured != Money.of(order.total_amount):
            total = formats.money(order.total_amount, currency)
            return f"the processor charged {charged}, the order says {total}"
        if hold.refunded != Money.of(order.refunded_amount):
            booked = formats.money(order.refunded_amount, currency)
            return f"the processor refunded {back}, the order says {booked}"
    if status == PaymentStatus.REFUNDED and hold.refunded < hold.captured:
        return f"the processor refunded {back} of {charged}, the order says {status}"
    return ""
