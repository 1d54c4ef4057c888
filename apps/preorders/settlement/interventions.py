"""What staff and operators do about settlement: continue it, try again, give up.

Each takes a `pauses.Target`, from a single payment operation to everything, and can be repeated.
With `dry_run` nothing changes, and the result is what would have happened. Act as the platform.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import Conflict
from apps.common.transitions import ACTOR_LENGTH, Cause
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED
from apps.preorders.core import jobs
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    Instruction,
    OperationKind,
    OperationStage,
    OperationStatus,
    PauseScope,
    ReasonCode,
)
from apps.preorders.settlement import deadline, pauses
from apps.preorders.settlement.pauses import Target

BATCH = 500  # the sweeps find the rest within seconds
NOT_THE_SCHEDULER = "Start or stop the scheduler instead."
NOTHING_WAITS = "Nothing is waiting for this decision anymore. Reload the list."


@dataclass(frozen=True, slots=True)
class Intervention:
    """How many payment operations and undecided specials it concerned. `orders` are those that
    giving up ends."""

    operations: int = 0
    specials: int = 0
    orders: int = 0


def continue_settlement(*, target: Target, by: str, now: datetime) -> bool:
    """End the target's pause and queue what it held back; False if it wasn't paused.

    What another pause holds back still waits.
    """
    with transaction.atomic():
        if not pauses.end_pause(target=target, by=by, now=now):
            return False
        due = _waiting(target).filter(due_at__lte=now)
        jobs.enqueue_operations(list(due.order_by("pk").values_list("pk", flat=True)[:BATCH]))
        for offer_id in _due_specials(target, now)[:BATCH]:
            jobs.enqueue_closing(offer_id)
        return True


def retry_settlement(
    *, target: Target, by: str, now: datetime, dry_run: bool = False
) -> Intervention:
    """Try the target's waiting payments now instead of after their delay, and decide its specials
    that are due. What is paused stays paused.

    Of a payment operation, whatever its kind; otherwise captures, releases, refunds, and renewals.
    Payment links are left alone: trying one means that it is over.
    """
    waiting = _waiting(target).exclude(stage=OperationStage.PAY_LINK)
    paused = pauses.held_back(pauses.settlement_pauses(now=now))
    if paused is not None:
        waiting = waiting.exclude(paused)
    specials = _due_specials(target, now)
    if dry_run:
        return Intervention(waiting.count(), len(specials))
    waiting = PaymentOperation.objects.filter(pk__in=list(waiting.values_list("pk", flat=True)))
    decided = _settle(specials, now)
    with transaction.atomic():
        count = try_again(waiting, by=by, now=now)
        if count or decided:
            _log(Kind.CHARGES_CONTINUED, target, now)
    return Intervention(count, decided)


def give_up_settlement(
    *, target: Target, by: str, now: datetime, dry_run: bool = False
) -> Intervention:
    """Charge nobody: the target's holds are released and its orders canceled, guests are told.

    A charge that already went through at Stripe is refunded. Specials past their deadline don't go
    ahead. Also during a pause. It can't be undone. Raises Conflict for the scheduler.
    """
    if target.scope == PauseScope.SCHEDULER:
        raise Conflict(NOT_THE_SCHEDULER)
    charges = _waiting(target).filter(kind=OperationKind.CAPTURE)
    specials = _due_specials(target, now)
    if dry_run:
        held = PreOrder.objects.filter(offer__in=specials).counted().count()
        return Intervention(charges.count(), len(specials), charges.count() + held)
    cause = Cause(ReasonCode.GIVEN_UP, actor=by[:ACTOR_LENGTH])
    decided = _settle(specials, now, given_up=cause)
    with transaction.atomic():
        count = instruct_give_up(charges, by=by, now=now)
        if count or decided:
            _log(Kind.CHARGE_GIVEN_UP, target, now)
    return Intervention(count, decided)


def try_again(waiting: QuerySet[PaymentOperation], *, by: str, now: datetime) -> int:
    """Make these operations due now and queue them; returns how many."""
    return _instruct(waiting, now=now, actor=by[:ACTOR_LENGTH])


def instruct_give_up(waiting: QuerySet[PaymentOperation], *, by: str, now: datetime) -> int:
    """Tell the workers to give these charges up; returns how many."""
    return _instruct(waiting, now=now, actor=by[:ACTOR_LENGTH], instruction=Instruction.GIVE_UP)


def _instruct(waiting: QuerySet[PaymentOperation], *, now: datetime, **columns: str) -> int:
    ids = list(waiting.order_by("pk").values_list("pk", flat=True))
    # A new epoch: Stripe would replay a stored refusal for the old key.
    updated = PaymentOperation.objects.filter(pk__in=ids, state=OperationStatus.PENDING).update(
        due_at=now, epoch=F("epoch") + 1, **columns
    )
    jobs.enqueue_operations(ids)
    return updated


def _settle(specials: Sequence[UUID], now: datetime, given_up: Cause | None = None) -> int:
    """Decide these specials, each in a transaction of its own; returns how many were decided."""
    decided = 0
    for offer_id in specials:
        status, _ = deadline.settle_offer(offer_id, now=now, given_up=given_up)
        decided += status in DECIDED
    return decided


def _waiting(target: Target) -> QuerySet[PaymentOperation]:
    pending = PaymentOperation.objects.filter(state=OperationStatus.PENDING)
    match target.scope:
        case PauseScope.RESTAURANT:
            return pending.filter(restaurant=target.id)
        case PauseScope.SPECIAL:
            return pending.filter(pre_order__offer=target.id)
        case PauseScope.OPERATION:
            return pending.filter(Q(key=target.id))
        case _:
            return pending


def _due_specials(target: Target, now: datetime) -> list[UUID]:
    due = SpecialOffer.objects.due(now)
    match target.scope:
        case PauseScope.RESTAURANT:
            due = due.filter(restaurant=target.id)
        case PauseScope.SPECIAL:
            due = due.filter(Q(pk=target.id))
        case PauseScope.OPERATION:
            return []
    return list(due.order_by("deadline").values_list("pk", flat=True))


def _log(kind: Kind, target: Target, now: datetime) -> None:
    about = ("special", target.id) if target.scope == PauseScope.SPECIAL else None
    record(kind, restaurant=target.restaurant_id, about=about, scope=str(target.scope), now=now)
