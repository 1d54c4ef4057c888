"""Models of demo leads, and of restaurants' announcements and email campaigns."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from apps.common.languages import spoken

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
    # The reminder to post it: its text for X, for whom, and when. `remind_at` moves ahead while a
    # worker sends it, and is empty once it is sent, canceled, or no longer useful.
    short_message = models.TextField(max_length=MAX_MESSAGE_LENGTH, blank=True)
    remind_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    remind_at = models.DateTimeField(null=True, blank=True)
    remind_attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "digest"], name="one_announcement_per_text"
            ),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-created_at"], name="announcements_newest_first"),
            models.Index(
                fields=["remind_at"],
                condition=Q(remind_at__isnull=False),
                name="announcements_to_remind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message[:40]}…"


class Campaign(models.Model):
    """One email to many subscribers: about one special, or about all that are open.

    A worker writes its invitations in batches, then others send them, each alone (decision 154).
    """

    class Kind(models.TextChoices):
        ANNOUNCEMENT = "announcement", "Announcement"
        # Automatic, each at most once for a special.
        NUDGE = "nudge", "Reminder that it's close"
        RETURN = "return", "A dish that was asked for"

    class Segment(models.TextChoices):
        ALL = "all", "Everyone who follows you"
        ORDERED = "ordered", "Followers who ordered before"
        WAITING = "waiting", "Followers on a waitlist"
        MISSED = "missed", "Followers who wanted a dish back"

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", "Scheduled"
        SENDING = "sending", "Sending"
        SENT = "sent", "Sent"
        CANCELED = "canceled", "Canceled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="campaigns", db_index=False
    )
    kind = models.CharField(max_length=15, choices=Kind, default=Kind.ANNOUNCEMENT)
    segment = models.CharField(max_length=10, choices=Segment, default=Segment.ALL)
    special_offer = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, null=True, blank=True, related_name="campaigns"
    )
    announcement = models.ForeignKey(
        Announcement, models.SET_NULL, null=True, blank=True, related_name="campaigns"
    )
    # The owner's own words, in their language; empty: ours, in each recipient's language.
    subject = models.CharField(max_length=120, blank=True)
    note = models.TextField(max_length=MAX_MESSAGE_LENGTH, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.SCHEDULED)
    send_at = models.DateTimeField()
    # While invitations are written: the last subscriber who has one, and a worker's lease.
    invited_up_to = models.UUIDField(null=True, blank=True)
    is_invited = models.BooleanField(default=False)  # every invitation is written
    limit_reached = models.BooleanField(default=False)  # the month's emails didn't suffice
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["special_offer"], condition=Q(kind="nudge"), name="one_nudge_per_special"
            ),
            models.UniqueConstraint(
                fields=["special_offer"], condition=Q(kind="return"), name="one_return_per_special"
            ),
            models.CheckConstraint(
                condition=~Q(kind="nudge") | Q(special_offer__isnull=False),
                name="nudge_is_about_a_special",
            ),
            models.CheckConstraint(
                condition=~Q(kind="return") | Q(special_offer__isnull=False),
                name="return_is_about_a_special",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["restaurant", "-created_at"], name="campaigns_newest_first"),
            models.Index(
                fields=["send_at"],
                condition=Q(status__in=["scheduled", "sending"]),
                name="campaigns_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.restaurant_id} at {self.send_at:%Y-%m-%d %H:%M}"


class EmailInvitation(models.Model):
    """A campaign's email to one address, and its result."""

    class Status(models.TextChoices):
        QUEUED = "queued", "Waiting"
        SENT = "sent", "Sent"
        DELIVERED = "delivered", "Delivered"
        OPENED = "opened", "Opened"
        CLICKED = "clicked", "Clicked"
        ORDERED = "ordered", "Ordered"
        DROPPED = "dropped", "Not sent"  # no longer wanted, or no longer useful
        FAILED = "failed", "Not delivered"

    # Random, because tracked links contain it (signed).
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    special_offer = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, null=True, blank=True, related_name="+"
    )
    announcement = models.ForeignKey(
        Announcement, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    subscriber = models.ForeignKey(
        "preorders.Subscriber", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    customer_email = models.EmailField(max_length=255, blank=True)  # empty once erased
    customer_name = models.CharField(max_length=255, blank=True)
    language = models.CharField(max_length=10, default=spoken)
    # With the default nothing is sent: only a row that was queued on purpose is emailed.
    status = models.CharField(max_length=10, choices=Status, default=Status.SENT)
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)  # counted for the hourly pace
    error = models.CharField(max_length=255, blank=True)
    # The email service's id for the message, which its webhooks name.
    provider_id = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    clicked_at = models.DateTimeField(null=True, blank=True)
    ordered_at = models.DateTimeField(null=True, blank=True)
    pre_order = models.ForeignKey(
        "preorders.PreOrder", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reservation_url = models.URLField(max_length=500, blank=True)  # where the button leads
    email_subject = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "customer_email"],
                condition=~Q(customer_email=""),
                name="one_invitation_per_address",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["restaurant", "due_at"],
                condition=Q(status="queued"),
                name="invitations_queued",
            ),
            models.Index(fields=["restaurant", "claimed_at"], name="invitations_pace"),
            models.Index(fields=["campaign", "status"], name="invitations_of_campaign"),
            models.Index(fields=["customer_email"], name="invitations_by_email"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id} to {self.subscriber_id}"


class EmailAnnouncementUsage(models.Model):
    """How many of the month's emails a campaign used, and the plan's limit at that time."""

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="usage")
    announcement = models.ForeignKey(
        Announcement, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    emails_sent_count = models.PositiveIntegerField(default=0)
    special_offer_ids = models.JSONField(default=list)
    announcement_message = models.TextField(blank=True)
    tier_type = models.CharField(max_length=20, blank=True)
    limit_applied = models.PositiveIntegerField()  # emails a month
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["restaurant", "-created_at"], name="email_usage_of")
        ]

    def __str__(self) -> str:
        return f"{self.emails_sent_count} emails of {self.campaign_id}"
