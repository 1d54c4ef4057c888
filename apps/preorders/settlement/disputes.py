"""The single entry point for news about disputes.

Webhooks, the worker, and the reconciler call `apply_dispute` with Stripe's id. It reads the dispute
from Stripe, so that lost, duplicate, or reordered messages don't matter. Money follows the
dispute's balance transactions, not its status: a dispute that is won returns its fee or doesn't, as
Stripe's prices say (decision 42).
"""

import logging
from datetime import datetime

from django.db.models import Max, Sum

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import DisputeSnapshot
from apps.billing.models import Discrepancy
from apps.common.money import Money
from apps.common.transitions import Cause, transition
from apps.integrations.event_types import EventType
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import set_order_status
from apps.preorders.core.webhook_events import publish_dispute_event
from apps.preorders.models import (
    Dispute,
    DisputeTransition,
    Email,
    PaymentOperation,
    PreOrder,
)
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    DISPUTE_ALLOWED,
    INQUIRY_STATUSES,
    OPEN_DISPUTES,
    EmailKind,
    OperationKind,
    OperationStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.chargebacks import check_chargebacks
from apps.preorders.settlement.charged_orders import order_of_charge
from apps.preorders.settlement.refund_records import request_repeated_refund

logger = logging.getLogger(__name__)
ANSWERS = sorted({OperationKind.ANSWER_DISPUTE, OperationKind.ACCEPT_DISPUTE})


def apply_dispute(dispute_id: str, *, now: datetime) -> Dispute | None:
    """Read a dispute from Stripe and record it; None if its charge belongs to no order.

    Raises GatewayError if Stripe can't be read; calling it again later is safe.
    """
    return sync_dispute(gateway.retrieve_dispute(dispute_id), now=now)


def sync_dispute(found: DisputeSnapshot, *, now: datetime) -> Dispute | None:
    """Record a dispute that was just read from Stripe: status, ledger, and what follows."""
    with order_of_charge(found.intent_id) as order:
        if order is None:
            logger.error("dispute %s is about no order here", found.dispute_id)
            return None
        dispute = _dispute_row(order, found, now)
        _set_status(dispute, found, now)
        _record_movements(order, dispute, found, now)
        _request_transfers(order, dispute, now)
        request_repeated_refund(order, now=now)
        _finish_answers(dispute, now)
        if dispute.is_lost:
            _end_lost(order, dispute, now)
        _tell_guest(order, dispute, now)
        check_chargebacks(order, now=now)
        return dispute


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
    event_type = EventType.DISPUTE_OPENED if is_open else EventType.DISPUTE_CLOSED
    publish_dispute_event(dispute, event_type, now=now)


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
    """The bank has an answer, or no longer accepts one."""
    if dispute.status in AWAITING_ANSWER:
        return
    pending = PaymentOperation.objects.filter(
        dispute=dispute, kind__in=ANSWERS, state=OperationStatus.PENDING
    )
    answered = pending.filter(kind=OperationKind.ANSWER_DISPUTE)
    if not dispute.submissions:
        answered.update(state=OperationStatus.FAILED, finished_at=now, error=str(dispute.status))
    pending.update(state=OperationStatus.DONE, finished_at=now, error="")


def _tell_guest(order: PreOrder, dispute: Dispute, now: datetime) -> None:
    """Tell the guest what it means for an order that is still to be served (decision 70)."""
    if now >= order.offer.serving_ends:
        return
    is_to_come = order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED)
    if order.disputed_amount and is_to_come:
        queue_email(order, EmailKind.PAYMENT_DISPUTED, now=now)
    elif dispute.status not in OPEN_DISPUTES:
        announced = Email.objects.filter(pre_order=order, kind=EmailKind.PAYMENT_DISPUTED)
        if announced.exists() and order.status != PreOrderStatus.FULFILLED:
            queue_email(order, EmailKind.DISPUTE_SETTLED, now=now)


def _end_lost(order: PreOrder, dispute: Dispute, now: datetime) -> None:
    """The guest has the money: an order that is still to be served ends, and so does what they were
    owed."""
    paid = Money.of(order.total_amount) - Money.of(order.refunded_amount)
    everything = Money.of(order.disputed_amount) >= paid
    is_to_come = order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED)
    if everything and is_to_come and now < order.offer.serving_ends:
        cause = Cause(ReasonCode.DISPUTE_LOST)
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=cause)
        recount(order.offer, now=now)
    if everything:
        owed = (Discrepancy.Kind.REFUND_FAILED, Discrepancy.Kind.REFUND_RETURNED)
        Discrepancy.objects.filter(pre_order=order, kind__in=owed, resolved_at=None).update(
            resolved_at=now
        )
