"""Renewing a hold that would expire before the decision (DECISIONS X12)."""

import logging
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CardUnusable, Declined, IntentStatus
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, charge_of
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import with_requested_change
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import EmailKind, OperationStage, OperationStatus
from apps.preorders.settlement.capture import ledger_ref
from apps.preorders.settlement.operations import PAY_LINK_TTL, finish, key_of, live_intent_besides
from apps.preorders.settlement.payments import apply_payment_intent, sync_intent
from apps.preorders.settlement.steps.checkout_link import send_link

logger = logging.getLogger(__name__)


def renew(operation: PaymentOperation, now: datetime) -> OperationStage | None:
    """Make a new hold off session; where the bank declines, email a link."""
    order = operation.pre_order
    current = gateway.retrieve_intent(order.payment_intent_id or "")
    if current.state is not IntentStatus.HELD:
        sync_intent(current, now=now, known=operation.pre_order)
        _give_up_renewal(operation, now, f"the hold is {current.state}")
        return None
    charge = charge_of(with_requested_change(order, operation))
    hold = live_intent_besides(order, IntentStatus.HELD, at_least=charge.amount)
    if hold is None:
        try:
            hold = gateway.charge_off_session(
                charge,
                customer_id=order.payment_customer_id,
                payment_method_id=order.payment_method_id,
                hold_only=True,
                key=key_of(operation, "renew"),
            )
        except (Declined, CardUnusable) as error:
            logger.info("order %s: the renewal was declined (%s)", order.pk, error.code)
    if hold is not None and hold.state is IntentStatus.HELD:
        # Replaces the old hold and advances the operation to CLEAN_UP.
        sync_intent(hold, now=now, known=operation.pre_order)
        return None
    return OperationStage.PAY_LINK


def renew_by_link(operation: PaymentOperation, now: datetime) -> None:
    order = operation.pre_order
    if not operation.reference:
        if operation.quantity is not None:
            # The guest is looking at the page and portions are reserved: no email, a short TTL.
            send_link(operation, now, None, now + CHECKOUT_LIFE)
            return
        until = min(now + PAY_LINK_TTL, order.capture_before or now)
        send_link(operation, now, EmailKind.RENEW_AUTHORIZATION, max(until, now + CHECKOUT_LIFE))
        return
    checkout = gateway.expire_checkout(operation.reference)
    if checkout.intent_id:
        apply_payment_intent(checkout.intent_id, now=now)
    _give_up_renewal(operation, now, "the guest did not renew")


def _give_up_renewal(operation: PaymentOperation, now: datetime, why: str) -> None:
    """End the renewal and free its portions; the order stays as it is."""
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        finish(operation, OperationStatus.FAILED, now, why)
        recount(order.offer, now=now)


def clean_up(operation: PaymentOperation, now: datetime) -> None:
    """Release the replaced hold, whose intent id is in `reference`."""
    hold = gateway.retrieve_intent(operation.reference)
    if hold.state is IntentStatus.HELD:
        gateway.release(operation.reference, key=key_of(operation, "clean-up"))
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        replaced = replace(ledger_ref(order), payment_intent_id=operation.reference)
        ledger.record_release(replaced, hold.amount, now=now)
        finish(operation, OperationStatus.DONE, now, "")
