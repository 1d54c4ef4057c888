"""Records captured payments: the orders' outcome, their emails and the ledger.

`charge` takes one order, or all that a worker charged of one offer (`services.together`). The
caller holds the orders' locks.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from apps.billing import ledger
from apps.billing.fees import fees_given_back
from apps.billing.gateway import Hold
from apps.common.money import Money
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.pricing import price_of
from apps.preorders.services.moves import (
    finish_operations,
    move_order,
    move_orders,
    move_payment,
    move_payments,
    order_refund,
    queue_letter,
    queue_letters,
)
from apps.preorders.states import (
    MailKind,
    OperationKind,
    OperationState,
    PaymentStatus,
    PreOrderStatus,
)


def ledger_ref(order: PreOrder) -> ledger.OrderRef:
    """How ledger entries refer to this order."""
    return ledger.OrderRef(
        restaurant=order.offer.restaurant,
        pre_order_id=order.pk,
        offer_id=order.offer_id,
        payment_intent_id=order.payment_intent_id or "",
    )


def charge(charged: Sequence[tuple[PreOrder, Hold]], *, now: datetime) -> None:
    """Record that these orders were charged.

    All belong to one restaurant, and none was recorded as charged before.
    """
    orders = [order for order, _ in charged]
    move_payments(orders, PaymentStatus.CAPTURED, now=now, payment_processed_at=now)
    done = finish_operations(orders, {OperationKind.CAPTURE}, OperationState.DONE, now=now)
    if done < len(orders):
        # An order has either a capture or a release.
        finish_operations(
            orders, {OperationKind.RELEASE}, OperationState.FAILED, now=now, error="captured"
        )
    settle_charged(orders, now=now)
    # Last, because it locks the month's totals, one row for all the restaurant's orders.
    ledger.book_captures([_capture_entry(order, hold) for order, hold in charged], now=now)


def _capture_entry(order: PreOrder, hold: Hold) -> ledger.Capture:
    return ledger.Capture(
        ref=ledger_ref(order),
        amount=hold.captured,
        fees=price_of(order).fees,
        fee_rate=order.revenue_share_rate,
        transfer_id=hold.transfer_id,
    )


def settle_charged(orders: Sequence[PreOrder], *, now: datetime) -> None:
    """Give charged orders their outcome: confirmed if the offer went ahead, refunded if it failed.

    Before the decision (an early capture, DECISIONS X12) they stay pending.
    """
    dishes: list[PreOrder] = []
    alternatives: list[PreOrder] = []
    for order in orders:
        if order.status == PreOrderStatus.CANCELLED or is_called_off(order):
            order_refund(order, up_to=None, now=now)
        elif order.offer.status in DECIDED and order.status == PreOrderStatus.PENDING:
            (alternatives if order.serves_alternative else dishes).append(order)
    move_orders(dishes, PreOrderStatus.CONFIRMED, now=now, reason="it goes ahead")
    served = "the alternative is served"
    move_orders(alternatives, PreOrderStatus.CONFIRMED, now=now, reason=served)
    if dishes or alternatives:
        queue_letters([*dishes, *alternatives], MailKind.CONFIRMED, now=now)


def is_called_off(order: PreOrder) -> bool:
    """Whether this order must not be charged: its offer failed or was deleted, and it isn't served
    the alternative (DECISIONS X18)."""
    failed = order.offer.status in (OfferStatus.FAILED, OfferStatus.DELETED)
    return failed and not order.serves_alternative


def book_refunds(order: PreOrder, hold: Hold, *, now: datetime) -> None:
    """Record refunds that Stripe has made since we last read the intent, ours or its dashboard's.

    It records the increase of Stripe's total, under the order's lock, so duplicate or outdated
    events record nothing. The order stays valid until it is fully refunded.
    """
    if not hold.refunded.cents:
        return
    before = Money.of(order.refunded_amount)
    if hold.refunded > before:
        _book_refund(order, hold, hold.refunded - before, now)
    done = Q(refund_up_to__lte=hold.refunded.amount)
    if hold.refunded >= hold.captured:
        done |= Q(refund_up_to=None)
    PaymentOperation.objects.filter(
        done, pre_order=order, kind=OperationKind.REFUND, state=OperationState.PENDING
    ).update(state=OperationState.DONE, finished_at=now, error="")


def _book_refund(order: PreOrder, hold: Hold, part: Money, now: datetime) -> None:
    fees = price_of(order).fees
    before = fees_given_back(fees, charged=hold.captured, refunded=hold.refunded - part)
    after = fees_given_back(fees, charged=hold.captured, refunded=hold.refunded)
    order.refunded_amount = hold.refunded.amount
    PreOrder.objects.filter(pk=order.pk).update(refunded_amount=order.refunded_amount)
    if hold.refunded >= hold.captured:
        move_payment(order, PaymentStatus.REFUNDED, now=now)
        if order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED):
            move_order(order, PreOrderStatus.CANCELLED, now=now, reason="refunded")
    queue_letter(order, MailKind.REFUNDED, now=now, amount=part, again=True)
    reference = str(hold.refunded.cents)
    ledger.book_refund(ledger_ref(order), part, after - before, reference=reference, now=now)
