"""Who works in a restaurant, who is invited to, and staff who visit it (DECISIONS X35)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from apps.common import clock
from apps.restaurants.models.restaurants import Restaurant


class Membership(models.Model):
    """A user's role in a restaurant."""

    class Role(models.TextChoices):
        OWNER = "owner"
        MANAGER = "manager"
        KITCHEN = "kitchen"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    role_since = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "restaurant"], name="one_membership_each"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} of {self.restaurant_id}"


class Invitation(models.Model):
    """An invitation to join a team, sent by email. Only the token's SHA-256 is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=255)
    role = models.CharField(max_length=20, choices=Membership.Role)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "restaurant",
                Lower("email"),
                condition=Q(accepted_at=None, revoked_at=None),
                name="one_open_invitation_each",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} to be {self.role} of {self.restaurant_id}"


class SupportVisit(models.Model):
    """A visit of platform staff, who see the restaurant as its owner does and change nothing.

    Staff ask for it. It can begin once the owner allows it, lasts until `ends_at` at most, and is
    over once `ended_at` is set. `reason` is shown to the owner.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        Restaurant, models.CASCADE, related_name="support_visits", db_index=False
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    reason = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["restaurant", "-asked_at"], name="latest_support_visit")]

    def __str__(self) -> str:
        return f"visit of {self.restaurant_id} at {self.asked_at:%Y-%m-%d %H:%M}"
