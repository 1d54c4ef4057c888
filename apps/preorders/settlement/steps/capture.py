"""Capturing a hold; where that fails, charging the card again, then a payment link.

A failed capture never changes the offer's outcome. Before a hold is given up, it is voided, so that
nobody can be charged twice.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    CardUnusable,
    Declined,
    IntentSnapshot,
    IntentStatus,
    Refused,
    StillWorking,
)
from apps.billing.hosted_checkout import CheckoutState
from apps.common.transitions import Cause
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, charge_of
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import set_payment_status
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    Instruction,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.batch_capture import record_or_batch
from apps.preorders.settlement.capture import is_cancelled_after_failure, ledger_ref
from apps.preorders.settlement.operations import (
    PATIENCE,
    PAY_LINK_TTL,
    TooManyDeclines,
    claimed_by,
    finish,
    key_of,
    live_intent_besides,
)
from apps.preorders.settlement.pauses import was_paused_for_declines
from apps.preorders.settlement.payments import apply_payment_intent, end_released, sync_intent
from apps.preorders.settlement.steps.checkout_link import send_link

logger = logging.getLogger(__name__)

# A refused capture says that the authorization is over. Any other refusal that isn't about the
# card is about the account, its permissions, or the request, and passes:
# https://docs.stripe.com/error-codes
AUTHORIZATION_IS_OVER = frozenset({"charge_expired_for_capture"})

# A declined capture voids its authorization. When this many captures of one offer were declined,
# and they are the larger part, the cause is hardly the cards: the rest waits …
PAUSE_AFTER_DECLINES = 5
# … for this long, so that a person can look before more authorizations are lost.
PAUSE = timedelta(hours=4)


def capture(operation: PaymentOperation, now: datetime) -> OperationStage | None:
    """Capture the hold, and continue with a retry if the card or the authorization is refused."""
    order = operation.pre_order
    if reason := _reason_to_call_off(operation, now):
        _call_off(operation, now, reason)
        return None
    price = price_of(order)
    hold = gateway.retrieve_intent(order.payment_intent_id or "")
    declined = ""
    if hold.state is IntentStatus.HELD:
        try:
            hold = gateway.capture(
                hold.intent_id,
                amount=price.total,
                fee=price.fees.application_fee,
                key=key_of(operation, "capture"),
            )
        except Refused as error:
            hold = gateway.retrieve_intent(hold.intent_id)
            if hold.state is IntentStatus.HELD and not _is_the_cards(error):
                raise
            if hold.state is IntentStatus.HELD and _has_too_many_declines(operation, now):
                raise TooManyDeclines(error.code, str(error)) from error
            declined = error.code
    _wait_while_processing(hold)
    record_or_batch(hold, now=now, known=operation.pre_order)
    if hold.state is not IntentStatus.CAPTURED:
        return _capture_failed(operation, declined or hold.reason, now)
    return None


def _wait_while_processing(hold: IntentSnapshot) -> None:
    """Raises StillWorking while Stripe hasn't settled the charge: it is read again in a moment."""
    if hold.state is IntentStatus.PROCESSING:
        raise StillWorking(f"{hold.intent_id} is processing")


def _is_the_cards(error: Refused) -> bool:
    """Whether a refused capture means that this authorization can't be captured anymore."""
    return isinstance(error, Declined) or error.code in AUTHORIZATION_IS_OVER


def _has_too_many_declines(operation: PaymentOperation, now: datetime) -> bool:
    """Whether so many captures of the offer were declined that the special pauses: once."""
    offer_id = operation.pre_order.offer_id
    if now >= operation.created_at + PAUSE or was_paused_for_declines(offer_id, now=now):
        return False
    orders = PreOrder.objects.filter(offer_id=offer_id)
    declined = orders.filter(payment_status=PaymentStatus.CAPTURE_FAILED).count()
    charged = orders.filter(payment_status=PaymentStatus.CAPTURED).count()
    return declined >= PAUSE_AFTER_DECLINES and declined >= charged


def _capture_failed(operation: PaymentOperation, reason: str, now: datetime) -> OperationStage:
    """Continue with one off-session retry; a failed capture never changes the offer's outcome."""
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status == PaymentStatus.AUTHORIZED:
            set_payment_status(order, PaymentStatus.CAPTURE_FAILED, now=now, cause=Cause(reason))
            recount(order.offer, now=now)
        claimed_by(operation).update(error=reason[:255])
    return OperationStage.RETRY


def retry_off_session(operation: PaymentOperation, now: datetime) -> OperationStage | None:
    """Charge the saved card again, after making sure the first hold can't be captured."""
    order = operation.pre_order
    if reason := _reason_to_call_off(operation, now):
        _call_off(operation, now, reason)
        return None
    if not _void(operation, now):
        return None
    hold = live_intent_besides(order, IntentStatus.CAPTURED)
    if hold is None and order.payment_method_id:
        try:
            hold = gateway.charge_off_session(
                charge_of(order),
                customer_id=order.payment_customer_id,
                payment_method_id=order.payment_method_id,
                hold_only=False,
                key=key_of(operation, "retry"),
            )
        except Refused as error:
            is_the_cards = isinstance(error, (Declined, CardUnusable))
            if not is_the_cards and now < operation.created_at + PATIENCE:
                raise
            logger.info("order %s: the retry was refused (%s)", order.pk, error.code)
    if hold is not None:
        _wait_while_processing(hold)
    if hold is not None and hold.state is IntentStatus.CAPTURED:
        sync_intent(hold, now=now, known=operation.pre_order)
        return None
    return OperationStage.PAY_LINK


def _void(operation: PaymentOperation, now: datetime) -> bool:
    """Make sure the first hold can never be captured. False if it already was."""
    order = operation.pre_order
    hold = gateway.retrieve_intent(order.payment_intent_id or "")
    _wait_while_processing(hold)
    if hold.state is IntentStatus.CAPTURED:
        sync_intent(hold, now=now, known=operation.pre_order)
        return False
    if hold.state is IntentStatus.HELD:
        gateway.release(hold.intent_id, key=key_of(operation, "void"))
    # An open intent holds no money, and its page is gone, so only the guest could still pay it.
    with transaction.atomic():
        ledger.record_release(ledger_ref(order), hold.amount, now=now)
    return True


def pay_link(operation: PaymentOperation, now: datetime) -> None:
    """Email the guest a payment link, valid for 24 hours but not longer than the serve date.

    Unused, that order alone is canceled.
    """
    ends = min(now + PAY_LINK_TTL, operation.pre_order.offer.serving_ends)
    reason = _reason_to_call_off(operation, now)
    if not reason and not operation.reference and ends < now + CHECKOUT_LIFE:
        reason = ReasonCode.SERVE_DATE_OVER  # Stripe opens no page for such a short time
    if reason and not (operation.reference and reason == ReasonCode.SERVE_DATE_OVER):
        _call_off(operation, now, reason)
        return
    if not operation.reference:
        send_link(operation, now, EmailKind.PAYMENT_NEEDED, ends)
        return
    checkout = gateway.expire_checkout(operation.reference)
    if checkout.state is CheckoutState.COMPLETE and checkout.intent_id:
        apply_payment_intent(checkout.intent_id, now=now)
        return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status == PaymentStatus.CAPTURE_FAILED:
            end_released(
                order,
                now=now,
                cause=Cause(ReasonCode.NOT_PAID_IN_TIME),
                email_kind=EmailKind.PAYMENT_LAPSED,
            )
            recount(order.offer, now=now)
        finish(operation, OperationStatus.FAILED, now, ReasonCode.NOT_PAID_IN_TIME)


def _reason_to_call_off(operation: PaymentOperation, now: datetime) -> ReasonCode | None:
    """Why this order must not be charged anymore; None if it still can be."""
    order = operation.pre_order
    if order.status == PreOrderStatus.CANCELLED:
        return ReasonCode.CANCELLED
    if operation.instruction == Instruction.GIVE_UP:
        return ReasonCode.GIVEN_UP
    if is_cancelled_after_failure(order):
        return ReasonCode.MINIMUM_MISSED
    return ReasonCode.SERVE_DATE_OVER if now >= order.offer.serving_ends else None


def _call_off(operation: PaymentOperation, now: datetime, reason: ReasonCode) -> None:
    """Stop a capture: the order was canceled or the offer failed after an early one (DECISIONS
    X12), or the day is over.

    Closes the payment link and releases the hold. A charge that already went through is refunded by
    `sync_intent`.
    """
    if operation.reference:
        checkout = gateway.expire_checkout(operation.reference)
        if checkout.state is CheckoutState.COMPLETE and checkout.intent_id:
            apply_payment_intent(checkout.intent_id, now=now)
            return
    if not _void(operation, now):
        return
    if charged := live_intent_besides(operation.pre_order, IntentStatus.CAPTURED):
        sync_intent(charged, now=now, known=operation.pre_order)
        return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status in (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED):
            end_released(order, now=now, cause=Cause(reason))
            recount(order.offer, now=now)
        finish(operation, OperationStatus.FAILED, now, reason)
