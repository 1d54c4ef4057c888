"""Placing the hold of one line of a cart, on the card the cart was given (DECISIONS X23).

A step of `settlement`: the diner is not there, so the bank may say no or ask for them. Then the
line is the diner's to mend while its checkout is open, and the other lines are none the wiser.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Declined, IntentSnapshot, IntentStatus, Refused
from apps.preorders.checkout.services import charge_of
from apps.preorders.core.cart_items import can_be_authorized
from apps.preorders.core.transitions import queue_email
from apps.preorders.models import Cart, PaymentOperation
from apps.preorders.models.states import EmailKind, OperationStatus
from apps.preorders.settlement.operations import claimed_by, finish, key_of, live_intent
from apps.preorders.settlement.payments import CHECKOUT_PAYMENTS, sync_intent

logger = logging.getLogger(__name__)

# A diner who is still there mends it meanwhile, and needs no letter.
RETRY_WINDOW = timedelta(minutes=5)
TOO_LATE = "the checkout ended before the card was held"


def authorize(operation: PaymentOperation, now: datetime) -> None:
    """Hold the line's sum, once. `reason` and `error` of a refused operation are the processor's
    code and sentence, `reference` the intent that can be confirmed with the diner."""
    order = operation.pre_order
    if order.payment_status not in CHECKOUT_PAYMENTS:
        finish(operation, OperationStatus.DONE, now, "")
        return
    cart = order.cart
    assert cart is not None
    hold = _made_before(operation, cart)
    if hold is None:
        if not can_be_authorized(order, now):
            finish(operation, OperationStatus.FAILED, now, TOO_LATE)
            return
        try:
            hold = gateway.charge_off_session(
                charge_of(order),
                customer_id=cart.payment_customer_id,
                payment_method_id=cart.payment_method_id,
                hold_only=True,
                key=key_of(operation, "authorize"),
            )
        except Refused as error:
            _refused(operation, error, now)
            return
    sync_intent(hold, now=now, known=order)
    if hold.state is not IntentStatus.HELD:
        _keep_refusal(operation, hold.state, "", hold.intent_id, now)


def _made_before(operation: PaymentOperation, cart: Cart) -> IntentSnapshot | None:
    """The hold of an earlier try that could not tell us of it. Nobody has asked before the first
    try, so there is nothing to look for then."""
    if operation.attempts == 1:
        return None
    order = operation.pre_order
    return live_intent(order, IntentStatus.HELD, customer_id=cart.payment_customer_id)


def _refused(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    logger.info("order %s: the hold was refused (%s)", operation.pre_order_id, error.code)
    intent_id = error.intent_id if isinstance(error, Declined) else ""
    if intent_id:
        sync_intent(gateway.retrieve_intent(intent_id), now=now, known=operation.pre_order)
    # Only what a card's bank says is meant for the diner.
    said = str(error) if isinstance(error, Declined) else ""
    _keep_refusal(operation, error.code, said, intent_id, now)


def _keep_refusal(
    operation: PaymentOperation, code: str, said: str, intent_id: str, now: datetime
) -> None:
    """Keep what the bank said, and a letter about it for a diner who has left."""
    with transaction.atomic():
        kept = claimed_by(operation).update(
            state=OperationStatus.FAILED,
            finished_at=now,
            reason=code[:200],
            error=said[:255],
            reference=intent_id,
        )
        if kept:
            queue_email(operation.pre_order, EmailKind.DECLINED, now=now, after=RETRY_WINDOW)
