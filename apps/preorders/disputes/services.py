"""What a restaurant's team decides about a dispute. A worker tells the bank."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import Conflict, NotFound
from apps.preorders.core.locks import lock_order
from apps.preorders.disputes.selectors import latest_answer
from apps.preorders.documents.evidence import evidence_pdf
from apps.preorders.models import Dispute
from apps.preorders.models.states import OperationKind, OperationStatus
from apps.preorders.settlement.disputes import request_dispute_operation
from apps.restaurants.models import Restaurant

UNKNOWN_DISPUTE = "We couldn't find this dispute. Check the link and try again."


@transaction.atomic
def answer_dispute(
    *, restaurant: Restaurant, dispute_id: UUID, remarks: str, by: str, now: datetime
) -> Dispute:
    """Send the evidence pack with the restaurant's remarks to the bank, which accepts only one
    answer.

    Raises NotFound, and Conflict if the dispute was answered or the time is up.
    """
    dispute = _lock(restaurant, dispute_id)
    _check_open(dispute, now)
    dispute.remarks = remarks
    dispute.save(update_fields=["remarks"])
    request_dispute_operation(dispute, OperationKind.ANSWER_DISPUTE, actor=by, now=now)
    _log(Kind.DISPUTE_ANSWERED, dispute, now)
    return dispute


@transaction.atomic
def accept_dispute(*, restaurant: Restaurant, dispute_id: UUID, by: str, now: datetime) -> Dispute:
    """Give in: the guest keeps the money, for good. Raises like `answer_dispute`."""
    dispute = _lock(restaurant, dispute_id)
    _check_open(dispute, now)
    request_dispute_operation(dispute, OperationKind.ACCEPT_DISPUTE, actor=by, now=now)
    _log(Kind.DISPUTE_ACCEPTED, dispute, now)
    return dispute


def download_evidence(dispute: Dispute, *, now: datetime) -> bytes:
    """The evidence pack as of now, as a PDF; it names the guest."""
    _log(Kind.EVIDENCE_DOWNLOADED, dispute, now)
    return evidence_pdf(dispute, now=now)


def _log(kind: Kind, dispute: Dispute, now: datetime) -> None:
    about = ("dispute", dispute.pk)
    record(kind, restaurant=dispute.restaurant_id, about=about, now=now)


def _lock(restaurant: Restaurant, dispute_id: UUID) -> Dispute:
    """The dispute, with its order's lock, under which every decision about it is made."""
    found = Dispute.objects.filter(restaurant=restaurant, pk=dispute_id).first()
    if found is None:
        raise NotFound(UNKNOWN_DISPUTE)
    order = lock_order(found.pre_order_id)
    dispute = Dispute.objects.get(pk=found.pk)
    dispute.pre_order = order
    return dispute


def _check_open(dispute: Dispute, now: datetime) -> None:
    if not dispute.awaits_answer(now):
        raise Conflict(
            "The bank no longer accepts an answer to this dispute. We'll email you how it ends."
        )
    answer = latest_answer(dispute)
    if answer is not None and answer.state != OperationStatus.FAILED:
        raise Conflict(
            "This dispute was already answered, and the bank accepts only one answer. We'll email "
            "you how it ends."
        )
