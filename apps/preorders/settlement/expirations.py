"""Settling specials past their deadline: by schedule, and by hand (decision 81).

Beat only ticks, every second. Whoever gets the schedule's row decides what is due: each special
within seconds of its deadline, and every so many minutes a run over all that is left (DECISIONS
X61). Both are idempotent, and so is a run by hand, which also works while the scheduler is stopped.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import FieldError, Invalid
from apps.common.transitions import ACTOR_LENGTH
from apps.offers.states import DECIDED
from apps.preorders.core import jobs
from apps.preorders.models import ExpirationRun, ExpirationSchedule
from apps.preorders.models.expirations import DEFAULT_INTERVAL, MAX_INTERVAL, MIN_INTERVAL
from apps.preorders.models.states import RunTrigger
from apps.preorders.settlement import pauses
from apps.preorders.settlement.deadline import due_offers, settle_offer

logger = logging.getLogger(__name__)

# How often an offer past its deadline is looked at.
CLOSING_RETRY_SECONDS = 5
RUNS_SHOWN = 10
AT_ONCE = 10_000  # specials of one run
INTERVAL_OUT_OF_RANGE = f"Enter an interval from {MIN_INTERVAL} to {MAX_INTERVAL} minutes."


@dataclass(frozen=True, slots=True)
class SchedulerStatus:
    """`next_run` is None while the scheduler is stopped."""

    is_running: bool
    next_run: datetime | None
    interval_minutes: int


def scheduler_status(*, now: datetime) -> SchedulerStatus:
    """Whether specials are settled automatically, and when the next run is due."""
    schedule = ExpirationSchedule.objects.first()
    interval = schedule.interval_minutes if schedule else DEFAULT_INTERVAL
    is_running = pauses.is_scheduler_running(now=now)
    next_run = schedule.next_run_at if schedule else now
    return SchedulerStatus(is_running, next_run if is_running else None, interval)


def last_runs() -> list[ExpirationRun]:
    """The last runs, newest first."""
    return list(ExpirationRun.objects.order_by("-started_at", "-pk")[:RUNS_SHOWN])


def start_scheduler(*, interval_minutes: int, by: str, now: datetime) -> SchedulerStatus:
    """Settle automatically, with a run every `interval_minutes` from now on; what is overdue is
    settled within seconds. Re-times a scheduler that is running.

    Raises Invalid for an interval out of range.
    """
    if not MIN_INTERVAL <= interval_minutes <= MAX_INTERVAL:
        raise Invalid.because([FieldError("intervalMinutes", INTERVAL_OUT_OF_RANGE)])
    with transaction.atomic():
        next_run_at = now + timedelta(minutes=interval_minutes)
        ExpirationSchedule.objects.update_or_create(
            pk=1, defaults={"interval_minutes": interval_minutes, "next_run_at": next_run_at}
        )
        pauses.end_pause(target=pauses.SCHEDULER, by=by, now=now)
        record(Kind.SCHEDULER_STARTED, minutes=interval_minutes, now=now)
    return scheduler_status(now=now)


def stop_scheduler(*, reason: str, by: str, now: datetime) -> SchedulerStatus:
    """Decide no special automatically until the scheduler is started; runs by hand still do.

    Checkouts that are open at a deadline are still closed on time, and what is decided is carried
    out. Raises Invalid for a reason that is too long.
    """
    pauses.pause_settlement(
        target=pauses.SCHEDULER, reason=reason, by=by, now=now, reason_required=False
    )
    return scheduler_status(now=now)


def dispatch(*, now: datetime) -> bool:
    """One tick: queue the specials that are due, and a run when its time has come.

    False if another scheduler has its turn right now. If the process dies after its commit, what it
    didn't queue is found by the next tick and the next run.
    """
    with transaction.atomic():
        schedule = _claim_schedule()
        if schedule is None:
            _create_schedule(now)
            schedule = _claim_schedule()
        if schedule is None:
            return False
        for offer in due_offers(now=now):
            if cache.add(f"closing:{offer.pk}", 1, CLOSING_RETRY_SECONDS):
                jobs.enqueue_closing(offer.pk)
        following = now + timedelta(minutes=schedule.interval_minutes)
        # A next run later than an interval from now was computed by a clock that was ahead.
        if now < schedule.next_run_at <= following:
            return True
        schedule.next_run_at = following
        schedule.save(update_fields=["next_run_at"])
        if pauses.is_scheduler_running(now=now):
            jobs.enqueue_expirations()
    return True


def _claim_schedule() -> ExpirationSchedule | None:
    """The row, locked until the transaction ends; None if another scheduler has it."""
    return ExpirationSchedule.objects.select_for_update(skip_locked=True).filter(pk=1).first()


def _create_schedule(now: datetime) -> None:
    """For the first tick of an installation; does nothing if the row exists."""
    first = ExpirationSchedule(next_run_at=now + timedelta(minutes=DEFAULT_INTERVAL))
    ExpirationSchedule.objects.bulk_create([first], ignore_conflicts=True)


def process_expirations(
    *,
    trigger: RunTrigger,
    by: str = "",
    now: datetime,
    has_time: Callable[[], bool] = lambda: True,
    on_progress: Callable[[int], None] = lambda done: None,
) -> ExpirationRun:
    """Settle every special past its deadline as far as possible, and record what came of it.

    A special that fails doesn't stop the others. What another process settles meanwhile isn't
    counted here. Stops when `has_time` says so; the scheduler and the next run continue.
    """
    automatic = trigger == RunTrigger.SCHEDULE
    run = ExpirationRun.objects.create(
        trigger=trigger, started_by=by[:ACTOR_LENGTH], started_at=now
    )
    offers = due_offers(now=now, limit=AT_ONCE, automatic=automatic)
    for done, offer in enumerate(offers, start=1):
        if not has_time():
            run.waiting_specials += len(offers) - done + 1
            break
        try:
            status, decision = settle_offer(offer.pk, now=now, automatic=automatic)
        except Exception:
            logger.exception("special %s could not be settled", offer.pk)
            run.failed_specials += 1
        else:
            if decision:
                run.processed_specials += 1
                run.confirmed_orders += len(decision.charged) + len(decision.serves_alternative)
                run.cancelled_orders += len(decision.released) + len(decision.refunded)
            elif status not in DECIDED:
                run.waiting_specials += 1
        on_progress(done)
    run.finished_at = now
    with transaction.atomic():
        run.save()
        if not automatic:
            record(
                Kind.EXPIRATIONS_PROCESSED,
                specials=run.processed_specials,
                confirmed=run.confirmed_orders,
                canceled=run.cancelled_orders,
                now=now,
            )
    return run
