"""Compares the ledger with the orders, with the payouts, and with Stripe.

A month's sums are compared when it is closed, and the chain of entries by `billing.chain`.

It only reads. A difference is a sentence for a person; nothing is corrected, because entries are
never changed and what happened at Stripe can't be guessed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import islice

from django.db.models import Sum

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import PaymentHistory, Payout, PlatformFee
from apps.common import rls
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.preorders.settlement.differences import difference

BATCH_SIZE = 500
Type = PaymentHistory.Type
CHARGED = (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)
ZERO = Decimal(0)


def check_ledger(
    *, with_stripe: bool = False, tell: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[str]:
    """Every difference found, as a sentence. `tell` hears how many orders of how many are done.

    With Stripe, each charged order is read there too: one call for each.
    """
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.select_related("offer__restaurant").order_by("pk")
        total, done = orders.count(), 0
        rows = orders.iterator(chunk_size=BATCH_SIZE)
        while batch := list(islice(rows, BATCH_SIZE)):
            yield from _check_orders(batch)
            for order in batch:
                if with_stripe and order.payment_status in CHARGED:
                    yield from _ask_stripe(order)
                done += 1
                tell(done, total)
        yield from _check_payouts()


def _check_orders(orders: list[PreOrder]) -> Iterator[str]:
    ids = [order.pk for order in orders]
    entries: dict[object, list[PaymentHistory]] = defaultdict(list)
    for entry in PaymentHistory.objects.filter(pre_order__in=ids).order_by("pk"):
        entries[entry.pre_order_id].append(entry)
    fees = {each.payment_intent_id: each for each in PlatformFee.objects.filter(pre_order__in=ids)}
    for order in orders:
        for problem in _check_order(order, entries[order.pk], fees):
            yield f"order {order.code} ({order.pk}): {problem}"


def _check_order(
    order: PreOrder, entries: Iterable[PaymentHistory], fees: dict[str, PlatformFee]
) -> Iterator[str]:
    own = [each for each in entries if each.payment_intent_id == order.payment_intent_id]
    amounts: dict[str, Decimal] = defaultdict(lambda: ZERO)
    for entry in own:
        amounts[entry.transaction_type] += entry.amount
    captures = [each for each in own if each.transaction_type == Type.CAPTURE]
    if order.payment_status not in CHARGED:
        if captures:
            yield f"the ledger has a charge, the order is {order.payment_status}"
        return
    if not captures:
        yield f"it is {order.payment_status}, and the ledger has no charge"
        return
    charge = captures[0]
    if order.payment_status == PaymentStatus.CAPTURED and charge.amount != order.total_amount:
        yield f"charged {charge.amount}, the order says {order.total_amount}"
    parts = amounts[Type.FEE] + amounts[Type.TRANSFER] + charge.platform_fee_amount
    if parts != charge.amount:
        yield f"charged {charge.amount}, but its parts are {parts}"
    if amounts[Type.REFUND] != order.refunded_amount:
        yield f"the ledger refunds {amounts[Type.REFUND]}, the order {order.refunded_amount}"
    fee = fees.get(charge.payment_intent_id)
    if fee is None:
        yield "its revenue share isn't recorded"
    elif fee.platform_fee_amount != charge.platform_fee_amount:
        yield f"revenue share {fee.platform_fee_amount}, the charge {charge.platform_fee_amount}"


def _ask_stripe(order: PreOrder) -> Iterator[str]:
    try:
        found = difference(order, gateway.retrieve_with_refunds(str(order.payment_intent_id)))
    except GatewayError as error:
        found = f"Stripe couldn't be asked: {error}"
    if found:
        yield f"order {order.code} ({order.pk}): {found}"


def _check_payouts() -> Iterator[str]:
    payouts = Payout.objects.annotate(entered=Sum("entries__entry__settled_amount"))
    for payout in payouts.order_by("pk").iterator():
        if payout.entered != payout.amount:
            yield f"payout {payout.pk}: {payout.amount}, its entries {payout.entered}"
