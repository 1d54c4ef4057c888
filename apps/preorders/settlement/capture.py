"""What follows when the money of orders is taken: their outcome, their letters, the books.

`charge` is given one order by whoever hears of one charge, and all that a worker has charged of one
offer at its deadline (`services.together`). The caller holds the orders' locks.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from apps.billing import ledger
from apps.billing.fees import refunded_fees
from apps.billing.gateway import IntentSnapshot
from apps.common.money import Money
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import (
    finish_operations,
    queue_email,
    queue_emails,
    request_refund,
    set_order_status,
    set_order_statuses,
    set_payment_status,
    set_payment_statuses,
)
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)


def ledger_ref(order: PreOrder) -> ledger.OrderRef:
    return ledger.OrderRef(
        restaurant=order.offer.restaurant,
        pre_order_id=order.pk,
        offer_id=order.offer_id,
        payment_intent_id=order.payment_intent_id or "",
    )


def record_charge(charged: Sequence[tuple[PreOrder, IntentSnapshot]], *, now: datetime) -> None:
    """Note that the money of these orders, all of one restaurant, is taken: none was before."""
    orders = [order for order, _ in charged]
    set_payment_statuses(orders, PaymentStatus.CAPTURED, now=now, payment_processed_at=now)
    done = finish_operations(orders, {OperationKind.CAPTURE}, OperationStatus.DONE, now=now)
    if done < len(orders):
        # An order has a capture or a release, never both.
        finish_operations(
            orders, {OperationKind.RELEASE}, OperationStatus.FAILED, now=now, error="captured"
        )
    settle_charged(orders, now=now)
    # Last, because the month's totals are one row for all the restaurant's orders.
    ledger.record_captures([_line(order, hold) for order, hold in charged], now=now)


def _line(order: PreOrder, hold: IntentSnapshot) -> ledger.CaptureRecord:
    return ledger.CaptureRecord(
        ref=ledger_ref(order),
        amount=hold.captured,
        fees=price_of(order).fees,
        fee_rate=order.revenue_share_rate,
        transfer_id=hold.transfer_id,
    )


def settle_charged(orders: Sequence[PreOrder], *, now: datetime) -> None:
    """What charged orders become: confirmed where the offer goes ahead, refunded where it may not
    keep the money. Before the decision (an early capture, X12) they stay pending."""
    dishes: list[PreOrder] = []
    alternatives: list[PreOrder] = []
    for order in orders:
        if order.status == PreOrderStatus.CANCELLED or is_cancelled_after_failure(order):
            request_refund(order, up_to=None, now=now)
        elif order.offer.status in DECIDED and order.status == PreOrderStatus.PENDING:
            (alternatives if order.serves_alternative else dishes).append(order)
    set_order_statuses(dishes, PreOrderStatus.CONFIRMED, now=now, reason="it goes ahead")
    served = "the alternative is served"
    set_order_statuses(alternatives, PreOrderStatus.CONFIRMED, now=now, reason=served)
    if dishes or alternatives:
        queue_emails([*dishes, *alternatives], EmailKind.CONFIRMED, now=now)


def is_cancelled_after_failure(order: PreOrder) -> bool:
    """Whether the offer takes nobody's money, this order's included: it failed or was deleted, and
    the order is not served the alternative (DECISIONS X18)."""
    failed = order.offer.status in (OfferStatus.FAILED, OfferStatus.DELETED)
    return failed and not order.serves_alternative


def record_refunds(order: PreOrder, hold: IntentSnapshot, *, now: datetime) -> None:
    """Book what the processor has given back since we last looked, whoever asked it to: ours or the
    processor's own pages. The order stands until all of it is back.

    What is booked is the growth of the processor's own total, under the order's lock, so the same
    news twice, or old news late, books nothing.
    """
    if not hold.refunded.cents:
        return
    before = Money.of(order.refunded_amount)
    if hold.refunded > before:
        _record_refund(order, hold, hold.refunded - before, now)
    done = Q(refund_up_to__lte=hold.refunded.amount)
    if hold.refunded >= hold.captured:
        done |= Q(refund_up_to=None)
    PaymentOperation.objects.filter(
        done, pre_order=order, kind=OperationKind.REFUND, state=OperationStatus.PENDING
    ).update(state=OperationStatus.DONE, finished_at=now, error="")


def _record_refund(order: PreOrder, hold: IntentSnapshot, part: Money, now: datetime) -> None:
    fees = price_of(order).fees
    before = refunded_fees(fees, charged=hold.captured, refunded=hold.refunded - part)
    after = refunded_fees(fees, charged=hold.captured, refunded=hold.refunded)
    order.refunded_amount = hold.refunded.amount
    PreOrder.objects.filter(pk=order.pk).update(refunded_amount=order.refunded_amount)
    if hold.refunded >= hold.captured:
        set_payment_status(order, PaymentStatus.REFUNDED, now=now)
        if order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED):
            set_order_status(order, PreOrderStatus.CANCELLED, now=now, reason="refunded")
    queue_email(order, EmailKind.REFUNDED, now=now, amount=part, again=True)
    reference = str(hold.refunded.cents)
    ledger.record_refund(ledger_ref(order), part, after - before, reference=reference, now=now)
