"""Webhook endpoints of restaurants, the events for them, and every attempt to deliver one.

An event and its deliveries are written in the transaction that causes them: the transactional
outbox (decision 100). Workers send them later (`delivery`).
"""

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.common.outbound import MAX_URL_LENGTH

EVENT_TYPE_LENGTH = 40
ERROR_LENGTH = 20


class WebhookEndpoint(models.Model):
    """An address of the restaurant's own program, to which we send events."""

    class Status(models.TextChoices):
        ON = "on", "On"
        OFF = "off", "Off"

    class OffReason(models.TextChoices):
        OWNER = "owner", "You turned it off."
        FAILING = "failing", "We turned it off: for three days, no event could be delivered."
        GONE = "gone", "We turned it off: the address answered 410, “gone”."

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    url = models.CharField(max_length=MAX_URL_LENGTH)
    description = models.CharField(max_length=100, blank=True)
    event_types = ArrayField(models.CharField(max_length=EVENT_TYPE_LENGTH))
    # The current and the previous secret, encrypted (accounts.encryption). Until `previous_until`,
    # events are signed with both.
    secret = models.CharField(max_length=255)
    previous_secret = models.CharField(max_length=255, blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.ON)
    off_reason = models.CharField(max_length=10, choices=OffReason, blank=True)
    # Since the last success: how many attempts failed in a row, and when the first of them did.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    # Nothing is sent before this time: a worker's lease, or the rest after a failure.
    not_before = models.DateTimeField()
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["restaurant", "created_at"], name="endpoints_of")]

    def __str__(self) -> str:
        return self.url

    @property
    def is_on(self) -> bool:
        return self.status == self.Status.ON


class WebhookEvent(models.Model):
    """One thing that happened, as it is sent. The body never changes."""

    # Also the header `webhook-id`, by which receivers recognize what they already have.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    type = models.CharField(max_length=EVENT_TYPE_LENGTH)  # of `EventType`, or TEST_EVENT
    body = models.TextField()
    occurred_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["restaurant", "-occurred_at"], name="webhook_events_of"),
            models.Index(fields=["occurred_at"], name="webhook_events_to_delete"),
        ]

    def __str__(self) -> str:
        return self.type


class WebhookDelivery(models.Model):
    """One event for one endpoint."""

    class Status(models.TextChoices):
        PENDING = "pending", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Failed"

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    endpoint = models.ForeignKey(WebhookEndpoint, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(WebhookEvent, models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    attempts = models.PositiveIntegerField(default=0)  # since it was queued, or queued again
    due_at = models.DateTimeField()
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "endpoint"], name="one_delivery_per_endpoint"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["endpoint", "-created_at", "-id"], name="deliveries_of_endpoint"),
            models.Index(
                fields=["endpoint", "due_at"],
                condition=Q(status="pending"),
                name="deliveries_due_by_endpoint",
            ),
            models.Index(fields=["due_at"], condition=Q(status="pending"), name="deliveries_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.endpoint_id}"


class WebhookAttempt(models.Model):
    """One request: the answer, or why there was none."""

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    delivery = models.ForeignKey(WebhookDelivery, models.CASCADE, related_name="log")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    response_code = models.PositiveSmallIntegerField(null=True)
    response_body = models.TextField(blank=True)  # its beginning
    error = models.CharField(max_length=ERROR_LENGTH, blank=True)  # of `outbound.NotDelivered`

    def __str__(self) -> str:
        return f"{self.response_code or self.error} at {self.at:%Y-%m-%d %H:%M}"
