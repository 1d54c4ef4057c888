"""Subscribers: what an email address wants from a restaurant, and the proof that it asked for it.

One row per address and restaurant (decision 153), so that no email goes out by one list against
another. Emails about an order's money are always sent and aren't a matter of this table.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q

from apps.common.languages import spoken


class Subscriber(models.Model):
    """An address at a restaurant. Without a row, the defaults apply: reminders, and no news."""

    class Status(models.TextChoices):
        NONE = "none", "Not subscribed"  # it has a row for its reminders only
        PENDING = "pending", "Waiting for confirmation"
        CONFIRMED = "confirmed", "Subscribed"
        UNSUBSCRIBED = "unsubscribed", "Unsubscribed"
        SUPPRESSED = "suppressed", "Can't be emailed"

    class Source(models.TextChoices):
        ORDER = "order", "With an order"
        FOLLOW = "follow", "On your public page"
        IMPORT = "import", "Imported by you"
        PREFERENCES = "preferences", "In their email preferences"

    class Suppression(models.TextChoices):
        BOUNCE = "bounce", "The address doesn't take emails."
        COMPLAINT = "complaint", "They reported an email as spam."

    # Random, because it is the key to the page where the guest changes these preferences.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    email = models.EmailField(max_length=255)  # in lower case
    name = models.CharField(max_length=255, blank=True)
    language = models.CharField(max_length=10, default=spoken)
    status = models.CharField(max_length=15, choices=Status, default=Status.NONE)
    reminders = models.BooleanField(default=True)

    # The proof of consent: when, where, and to which words.
    source = models.CharField(max_length=15, choices=Source, blank=True)
    consent_at = models.DateTimeField(null=True, blank=True)
    consent_context = models.CharField(max_length=500, blank=True)  # a URL, or the importer's words
    consent_words = models.TextField(blank=True)
    # For an address typed on a public page: the email that asks for confirmation, and the answer.
    confirmation_due_at = models.DateTimeField(null=True, blank=True)  # a worker's lease moves it
    confirmation_attempts = models.PositiveSmallIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # The special whose return the guest asked for last.
    wanted_offer = models.ForeignKey(
        "offers.SpecialOffer", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    # When the guest last turned news off, with a link from an email.
    stopped_at = models.DateTimeField(null=True)
    suppressed_for = models.CharField(max_length=15, choices=Suppression, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["restaurant", "email"], name="one_subscriber_each"),
            models.CheckConstraint(
                condition=~Q(status="confirmed") | Q(consent_at__isnull=False),
                name="subscriber_has_consent",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["restaurant", "status", "id"], name="subscribers_of"),
            models.Index(
                fields=["confirmation_due_at"],
                condition=Q(confirmation_due_at__isnull=False),
                name="subscribers_to_confirm",
            ),
            models.Index(fields=["email"], name="subscribers_by_email"),
        ]

    def __str__(self) -> str:
        return f"{self.email} of {self.restaurant_id}"

    @property
    def news(self) -> bool:
        """Whether the address gets news and announcements."""
        return self.status == self.Status.CONFIRMED
