"""Finds disputes and fraud warnings whose webhook never came, and reminds of answers that are due.

Stripe's lists name new ones. Open disputes are read again from time to time, because the decision
can come months later.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.preorders.models import Dispute, EarlyFraudWarning, Email, PaymentOperation
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    OPEN_DISPUTES,
    EmailKind,
    OperationKind,
    OperationStatus,
)
from apps.preorders.settlement.disputes import apply_dispute, queue_dispute_email, sync_dispute
from apps.preorders.settlement.fraud_warnings import apply_fraud_warning, sync_fraud_warning

logger = logging.getLogger(__name__)
LOOKBACK = timedelta(days=3)  # of Stripe's lists
READ_AGAIN_AFTER = timedelta(hours=1)
BATCH_SIZE = 100
REMIND_BEFORE = timedelta(days=2)


def reconcile_disputes(*, now: datetime) -> None:
    """Read what is new or open. Raises GatewayError if Stripe's lists can't be read."""
    for found in gateway.disputes_since(now - LOOKBACK):
        same = Dispute.objects.filter(
            dispute_id=found.dispute_id,
            status=found.status,
            movements=len(found.movements),
            submissions=found.submissions,
        )
        if not same.exists():
            sync_dispute(found, now=now)
    for suspected in gateway.fraud_warnings_since(now - LOOKBACK):
        known = EarlyFraudWarning.objects.filter(
            warning_id=suspected.warning_id, is_actionable=suspected.is_actionable
        )
        if not known.exists():
            sync_fraud_warning(suspected, now=now)
    long_ago = now - READ_AGAIN_AFTER
    disputes = Dispute.objects.filter(status__in=OPEN_DISPUTES, read_at__lt=long_ago)
    for dispute in disputes.order_by("read_at")[:BATCH_SIZE]:
        _read(apply_dispute, dispute.dispute_id, now)
    warnings = EarlyFraudWarning.objects.filter(is_actionable=True, read_at__lt=long_ago)
    for warning in warnings.order_by("read_at")[:BATCH_SIZE]:
        _read(apply_fraud_warning, warning.warning_id, now)


def remind_of_due_answers(*, now: datetime) -> int:
    """Queue one reminder for each dispute whose answer is due within two days."""
    reminded = Email.objects.filter(dispute=OuterRef("pk"), kind=EmailKind.DISPUTE_DUE)
    answered = PaymentOperation.objects.filter(
        dispute=OuterRef("pk"),
        kind__in=[OperationKind.ANSWER_DISPUTE, OperationKind.ACCEPT_DISPUTE],
    ).exclude(state=OperationStatus.FAILED)
    due = Dispute.objects.filter(
        ~Exists(reminded),
        ~Exists(answered),
        status__in=AWAITING_ANSWER,
        due_by__gt=now,
        due_by__lte=now + REMIND_BEFORE,
    )
    for dispute in due:
        queue_dispute_email(dispute, EmailKind.DISPUTE_DUE, now=now)
    return len(due)


def _read(apply: Callable[..., object], object_id: str, now: datetime) -> None:
    try:
        apply(object_id, now=now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", object_id, error)
