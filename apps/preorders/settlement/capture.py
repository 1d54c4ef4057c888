"""Records captured payments: the orders' outcome, their emails, and the ledger.

`record_charge` takes one order, or all that a worker charged of one offer (`batch_capture`). The
caller holds the orders' locks.
"""

from collections.abc import Sequence
from datetime import datetime

from apps.billing import ledger
from apps.billing.fees import split_fees
from apps.billing.gateway import IntentSnapshot
from apps.common.transitions import Cause
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.email_queue import queue_emails
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import (
    finish_operations,
    request_refund,
    set_order_statuses,
    set_payment_statuses,
)
from apps.preorders.models import PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)


def ledger_ref(order: PreOrder) -> ledger.OrderRef:
    """How ledger entries refer to this order."""
    return ledger.OrderRef(
        restaurant=order.offer.restaurant,
        pre_order_id=order.pk,
        offer_id=order.offer_id,
        payment_intent_id=order.payment_intent_id or "",
    )


def record_charge(charged: Sequence[tuple[PreOrder, IntentSnapshot]], *, now: datetime) -> None:
    """Record that these orders were charged.

    All belong to one restaurant, and none was recorded as charged before.
    """
    orders = [order for order, _ in charged]
    set_payment_statuses(orders, PaymentStatus.CAPTURED, now=now, payment_processed_at=now)
    done = finish_operations(orders, {OperationKind.CAPTURE}, OperationStatus.DONE, now=now)
    if done < len(orders):
        # An order has either a capture or a release.
        finish_operations(
            orders, {OperationKind.RELEASE}, OperationStatus.FAILED, now=now, error="captured"
        )
    settle_charged(orders, now=now)
    # Last, because it locks the month's totals, one row for all the restaurant's orders.
    ledger.record_captures([_capture_entry(order, hold) for order, hold in charged], now=now)


def _capture_entry(order: PreOrder, hold: IntentSnapshot) -> ledger.CaptureRecord:
    return ledger.CaptureRecord(
        ref=ledger_ref(order),
        amount=hold.captured,
        # What Stripe collected, which should be what we asked for; the reconciler compares.
        fees=split_fees(price_of(order).fees, hold.fee),
        fee_rate=order.revenue_share_rate,
        transfer_id=hold.transfer_id,
        captured_at=hold.captured_at,
    )


def settle_charged(orders: Sequence[PreOrder], *, now: datetime) -> None:
    """Give charged orders their outcome: confirmed if the offer went ahead, refunded if it failed.

    Before the decision (an early capture, DECISIONS X12) they stay pending and the guest is told.
    """
    dishes: list[PreOrder] = []
    alternatives: list[PreOrder] = []
    early: list[PreOrder] = []
    for order in orders:
        if order.status == PreOrderStatus.CANCELLED or is_cancelled_after_failure(order):
            request_refund(order, up_to=None, now=now)
        elif order.offer.status in DECIDED and order.status == PreOrderStatus.PENDING:
            (alternatives if order.serves_alternative else dishes).append(order)
        elif order.status == PreOrderStatus.PENDING:
            early.append(order)
    set_order_statuses(
        dishes, PreOrderStatus.CONFIRMED, now=now, cause=Cause(ReasonCode.WENT_AHEAD)
    )
    served = Cause(ReasonCode.ALTERNATIVE_SERVED)
    set_order_statuses(alternatives, PreOrderStatus.CONFIRMED, now=now, cause=served)
    if dishes or alternatives:
        queue_emails([*dishes, *alternatives], EmailKind.CONFIRMED, now=now)
    if early:
        queue_emails(early, EmailKind.CHARGED_EARLY, now=now)


def is_cancelled_after_failure(order: PreOrder) -> bool:
    """Whether this order must not be charged: its offer failed or was deleted, and it isn't served
    the alternative (DECISIONS X18)."""
    failed = order.offer.status in (OfferStatus.FAILED, OfferStatus.DELETED)
    return failed and not order.serves_alternative
