"""Releasing a hold that is not captured."""

from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentStatus
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement.operations import key_of
from apps.preorders.settlement.payments import sync_intent


def release(operation: PaymentOperation, now: datetime) -> None:
    hold = gateway.retrieve_intent(operation.pre_order.payment_intent_id or "")
    if hold.state not in (IntentStatus.DEAD, IntentStatus.CAPTURED):
        hold = gateway.release(hold.intent_id, key=key_of(operation, "release"))
    sync_intent(hold, now=now, known=operation.pre_order)
