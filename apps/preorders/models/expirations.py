"""Settling specials automatically: the schedule, its runs, and what pauses settlement."""

from datetime import datetime

from django.db import models
from django.db.models import Q

from apps.common.transitions import ACTOR_LENGTH
from apps.preorders.models.states import PauseScope, RunTrigger

MIN_INTERVAL, DEFAULT_INTERVAL, MAX_INTERVAL = 5, 60, 1440  # minutes
WITHOUT_TARGET = (PauseScope.SCHEDULER, PauseScope.ALL)


class ExpirationSchedule(models.Model):
    """When the next run over the specials past their deadline is due: one row.

    Several schedulers may tick at once; the one that gets the row's lock has its turn, and the
    others skip it. Whether the scheduler runs at all is a `SettlementPause`.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    interval_minutes = models.PositiveSmallIntegerField(default=DEFAULT_INTERVAL)
    next_run_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="one_expiration_schedule"),
            models.CheckConstraint(
                condition=Q(interval_minutes__range=(MIN_INTERVAL, MAX_INTERVAL)),
                name="interval_of_5_to_1440_minutes",
            ),
        ]

    def __str__(self) -> str:
        return f"every {self.interval_minutes} min, next {self.next_run_at:%Y-%m-%d %H:%M}"


class ExpirationRun(models.Model):
    """One run over the specials past their deadline, and what it decided.

    Without `finished_at` it is in progress, or its process died: the next run finds the same
    specials by their state.
    """

    trigger = models.CharField(max_length=20, choices=RunTrigger)
    started_by = models.CharField(max_length=ACTOR_LENGTH, blank=True)
    started_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField(null=True)
    processed_specials = models.PositiveIntegerField(default=0)  # decided by this run
    # Orders of these specials whose card is charged, and whose hold is released or charge refunded.
    confirmed_orders = models.PositiveIntegerField(default=0)
    cancelled_orders = models.PositiveIntegerField(default=0)
    waiting_specials = models.PositiveIntegerField(default=0)  # for an open checkout, or a pause
    failed_specials = models.PositiveIntegerField(default=0)  # see the log

    def __str__(self) -> str:
        return f"{self.trigger} {self.started_at:%Y-%m-%d %H:%M}"


class SettlementPause(models.Model):
    """A stop of settlement, until a person continues it or its time is over.

    `target` is the id of the restaurant or the special, or the `key` of the payment operation. The
    table has no foreign keys and belongs to no restaurant, so that a worker that acts as one sees
    the pauses of the platform too; only staff ever read it.
    """

    scope = models.CharField(max_length=20, choices=PauseScope)
    target = models.UUIDField(null=True)
    reason = models.CharField(max_length=255, blank=True)
    started_at = models.DateTimeField()
    started_by = models.CharField(max_length=ACTOR_LENGTH, blank=True)  # empty: the program
    ends_at = models.DateTimeField(null=True)  # by itself; None: when a person continues it
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=ACTOR_LENGTH, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "target"], condition=Q(ended_at=None), name="one_pause_of_each"
            ),
            models.UniqueConstraint(
                fields=["scope"],
                condition=Q(ended_at=None, target=None),
                name="one_pause_of_everything",
            ),
            models.CheckConstraint(
                condition=Q(scope__in=WITHOUT_TARGET, target=None)
                | (~Q(scope__in=WITHOUT_TARGET) & Q(target__isnull=False)),
                name="a_pause_has_its_target",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.target or ''}".strip()

    def is_active(self, now: datetime) -> bool:
        """Whether it holds anything back at this time."""
        return self.ended_at is None and (self.ends_at is None or now < self.ends_at)
