"""What is wrong when each alarm opens, and what ends it: one entry for each rule. Rows are written
directly, because an alarm doesn't depend on how they came about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from djstripe.models import WebhookEventTrigger

from apps.admin_ops import health
from apps.admin_ops.models import Backup
from apps.billing.models import Discrepancy, ReconciliationProgress
from apps.monitoring import questions
from apps.offers.models import SpecialOffer
from apps.preorders.models import Dispute, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    DisputeStatus,
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement import pauses
from tests.factories import PreOrderFactory, SpecialOfferFactory

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Trouble:
    """`begin` makes the alarm ring and `end` makes it quiet; both get the present."""

    begin: Change
    end: Change


def everybody_lives(now):
    """Each worker and the scheduler show that they are alive."""
    health.note_worker([queue.name for queue in settings.CELERY_TASK_QUEUES], now=now)
    health.note_heartbeat(now=now)


def all_is_well(now):
    """Also, a backup is fresh and the reconciler has read its lists."""
    everybody_lives(now)
    Backup.objects.create(taken_at=now, finished_at=now, rows_written=1)
    ReconciliationProgress.objects.update_or_create(
        name="intents", defaults={"since": now, "finished_at": now}
    )


def held_order(**facts):
    return PreOrderFactory(**{"payment_status": PaymentStatus.AUTHORIZED, **facts})


def operation(now, order=None, **facts):
    order = order or held_order()
    return PaymentOperation.objects.create(
        **{
            "restaurant": order.restaurant,
            "pre_order": order,
            "kind": OperationKind.CAPTURE,
            "due_at": now,
            "created_at": now,
            **facts,
        }
    )


def issue(now, kind, number=1, **facts):
    for _ in range(number):
        order = held_order()
        Discrepancy.objects.create(
            restaurant=order.restaurant,
            pre_order=order,
            kind=kind,
            description="Something",
            **{"found_at": now, **facts},
        )


def no_issue(now):
    Discrepancy.objects.update(resolved_at=now)


def email(now, **facts):
    order = held_order()
    return Email.objects.create(
        restaurant=order.restaurant, pre_order=order, kind=EmailKind.RECEIVED, **facts
    )


def failing_emails(now):
    for _ in range(3):
        email(now, due_at=now + timedelta(seconds=8), attempts=3, error="refused")


def emails_are_sent(now):
    Email.objects.update(sent_at=now)


def waiting_webhook(now):
    trigger = WebhookEventTrigger.objects.create(
        body="{}", headers={}, remote_ip="127.0.0.1", valid=True, processed=False
    )
    WebhookEventTrigger.objects.filter(pk=trigger.pk).update(created=now - timedelta(minutes=6))


def dispute(now):
    order = PreOrderFactory(payment_status=PaymentStatus.CAPTURED)
    Dispute.objects.create(
        restaurant=order.restaurant,
        pre_order=order,
        status=DisputeStatus.NEEDS_RESPONSE,
        amount=10,
        reason="fraudulent",
        due_by=now + timedelta(hours=47),
        opened_at=now,
        read_at=now,
        dispute_id=f"du_{uuid4().hex}",
        charge_id="ch_1",
        payment_intent_id="pi_1",
    )


def late_special(now):
    SpecialOfferFactory(created_at=now - timedelta(days=1), deadline=now - timedelta(minutes=3))


def decided(now):
    SpecialOffer.objects.update(status="failed", decided_at=now)


def silent_worker(now):
    health.note_worker(["settlement"], now=now - timedelta(seconds=61))


def silent_scheduler(now):
    health.note_heartbeat(now=now - timedelta(seconds=61))


def old_backup(now):
    Backup.objects.update(taken_at=now - timedelta(hours=27))


def reconciler_stands_still(now):
    ReconciliationProgress.objects.update(finished_at=now - timedelta(minutes=31))


def operations_done(now):
    PaymentOperation.objects.update(state=OperationStatus.DONE)


def ending_hold(now):
    offer = SpecialOfferFactory(deadline=now + timedelta(hours=7))
    held_order(offer=offer, capture_before=now + timedelta(hours=5))


def holds_released(now):
    PreOrder.objects.update(payment_status=PaymentStatus.RELEASED)


TROUBLES: dict[str, Trouble] = {
    "settlement_late": Trouble(late_special, decided),
    "operations_late": Trouble(
        lambda now: operation(now, due_at=now - timedelta(minutes=6)), operations_done
    ),
    "settlement_paused": Trouble(
        lambda now: pauses.pause_settlement(
            target=pauses.EVERYTHING, reason="Looking", by="Ada", now=now
        ),
        lambda now: pauses.end_pause(target=pauses.EVERYTHING, by="Ada", now=now),
    ),
    "holds_ending": Trouble(ending_hold, holds_released),
    "captures_paused": Trouble(lambda now: issue(now, Discrepancy.Kind.PAUSED), no_issue),
    "payments_refused": Trouble(lambda now: issue(now, Discrepancy.Kind.REFUSED, 5), no_issue),
    "differences_found": Trouble(
        lambda now: issue(
            now,
            Discrepancy.Kind.DIFFERENCE,
            found_at=now - questions.DIFFERENCES_AFTER,
        ),
        no_issue,
    ),
    "reconciliation_late": Trouble(reconciler_stands_still, all_is_well),
    "payment_issues_open": Trouble(
        lambda now: issue(now, Discrepancy.Kind.REFUND_RETURNED), no_issue
    ),
    "disputes_due": Trouble(
        dispute, lambda now: Dispute.objects.update(status=DisputeStatus.UNDER_REVIEW)
    ),
    "webhooks_late": Trouble(
        waiting_webhook, lambda now: WebhookEventTrigger.objects.update(processed=True)
    ),
    "emails_late": Trouble(
        lambda now: email(now, due_at=now - timedelta(minutes=16)), emails_are_sent
    ),
    "emails_failing": Trouble(failing_emails, emails_are_sent),
    "scheduler_silent": Trouble(silent_scheduler, everybody_lives),
    "worker_silent": Trouble(silent_worker, everybody_lives),
    "backup_old": Trouble(old_backup, all_is_well),
}
