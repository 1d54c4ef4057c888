"""Requests that take effect once (decision 33)."""

from django.db import models

from apps.restaurants.models.restaurants import Restaurant


class IdempotencyKey(models.Model):
    """A request that a client named, so that sending it again takes effect once (decision 33).

    `caller` is the user's id, empty for guests. `result_id` is the row the request created or
    changed; `status` and `body` are the answer, once there is one. Deleted after a day.
    """

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+")
    caller = models.CharField(max_length=36, blank=True)
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of method, path, and body
    claimed_until = models.DateTimeField(null=True, blank=True)  # while a request is running
    result_id = models.UUIDField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "caller", "key"], name="one_request_per_idempotency_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.caller or 'a guest'} in {self.restaurant_id}"
