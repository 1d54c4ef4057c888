"""Alarms that ring, what was sent about them, and when they were last checked."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q

NAME_LENGTH = 40
DETAIL_LENGTH = 255
NOTE_LENGTH = 255
ERROR_LENGTH = 255


class Severity(models.TextChoices):
    """How soon a person must look: at once, or in working hours."""

    CRITICAL = "critical", "Critical"
    WARNING = "warning", "Warning"


class Alarm(models.Model):
    """An alarm, from the moment it opened until it closed by itself.

    `name` is that of a rule (`apps.monitoring.rules`). `figure` and `detail` are what the last
    check found while it rang.
    """

    name = models.CharField(max_length=NAME_LENGTH)
    severity = models.CharField(max_length=10, choices=Severity)
    figure = models.FloatField()
    detail = models.CharField(max_length=DETAIL_LENGTH)
    opened_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # the last check in which it rang
    closed_at = models.DateTimeField(null=True)
    # When someone acknowledged it: it stays open without further notices.
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.CharField(max_length=100, blank=True)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=Q(closed_at=None), name="one_open_alarm_of_a_name"
            )
        ]
        indexes = [models.Index(fields=["-opened_at"], name="alarms_by_time")]

    def __str__(self) -> str:
        return f"{self.name} since {self.opened_at:%Y-%m-%d %H:%M}"


class AlarmNotice(models.Model):
    """The outbox of notices: written with the change they report, and sent later by the first
    worker to claim them."""

    class Channel(models.TextChoices):
        EMAIL = "email"
        WEBHOOK = "webhook"

    class Kind(models.TextChoices):
        OPENED = "opened", "Alarm"
        STILL_OPEN = "still_open", "Still open"
        CLOSED = "closed", "Closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    alarm = models.ForeignKey(Alarm, models.CASCADE, related_name="notices", db_index=False)
    channel = models.CharField(max_length=10, choices=Channel)
    kind = models.CharField(max_length=10, choices=Kind)
    # The first notice of an alarm is 1; each channel sends each number once.
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # a sender's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=ERROR_LENGTH, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["alarm", "channel", "number"], name="one_notice_of_a_number"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(sent_at=None), name="notices_due")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.alarm_id} by {self.channel}"


class AlarmCheck(models.Model):
    """The one row that says who checks the alarms now, and when they were last checked."""

    claimed_until = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"checked at {self.checked_at}"
