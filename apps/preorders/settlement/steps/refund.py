"""Refunding a charge, all of it or up to an amount."""

from datetime import datetime

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.common.money import Money
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationStatus
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.operations import PATIENCE, finish, key_of
from apps.preorders.settlement.payments import sync_intent

# A refund that is refused with one of these never succeeds by waiting; a dispute that is won pays
# nobody back, so a refund must not follow it by itself: https://docs.stripe.com/error-codes
REFUSED_FOR_GOOD = frozenset(
    {"charge_already_refunded", "charge_disputed", "charge_not_refundable", "resource_missing"}
)


def refund(operation: PaymentOperation, now: datetime) -> None:
    hold = gateway.retrieve_intent(operation.pre_order.payment_intent_id or "")
    up_to = hold.captured
    if operation.refund_up_to is not None:
        up_to = min(up_to, Money.of(operation.refund_up_to))
    if hold.refunded < up_to:
        # The key includes the amount refunded so far: if another refund comes first, this becomes
        # a different, smaller refund.
        try:
            hold = gateway.refund(
                hold.intent_id,
                amount=up_to - hold.refunded,
                with_fee=bool(hold.fee.cents),
                key=key_of(operation, f"refund-from-{hold.refunded.cents}"),
            )
        except Refused as error:
            hold = gateway.retrieve_intent(hold.intent_id)
            for_good = error.code in REFUSED_FOR_GOOD or now >= operation.created_at + PATIENCE
            if hold.refunded < up_to and for_good:
                sync_intent(hold, now=now, known=operation.pre_order)
                _refund_failed(operation, error, now)
                return
            if hold.refunded < up_to:
                raise
    sync_intent(hold, now=now, known=operation.pre_order)


def _refund_failed(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    """End a refund that Stripe refuses for good: the order is paid, as before it was requested.

    A person must look, because the guest was promised money, or is owed it after a failed offer.
    """
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        finish(operation, OperationStatus.FAILED, now, error.code)
        recount(order.offer)
        description = f"Stripe refused the refund for good: {error.code}"
        raise_alarm(order, Discrepancy.Kind.REFUND_FAILED, description, now=now)
