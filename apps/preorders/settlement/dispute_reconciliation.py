"""Finds disputes and fraud warnings whose webhook never came, and reminds owners of answers that
are due.

Stripe's lists name new ones. Open disputes are read again every hour. Once a day, all disputes
recent enough for a bank to change its mind are listed, because one that has ended can change too: a
bank can give in after its decision, return money later, or make a chargeback of a closed inquiry.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Exists, OuterRef

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import ReconciliationProgress
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
LOOKBACK = timedelta(days=3)  # of Stripe's lists, at every pass
# How long after it was opened a dispute can still change. Stripe names no limit; arbitration by a
# card network is over by then: https://docs.stripe.com/disputes/how-disputes-work
ALL_OF = timedelta(days=540)
ALL_EVERY = timedelta(days=1)
ALL_LIST = "disputes"  # in `ReconciliationProgress`
READ_AGAIN_AFTER = timedelta(hours=1)
BATCH_SIZE = 100
REMIND_BEFORE = timedelta(days=2)


def reconcile_disputes(*, now: datetime) -> None:
    """Read what is new, open, or changed. Raises GatewayError if Stripe's lists can't be read.

    Safe to stop anywhere: the next pass begins again.
    """
    _read_lists(now - LOOKBACK, now)
    _read_open(now)
    progress, _ = ReconciliationProgress.objects.get_or_create(
        name=ALL_LIST, defaults={"since": now - ALL_OF}
    )
    if progress.finished_at is None or now >= progress.finished_at + ALL_EVERY:
        _read_lists(now - ALL_OF, now)
        progress.since, progress.finished_at = now - ALL_OF, now
        progress.save(update_fields=["since", "finished_at"])


def _read_lists(since: datetime, now: datetime) -> None:
    """Record what Stripe's lists say differently; one that fails doesn't stop the others."""
    for found in gateway.disputes_since(since):
        same = Dispute.objects.filter(
            dispute_id=found.dispute_id,
            status=found.status,
            movements=len(found.movements),
            submissions=found.submissions,
        )
        if not same.exists():
            _apply(partial(sync_dispute, found), found.dispute_id, now)
    for suspected in gateway.fraud_warnings_since(since):
        known = EarlyFraudWarning.objects.filter(
            warning_id=suspected.warning_id, is_actionable=suspected.is_actionable
        )
        if not known.exists():
            _apply(partial(sync_fraud_warning, suspected), suspected.warning_id, now)


def _read_open(now: datetime) -> None:
    long_ago = now - READ_AGAIN_AFTER
    disputes = Dispute.objects.filter(status__in=OPEN_DISPUTES, read_at__lt=long_ago)
    for dispute in disputes.order_by("read_at")[:BATCH_SIZE]:
        _apply(partial(apply_dispute, dispute.dispute_id), dispute.dispute_id, now)
    warnings = EarlyFraudWarning.objects.filter(is_actionable=True, read_at__lt=long_ago)
    for warning in warnings.order_by("read_at")[:BATCH_SIZE]:
        _apply(partial(apply_fraud_warning, warning.warning_id), warning.warning_id, now)


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


def _apply(apply: Callable[..., object], object_id: str, now: datetime) -> None:
    try:
        apply(now=now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", object_id, error)
