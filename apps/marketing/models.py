"""Models of demo leads and of restaurants' announcements."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

MAX_MESSAGE_LENGTH = 2000  # characters


class DemoLead(models.Model):
    """A visitor of the demo who left an email. IP address and user agent are erased after 30 days
    (DECISIONS X63)."""

    email = models.EmailField(max_length=255)  # in lower case
    ip_address = models.GenericIPAddressField(null=True, blank=True)
    user_agent = models.CharField(max_length=500, blank=True)
    completed_steps = models.JSONField(
        default=list
    )  # names, in the order in which they were first completed
    referrer_url = models.CharField(max_length=500, blank=True)
    converted_to_restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    last_seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="one_lead_per_email")]

    def __str__(self) -> str:
        return self.email


class Announcement(models.Model):
    """A text that announced a restaurant's specials. Using the same text again, or on another
    platform, is the same announcement."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="announcements"
    )
    message = models.TextField(max_length=MAX_MESSAGE_LENGTH)
    digest = models.CharField(max_length=64)  # SHA-256 of the message
    special_offer_ids = models.JSONField(default=list)  # the specials it links to
    platforms = models.JSONField(default=list)  # in the order they were used
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    # When a worker claimed the sending of the owner's copy; it is sent at most once.
    courtesy_copy_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "digest"], name="one_announcement_per_text"
            ),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-created_at"], name="announcements_newest_first")
        ]

    def __str__(self) -> str:
        return f"{self.message[:40]}…"
