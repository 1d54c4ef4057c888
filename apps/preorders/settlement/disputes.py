"""The single entry point for news about disputes and early fraud warnings.

Webhooks, the worker and the reconciler call `apply_dispute` or `apply_fraud_warning` with Stripe's
id. Both read the object from Stripe, so that lost, duplicate or reordered messages don't matter.
Money follows the dispute's balance transactions, not its status: a dispute that is won returns its
fee or doesn't, as Stripe's prices say (decision 42).
"""

import logging
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Sum

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import DisputeSnapshot, FraudWarning
from apps.billing.models import Discrepancy
from apps.common import rls
from apps.common.money import Money
from apps.common.transitions import Cause, transition
from apps.preorders.core import jobs
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import set_order_status
from apps.preorders.models import (
    Dispute,
    DisputeTransition,
    EarlyFraudWarning,
    Email,
    PaymentOperation,
    PreOrder,
)
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    DISPUTE_ALLOWED,
    INQUIRY_STATUSES,
    OPEN_DISPUTES,
    DisputeStatus,
    EmailKind,
    OperationKind,
    OperationStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.chargebacks import check_chargebacks

logger = logging.getLogger(__name__)
ANSWERS = sorted({OperationKind.ANSWER_DISPUTE, OperationKind.ACCEPT_DISPUTE})


def apply_dispute(dispute_id: str, *, now: datetime) -> Dispute | None:
    """Read a dispute from Stripe and record it; None if its charge belongs to no order.

    Raises GatewayError if Stripe can't be read; calling it again later is safe.
    """
    return sync_dispute(gateway.retrieve_dispute(dispute_id), now=now)


def sync_dispute(found: DisputeSnapshot, *, now: datetime) -> Dispute | None:
    """Record a dispute that was just read from Stripe: status, ledger, and what follows."""
    known = _find_order(found.intent_id)
    if known is None:
        logger.error("dispute %s is about no order here", found.dispute_id)
        return None
    with rls.acting_as(known.restaurant_id), transaction.atomic():
        order = lock_order(known.pk)
        dispute = _dispute_row(order, found, now)
        _set_status(dispute, found, now)
        _record_movements(order, dispute, found, now)
        _request_transfers(order, dispute, now)
        _finish_answers(dispute, now)
        if dispute.status == DisputeStatus.LOST:
            _end_lost(order, dispute, now)
        check_chargebacks(order, now=now)
        return dispute


def _find_order(intent_id: str) -> PreOrder | None:
    """The order of an intent, of any restaurant: its own, or one that names it."""
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.only("restaurant_id")
        order = orders.filter(payment_intent_id=intent_id).first() if intent_id else None
        if order is not None or not intent_id:
            return order
        try:
            named = UUID(gateway.retrieve_intent(intent_id).pre_order_id or "")
        except ValueError:
            return None
        return orders.filter(pk=named).first()


def _dispute_row(order: PreOrder, found: DisputeSnapshot, now: datetime) -> Dispute:
    facts = {
        "amount": found.amount.amount,
        "reason": found.reason,
        "network_reason_code": found.network_reason_code,
        "due_by": found.due_by,
        "submissions": found.submissions,
        "read_at": now,
    }
    dispute, is_new = Dispute.objects.get_or_create(
        dispute_id=found.dispute_id,
        defaults={
            "restaurant_id": order.restaurant_id,
            "pre_order": order,
            "status": found.status,
            "charge_id": found.charge_id,
            "payment_intent_id": found.intent_id,
            "opened_at": found.opened_at,
            **facts,
        },
    )
    if is_new:
        logger.error("order %s: disputed as %s", order.pk, found.reason)
        DisputeTransition.objects.create(
            restaurant_id=order.restaurant_id,
            dispute=dispute,
            field="status",
            old="",
            new=found.status,
            at=now,
        )
        _announce(dispute, now)
    else:
        Dispute.objects.filter(pk=dispute.pk).update(**facts)
        for name, value in facts.items():
            setattr(dispute, name, value)
    return dispute


def _set_status(dispute: Dispute, found: DisputeSnapshot, now: datetime) -> None:
    old, new = dispute.status, found.status
    if new == old:
        return
    if new not in DISPUTE_ALLOWED.get(old, frozenset()):
        # Read before another worker's newer news; what it decided stays.
        logger.warning("dispute %s: ignored %s after %s", found.dispute_id, new, old)
        return
    transition(dispute, "status", new, allowed=DISPUTE_ALLOWED, now=now)
    is_escalated = old in INQUIRY_STATUSES and new not in INQUIRY_STATUSES
    if new not in OPEN_DISPUTES or is_escalated:
        _announce(dispute, now)


def _announce(dispute: Dispute, now: datetime) -> None:
    """Queue the email about the dispute's status, and remember when it ended."""
    is_open = dispute.status in OPEN_DISPUTES
    if not is_open:
        dispute.closed_at = now
        Dispute.objects.filter(pk=dispute.pk).update(closed_at=now)
    kind = EmailKind.DISPUTE_OPENED if is_open else EmailKind.DISPUTE_CLOSED
    queue_dispute_email(dispute, kind, now=now)


def queue_dispute_email(dispute: Dispute, kind: EmailKind, *, now: datetime) -> None:
    """Queue an email about the dispute to the restaurant's owners."""
    earlier = Email.objects.filter(dispute=dispute, kind=kind).aggregate(last=Max("number"))
    email = Email.objects.create(
        restaurant_id=dispute.restaurant_id,
        dispute=dispute,
        kind=kind,
        number=(earlier["last"] or 0) + 1,
        due_at=now,
    )
    jobs.enqueue_email(email.pk)


def _record_movements(
    order: PreOrder, dispute: Dispute, found: DisputeSnapshot, now: datetime
) -> None:
    if len(found.movements) <= dispute.movements:
        return  # known, or read before what is known
    ref = _ledger_ref(order, dispute)
    for movement in found.movements:
        ledger.record_dispute_movement(
            ref,
            amount=movement.amount,
            fee=movement.fee,
            reference=movement.movement_id,
            now=now,
        )
    withdrawn = -sum(movement.amount.cents for movement in found.movements)
    dispute.withdrawn = Money(max(withdrawn, 0)).amount
    dispute.fee = Money(sum(movement.fee.cents for movement in found.movements)).amount
    dispute.movements = len(found.movements)
    dispute.save(update_fields=["withdrawn", "fee", "movements"])
    total = Dispute.objects.filter(pre_order=order).aggregate(total=Sum("withdrawn"))["total"]
    order.disputed_amount = total
    PreOrder.objects.filter(pk=order.pk).update(disputed_amount=total)


def _ledger_ref(order: PreOrder, dispute: Dispute) -> ledger.OrderRef:
    """With the disputed intent, which can be an earlier one than the order's own."""
    return ledger.OrderRef(
        restaurant=order.offer.restaurant,
        pre_order_id=order.pk,
        offer_id=order.offer_id,
        payment_intent_id=dispute.payment_intent_id,
    )


def _request_transfers(order: PreOrder, dispute: Dispute, now: datetime) -> None:
    """Take the restaurant's part back while the bank has the money, and return it afterwards."""
    if dispute.withdrawn:
        request_dispute_operation(
            dispute, OperationKind.REVERSE_TRANSFER, amount=Money.of(dispute.withdrawn), now=now
        )
    elif dispute.movements:
        request_dispute_operation(dispute, OperationKind.RETURN_TRANSFER, now=now)


def request_dispute_operation(
    dispute: Dispute,
    kind: OperationKind,
    *,
    now: datetime,
    amount: Money | None = None,
    actor: str = "",
) -> PaymentOperation:
    """Create an operation of the dispute and queue it, unless there is one that didn't fail.

    The caller holds the order's lock.
    """
    operation = (
        PaymentOperation.objects.filter(dispute=dispute, kind=kind)
        .exclude(state=OperationStatus.FAILED)
        .first()
    )
    if operation is None:
        operation = PaymentOperation.objects.create(
            restaurant_id=dispute.restaurant_id,
            pre_order_id=dispute.pre_order_id,
            dispute=dispute,
            kind=kind,
            amount=None if amount is None else amount.amount,
            **Cause(actor=actor).columns,
            due_at=now,
            created_at=now,
        )
        jobs.enqueue_operation(operation.pk)
    return operation


def _finish_answers(dispute: Dispute, now: datetime) -> None:
    """The bank has an answer, or takes none any more."""
    if dispute.status in AWAITING_ANSWER:
        return
    pending = PaymentOperation.objects.filter(
        dispute=dispute, kind__in=ANSWERS, state=OperationStatus.PENDING
    )
    answered = pending.filter(kind=OperationKind.ANSWER_DISPUTE)
    if not dispute.submissions:
        answered.update(state=OperationStatus.FAILED, finished_at=now, error=str(dispute.status))
    pending.update(state=OperationStatus.DONE, finished_at=now, error="")


def _end_lost(order: PreOrder, dispute: Dispute, now: datetime) -> None:
    """The guest has the money: an order that is still to be served ends, and so does what they were
    owed."""
    paid = Money.of(order.total_amount) - Money.of(order.refunded_amount)
    everything = Money.of(order.disputed_amount) >= paid
    is_to_come = order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED)
    if everything and is_to_come and now < order.offer.serving_ends:
        cause = Cause(ReasonCode.DISPUTE_LOST)
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=cause)
        recount(order.offer)
    if everything:
        owed = (Discrepancy.Kind.REFUND_FAILED, Discrepancy.Kind.REFUND_RETURNED)
        Discrepancy.objects.filter(pre_order=order, kind__in=owed, resolved_at=None).update(
            resolved_at=now
        )


# --- early fraud warnings -----------------------------------------------------------------------


def apply_fraud_warning(warning_id: str, *, now: datetime) -> EarlyFraudWarning | None:
    """Read a warning from Stripe and record it; None if its charge belongs to no order.

    Raises GatewayError if Stripe can't be read; calling it again later is safe.
    """
    return sync_fraud_warning(gateway.retrieve_fraud_warning(warning_id), now=now)


def sync_fraud_warning(found: FraudWarning, *, now: datetime) -> EarlyFraudWarning | None:
    """Record a warning that was just read from Stripe; an ended one never starts again."""
    known = _find_order(found.intent_id)
    if known is None:
        logger.error("fraud warning %s is about no order here", found.warning_id)
        return None
    with rls.acting_as(known.restaurant_id), transaction.atomic():
        order = lock_order(known.pk)
        warning, is_new = EarlyFraudWarning.objects.get_or_create(
            warning_id=found.warning_id,
            defaults={
                "restaurant_id": order.restaurant_id,
                "pre_order": order,
                "fraud_type": found.fraud_type,
                "is_actionable": found.is_actionable,
                "opened_at": found.opened_at,
                "read_at": now,
            },
        )
        if is_new:
            logger.error("order %s: early fraud warning", order.pk)
        if is_new and found.is_actionable:
            email = Email.objects.create(
                restaurant_id=order.restaurant_id,
                fraud_warning=warning,
                kind=EmailKind.FRAUD_WARNING,
                due_at=now,
            )
            jobs.enqueue_email(email.pk)
        warning.is_actionable = warning.is_actionable and found.is_actionable
        warning.read_at = now
        warning.save(update_fields=["is_actionable", "read_at"])
        return warning
