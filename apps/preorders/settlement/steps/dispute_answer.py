"""Answering a dispute: the evidence pack is submitted, or the dispute accepted."""

from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.preorders.documents.evidence import evidence_of
from apps.preorders.models import Dispute, PaymentOperation
from apps.preorders.models.states import AWAITING_ANSWER, OperationStatus
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.disputes import sync_dispute
from apps.preorders.settlement.operations import claimed_by, finish, key_of


def answer_dispute(operation: PaymentOperation, now: datetime) -> None:
    """Submit the evidence, once: the bank takes a single answer.

    The document is uploaded first and its id stored, so that every retry sends the same one.
    """
    dispute = _dispute_of(operation)
    found = gateway.retrieve_dispute(dispute.dispute_id)
    if found.status in AWAITING_ANSWER and not found.submissions:
        evidence = evidence_of(dispute, now=operation.created_at)
        try:
            if not operation.reference:
                operation.reference = gateway.upload_evidence(evidence)
                claimed_by(operation).update(reference=operation.reference)
            found = gateway.submit_evidence(
                dispute.dispute_id,
                evidence,
                file_id=operation.reference,
                key=key_of(operation, "answer"),
            )
        except Refused as error:
            _end_or_raise(operation, dispute, error, now)
            return
    sync_dispute(found, now=now)


def accept_dispute(operation: PaymentOperation, now: datetime) -> None:
    dispute = _dispute_of(operation)
    found = gateway.retrieve_dispute(dispute.dispute_id)
    if found.status in AWAITING_ANSWER:
        try:
            found = gateway.accept_dispute(dispute.dispute_id, key=key_of(operation, "accept"))
        except Refused as error:
            _end_or_raise(operation, dispute, error, now)
            return
    sync_dispute(found, now=now)


def _dispute_of(operation: PaymentOperation) -> Dispute:
    assert operation.dispute_id is not None
    disputes = Dispute.objects.select_related(
        "pre_order__offer__restaurant", "pre_order__offer__alternative_dish"
    )
    return disputes.get(pk=operation.dispute_id)


def _end_or_raise(
    operation: PaymentOperation, dispute: Dispute, error: Refused, now: datetime
) -> None:
    """Try again while there is time, and say so when there is none."""
    if dispute.awaits_answer(now):
        raise error
    finish(operation, OperationStatus.FAILED, now, error.code)
    description = f"The bank took no answer to the dispute: {error.code}"
    raise_alarm(operation.pre_order, Discrepancy.Kind.REFUSED, description, now=now)
