"""Executes payment operations: one call to Stripe at a time, safe to repeat (design §3).

A worker claims rows with a lease, one or several at once, and holds no lock and no transaction
while it talks to Stripe. It reads the intent before it acts, uses an idempotency key derived from
the row, and passes the result to `sync_intent`, which also finishes the row. So a worker can die
between any two lines: the next one finds the row after the lease and reads the intent again.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.billing.gateway import Refused, ServerError, Unreachable
from apps.billing.models import Discrepancy
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus
from apps.preorders.settlement import pauses
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.operations import TooManyDeclines, claimed_by
from apps.preorders.settlement.steps import (
    authorization,
    capture,
    dispute_answer,
    forget,
    refund,
    release,
    renewal,
    transfer,
)

logger = logging.getLogger(__name__)

# How long a worker owns an operation; its calls together take less.
LEASE = timedelta(seconds=90)
# An operation that waited longer for its turn, among those claimed at once, gets a whole lease.
FRESH_FOR = timedelta(seconds=5)
# The sweep assumes an operation's message is lost after this time. A thousand operations of one
# offer are in the queue for most of it, at Stripe's 25 calls a second.
QUEUE_GRACE = timedelta(minutes=1)
MAX_RETRY_DELAY = timedelta(minutes=15)
ALARM_AFTER_ATTEMPTS = 8  # about eight minutes
# Stripe changed the object since we read it; the next attempt reads it again. No person is needed.
CHANGED_SINCE_READ = frozenset({"payment_intent_unexpected_state"})


def due_operations(*, now: datetime, limit: int = 500) -> list[int]:
    """Operations whose message was lost, whose worker died, or whose retry is due; without those
    that a pause holds back."""
    never_begun = Q(attempts=0, due_at__lte=now - QUEUE_GRACE)
    to_go_on = Q(attempts__gt=0, due_at__lte=now)
    due = PaymentOperation.objects.filter(never_begun | to_go_on, state=OperationStatus.PENDING)
    paused = pauses.held_back(pauses.settlement_pauses(now=now))
    return list(
        (due if paused is None else due.exclude(paused))
        .order_by("due_at")
        .values_list("pk", flat=True)[:limit]
    )


def unqueued_operations(*, now: datetime) -> list[int]:
    """Of `due_operations`, those that the sweep didn't return for this attempt within a minute.

    They are still in the queue then.
    """
    due = due_operations(now=now)
    attempts = dict(PaymentOperation.objects.filter(pk__in=due).values_list("pk", "attempts"))
    keys = {f"operation-swept:{pk}:{attempts[pk]}": pk for pk in due}
    swept = cache.get_many(keys)
    cache.set_many(dict.fromkeys(keys, 1), timeout=int(QUEUE_GRACE.total_seconds()))
    return [pk for key, pk in keys.items() if key not in swept]


def claim_operations(
    operation_ids: Sequence[int],
    *,
    now: datetime,
    offers: dict[UUID, SpecialOffer] | None = None,
) -> dict[int, PaymentOperation]:
    """Load some of a message's operations and take their leases at once, for `run_operation`.

    Only those of decided offers: their orders no longer change, so it's safe to read them early.
    Without those that are finished, not due, held back by a pause, or that another worker is about
    to claim. One whose turn doesn't come is for `return_operations`. `offers` are those that were
    loaded for the same message before; new ones are added.
    """
    known = {} if offers is None else offers
    active = pauses.settlement_pauses(now=now)
    rows = PaymentOperation.objects.filter(
        pk__in=operation_ids, pre_order__offer__status__in=DECIDED
    ).select_related("pre_order")
    with transaction.atomic():
        # Skips what others have locked, so nobody waits and no operation has two workers:
        # https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE
        claimed = [
            operation
            for operation in rows.select_for_update(skip_locked=True, of=("self",))
            if _is_due(operation, now) and not pauses.is_held_back(operation, active)
        ]
        PaymentOperation.objects.filter(pk__in=[each.pk for each in claimed]).update(
            attempts=F("attempts") + 1, due_at=now + LEASE
        )
    if missing := {each.pre_order.offer_id for each in claimed} - known.keys():
        with_account = SpecialOffer.objects.select_related("restaurant__connect_account")
        known.update(with_account.in_bulk(missing))
    for operation in claimed:
        operation.pre_order.offer = known[operation.pre_order.offer_id]
        operation.attempts += 1
        operation.due_at = now + LEASE
    return {operation.pk: operation for operation in claimed}


def return_operations(claimed: Collection[PaymentOperation], *, now: datetime) -> None:
    """End the leases of claimed operations whose turn didn't come, as if never claimed."""
    ours = Q()
    for lease_ends in {operation.due_at for operation in claimed}:
        ours |= Q(due_at=lease_ends)
    if claimed:
        PaymentOperation.objects.filter(
            ours, pk__in=[each.pk for each in claimed], state=OperationStatus.PENDING
        ).update(attempts=F("attempts") - 1, due_at=now)


def run_operation(
    operation_id: int,
    *,
    now: datetime,
    claimed: PaymentOperation | None = None,
) -> bool:
    """Execute the operation as far as possible now.

    `claimed`: the row, if `claim_operations` has its lease. Returns False if the operation is
    finished, not due, held back by a pause, or claimed by another worker. Failures of Stripe are
    stored on the row and retried later; only a definite refusal changes the order.
    """
    operation = claimed or _with_order().get(pk=operation_id)
    is_ours = _keeps_lease(operation, now) if claimed else _claim(operation, now)
    if not is_ours:
        return False
    try:
        step = _STEPS[OperationKind(operation.kind), OperationStage(operation.stage)]
        if stage := step(operation, now):
            _advance(operation, stage, now)
    except Unreachable as error:
        # The outcome is unknown: read the intent and retry with the same key.
        _alarm_failing(operation, "doesn't answer", now)
        _try_later(operation, now, error)
    except ServerError as error:
        # Stripe replays this failure for the key, so the retry needs a new one.
        _alarm_failing(operation, "answers with errors", now)
        _try_later(operation, now, error, new_key=True)
    except TooManyDeclines as error:
        _pause(operation, error, now)
        _try_later(operation, now, error, new_key=True)
    except Refused as error:
        # The intent changed after we read it, or the refusal passes: read it again.
        if error.code not in CHANGED_SINCE_READ:
            _alarm_refused(operation, error, now)
        _try_later(operation, now, error, new_key=True)
    return True


def _pause(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    """Pause the special for a while, so that a person can look before more holds are lost."""
    pauses.pause_settlement(
        target=pauses.target_of_offer(operation.pre_order.offer),
        reason=f"Too many charges of this special were declined ({error.code})",
        by="",
        now=now,
        ends_at=operation.created_at + capture.PAUSE,
    )
    description = f"Captures paused: too many of the offer are declined ({error.code})"
    raise_alarm(operation.pre_order, Discrepancy.Kind.PAUSED, description, now=now)


def _alarm_refused(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    # Without Stripe's message, which names each request: the alarm is raised once. The log has it.
    description = f"Stripe refuses the {operation.kind}: {error.code}"
    raise_alarm(operation.pre_order, Discrepancy.Kind.REFUSED, description, now=now)


def _alarm_failing(operation: PaymentOperation, how: str, now: datetime) -> None:
    """Raise an alarm for an operation that fails for minutes: an outage, our key or its rights."""
    if operation.attempts >= ALARM_AFTER_ATTEMPTS:
        description = f"The {operation.kind} is delayed: Stripe {how}"
        raise_alarm(operation.pre_order, Discrepancy.Kind.REFUSED, description, now=now)


def _with_order() -> QuerySet[PaymentOperation]:
    # Filter by primary key only. With state and due_at in the condition, PostgreSQL scans all due
    # rows when a thousand were just inserted and its statistics are out of date.
    return PaymentOperation.objects.select_related(
        "pre_order__offer__restaurant__connect_account", "pre_order__sold", "dispute"
    )


def _is_due(operation: PaymentOperation, now: datetime) -> bool:
    return operation.state == OperationStatus.PENDING and operation.due_at <= now


def _claim(operation: PaymentOperation, now: datetime) -> bool:
    """Take the lease if the row is due and unchanged since it was read.

    A conditional update decides between workers, so nobody waits for a lock.
    """
    if not _is_due(operation, now):
        return False
    if pauses.is_held_back(operation, pauses.settlement_pauses(now=now)):
        return False
    as_read = claimed_by(operation).filter(due_at=operation.due_at, epoch=operation.epoch)
    operation.attempts += 1
    operation.due_at = now + LEASE
    return bool(as_read.update(attempts=operation.attempts, due_at=operation.due_at))


def _keeps_lease(operation: PaymentOperation, now: datetime) -> bool:
    """Whether an operation that was claimed with others is still ours, for as long as it takes."""
    if now <= operation.due_at - LEASE + FRESH_FOR:
        return True
    operation.due_at = now + LEASE
    return bool(claimed_by(operation).update(due_at=operation.due_at))


def _try_later(
    operation: PaymentOperation, now: datetime, error: Exception, *, new_key: bool = False
) -> None:
    logger.warning("%s: %s", operation, error)
    wait = min(MAX_RETRY_DELAY, timedelta(seconds=2 ** min(operation.attempts, 12)))
    code = error.code if isinstance(error, Refused) else ""
    claimed_by(operation).update(
        due_at=now + wait,
        error=(code or str(error))[:255],
        epoch=F("epoch") + 1 if new_key else F("epoch"),
    )


def _advance(operation: PaymentOperation, stage: OperationStage, now: datetime) -> None:
    """Continue with the next stage right away, in this worker."""
    if claimed_by(operation).update(stage=stage, due_at=now, reference="", epoch=F("epoch") + 1):
        run_operation(operation.pk, now=now)


# A step returns the stage to continue with right away, or None.
Step = Callable[[PaymentOperation, datetime], OperationStage | None]
_STEPS: dict[tuple[OperationKind, OperationStage], Step] = {
    (OperationKind.AUTHORIZE, OperationStage.HOLD): authorization.authorize,
    (OperationKind.CAPTURE, OperationStage.HOLD): capture.capture,
    (OperationKind.CAPTURE, OperationStage.RETRY): capture.retry_off_session,
    (OperationKind.CAPTURE, OperationStage.PAY_LINK): capture.pay_link,
    (OperationKind.RELEASE, OperationStage.HOLD): release.release,
    (OperationKind.REFUND, OperationStage.HOLD): refund.refund,
    (OperationKind.FORGET, OperationStage.HOLD): forget.forget,
    (OperationKind.REVERSE_TRANSFER, OperationStage.HOLD): transfer.reverse_transfer,
    (OperationKind.RETURN_TRANSFER, OperationStage.HOLD): transfer.return_transfer,
    (OperationKind.ANSWER_DISPUTE, OperationStage.HOLD): dispute_answer.answer_dispute,
    (OperationKind.ACCEPT_DISPUTE, OperationStage.HOLD): dispute_answer.accept_dispute,
    (OperationKind.RENEW, OperationStage.HOLD): renewal.renew,
    (OperationKind.RENEW, OperationStage.PAY_LINK): renewal.renew_by_link,
    (OperationKind.RENEW, OperationStage.CLEAN_UP): renewal.clean_up,
}
