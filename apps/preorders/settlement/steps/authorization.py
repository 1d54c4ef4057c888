"""Authorizing one cart item on the cart's saved card (DECISIONS X23).

A step of `settlement`: the guest is not present, so the bank may decline or ask for them. The guest
can then retry until checkout expires; other items are unaffected.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CardUnusable, Declined, IntentSnapshot, IntentStatus
from apps.common.transitions import REASON_CODE_LENGTH
from apps.preorders.checkout.payment_page import charge_of
from apps.preorders.core.cart_items import can_be_authorized
from apps.preorders.core.declines import reason_shown
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.locks import lock_order
from apps.preorders.models import Cart, PaymentOperation
from apps.preorders.models.states import CHECKOUT_STATUSES, EmailKind, OperationStatus
from apps.preorders.settlement.operations import claimed_by, finish, key_of, live_intent
from apps.preorders.settlement.payments import sync_intent

logger = logging.getLogger(__name__)

# A guest who is still there retries in this time and needs no email.
RETRY_WINDOW = timedelta(minutes=5)
TOO_LATE = "the checkout ended before the card was held"


def authorize(operation: PaymentOperation, now: datetime) -> None:
    """Hold the item's total, once. On a declined operation, `reason_code` is `reason_shown`,
    `error` the payment provider's message, `reference` the intent the guest can confirm."""
    order = operation.pre_order
    if order.payment_status not in CHECKOUT_STATUSES:
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
        except (Declined, CardUnusable) as error:
            _declined(operation, error, now)
            return
    sync_intent(hold, now=now, known=order)
    if hold.state is not IntentStatus.HELD:
        _record_refusal(operation, hold.state, "", hold.intent_id, now)


def _made_before(operation: PaymentOperation, cart: Cart) -> IntentSnapshot | None:
    """The hold of an earlier attempt whose answer was lost. Before the first attempt there is
    nothing to look for."""
    if operation.attempts == 1:
        return None
    order = operation.pre_order
    return live_intent(order, IntentStatus.HELD, customer_id=cart.payment_customer_id)


def _declined(operation: PaymentOperation, error: Declined | CardUnusable, now: datetime) -> None:
    logger.info("order %s: the hold was declined (%s)", operation.pre_order_id, error.code)
    intent_id = error.intent_id if isinstance(error, Declined) else ""
    if intent_id:
        sync_intent(gateway.retrieve_intent(intent_id), now=now, known=operation.pre_order)
    # Only a bank's own message is meant for the guest.
    message = str(error) if isinstance(error, Declined) else ""
    _record_refusal(operation, reason_shown(error), message, intent_id, now)


def _record_refusal(
    operation: PaymentOperation, code: str, message: str, intent_id: str, now: datetime
) -> None:
    """Record what the bank said, and queue an email for a guest who has left."""
    with transaction.atomic():
        # The email's row refers to the order, which must be locked before its operation.
        order = lock_order(operation.pre_order_id, read=operation.pre_order.offer)
        updated = claimed_by(operation).update(
            state=OperationStatus.FAILED,
            finished_at=now,
            reason_code=code[:REASON_CODE_LENGTH],
            error=message[:255],
            reference=intent_id,
        )
        if updated:
            queue_email(order, EmailKind.DECLINED, now=now, after=RETRY_WINDOW)
