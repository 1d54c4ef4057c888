"""The table of the activity log: append-only, and without foreign keys.

Triggers refuse every UPDATE, and every DELETE before `expires_at` (`append_only`). Rows name
accounts, restaurants, and objects by id, so that nothing that is deleted takes its history along.
"""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class Outcome(models.TextChoices):
    SUCCESS = "success", _("Done")
    FAILURE = "failure", _("Failed")
    REFUSED = "refused", _("Refused")


class ActorKind(models.TextChoices):
    """Who acted."""

    ACCOUNT = "account", _("Account")
    STAFF = "staff", _("Fully Booked staff")
    GUEST = "guest", _("Guest or visitor")
    SYSTEM = "system", "Fully Booked"


class LoggedEvent(models.Model):
    """Who did what to which object, and from where. Written only by `services.record`.

    `account_id` is the account it happened to, if any; `restaurant_id` is null for what concerns an
    account alone. `address` is truncated, `device` a name such as "Firefox on Windows"; `details`
    are codes and numbers, never names, texts, or secrets.
    """

    public_id = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # A `Kind`. Without `choices`, so that a new text needs no migration.
    kind = models.CharField(max_length=40)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.SUCCESS)
    actor_kind = models.CharField(max_length=10, choices=ActorKind)
    actor_id = models.UUIDField(null=True)
    account_id = models.UUIDField(null=True)
    restaurant_id = models.UUIDField(null=True)
    object_kind = models.CharField(max_length=20, blank=True)
    object_id = models.CharField(max_length=40, blank=True)
    address = models.CharField(max_length=43, blank=True)
    device = models.CharField(max_length=80, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["restaurant_id", "-at"], name="events_of_a_restaurant"),
            models.Index(fields=["account_id", "-at"], name="events_of_an_account"),
            models.Index(fields=["-at"], name="events_of_all"),
            models.Index(fields=["expires_at"], name="events_to_delete"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"
