"""Deleting an erased guest's customers at Stripe, and with them the saved cards (decision 27)."""

from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.models import PaymentHistory
from apps.preorders.core.locks import lock_order
from apps.preorders.models import Cart, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus
from apps.preorders.settlement.operations import claimed_by, finish

LOOK_AGAIN_AFTER = timedelta(minutes=15)


def forget(operation: PaymentOperation, now: datetime) -> None:
    """Delete every customer that a card page or a hold of the order made.

    Waits for the order's other operations, of which a charge needs the card. A refund needs only
    the payment intent, so it can come later.
    """
    order = operation.pre_order
    others = PaymentOperation.objects.filter(pre_order=order, state=OperationStatus.PENDING)
    if others.exclude(kind=OperationKind.FORGET).exists():
        claimed_by(operation).update(due_at=now + LOOK_AGAIN_AFTER)
        return
    for customer_id in sorted(_customers(order)):
        gateway.delete_customer(customer_id)
    with transaction.atomic():
        locked = lock_order(order.pk)
        blank = {"payment_customer_id": "", "payment_method_id": ""}
        PreOrder.objects.filter(pk=locked.pk).update(**blank)
        Cart.objects.filter(items=locked.pk).update(**blank)
        finish(operation, OperationStatus.DONE, now, "")


def _customers(order: PreOrder) -> set[str]:
    """The order's customers, also those of holds that were replaced, which the ledger names."""
    held = PaymentHistory.objects.filter(
        pre_order=order, transaction_type=PaymentHistory.Type.AUTHORIZATION
    ).exclude(payment_intent_id="")
    intents = set(held.values_list("payment_intent_id", flat=True))
    customers = {gateway.retrieve_intent(intent_id).customer_id for intent_id in intents}
    customers |= {order.payment_customer_id, order.cart.payment_customer_id if order.cart else ""}
    return customers - {""}
