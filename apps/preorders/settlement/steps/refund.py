"""Refunding a charge, all of it or up to an amount."""

from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentSnapshot, RefundStatus, Refused
from apps.billing.models import Discrepancy
from apps.common import formats
from apps.common.money import Money
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationStatus
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.operations import PATIENCE, claimed_by, finish, key_of
from apps.preorders.settlement.payments import sync_intent
from apps.preorders.settlement.refund_records import CHARGE_DISPUTED, left_to_send, sent_for

# A refund that is refused with one of these never succeeds by waiting; a dispute that is won pays
# nobody back, so a refund must not follow it by itself: https://docs.stripe.com/error-codes
REFUSED_FOR_GOOD = frozenset(
    {"charge_already_refunded", "charge_disputed", "charge_not_refundable", "resource_missing"}
)
# The platform's own balance is too low: staff have an alarm and top it up, which can take days.
BALANCE_TOO_LOW = "balance_insufficient"
BALANCE_PATIENCE = timedelta(days=30)
# How often a pending refund is read when no webhook tells of it. Until it has succeeded or failed,
# the order counts as being refunded, and no other refund begins.
PENDING_CHECK = timedelta(hours=1)


def refund(operation: PaymentOperation, now: datetime) -> None:
    hold = gateway.retrieve_with_refunds(operation.pre_order.payment_intent_id or "")
    if (left := left_to_send(operation, hold)).cents > 0:
        # The key includes the amount sent so far: if another refund comes first, this becomes a
        # different, smaller refund.
        sent = sent_for(operation, hold).cents
        try:
            hold = _send(operation, hold, left, key=key_of(operation, f"refund-from-{sent}"))
        except Refused as error:
            hold = gateway.retrieve_with_refunds(hold.intent_id)
            is_still_due = left_to_send(operation, hold).cents > 0
            patience = BALANCE_PATIENCE if error.code == BALANCE_TOO_LOW else PATIENCE
            for_good = error.code in REFUSED_FOR_GOOD or now >= operation.created_at + patience
            if is_still_due and for_good:
                sync_intent(hold, now=now, known=operation.pre_order)
                _refund_failed(operation, error, now)
                return
            if is_still_due:
                raise
    sync_intent(hold, now=now, known=operation.pre_order)
    if hold.refunds is not None and hold.refunds.total(RefundStatus.PENDING).cents:
        claimed_by(operation).update(due_at=now + PENDING_CHECK, error="pending")


def _send(
    operation: PaymentOperation, hold: IntentSnapshot, amount: Money, *, key: str
) -> IntentSnapshot:
    if operation.dispute is not None:
        return gateway.repeat_refund(
            hold.intent_id, amount=amount, dispute_id=operation.dispute.dispute_id, key=key
        )
    return gateway.refund(hold.intent_id, amount=amount, with_fee=bool(hold.fee.cents), key=key)


def _refund_failed(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    """End a refund that Stripe refuses for good: the order is paid, as before it was requested.

    A person must look, because the guest was promised money, or is owed it after a failed offer.
    """
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        finish(operation, OperationStatus.FAILED, now, error.code)
        recount(order.offer, now=now)
        if operation.dispute is not None and error.code != CHARGE_DISPUTED:
            _promise_another_way(order, operation, error, now)
            return
        description = f"Stripe refused the refund for good: {error.code}"
        raise_alarm(order, Discrepancy.Kind.REFUND_FAILED, description, now=now)


def _promise_another_way(
    order: PreOrder, operation: PaymentOperation, error: Refused, now: datetime
) -> None:
    """A card that can't be refunded after a won dispute: staff pay the guest, who is told so."""
    amount = Money.of(operation.amount or 0)
    shown = formats.money(amount, order.offer.restaurant.currency)
    description = f"{shown}: refused after the dispute was won ({error.code})"
    raise_alarm(order, Discrepancy.Kind.REFUND_RETURNED, description, now=now)
    queue_email(order, EmailKind.REFUND_RETURNED, now=now, amount=amount, again=True)
