"""Web push: who is told on a device, and what waits to be sent."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.offers.models import SpecialOffer
from apps.preorders.models.states import NoticeKind, PushKind


class PushSubscription(models.Model):
    """A browser that gets messages about one special (a guest's), or about all (an owner's)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    offer = models.ForeignKey(
        SpecialOffer, models.CASCADE, null=True, blank=True, related_name="push_subscriptions"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    # As the browser gives them: https://www.w3.org/TR/push-api/#pushsubscription-interface
    endpoint = models.CharField(max_length=500)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=50)
    language = models.CharField(max_length=10)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(offer__isnull=True, user__isnull=False)
                | Q(offer__isnull=False, user__isnull=True),
                name="push_for_a_guest_or_an_owner",
            ),
            models.UniqueConstraint(fields=["offer", "endpoint"], name="push_once_per_offer"),
            models.UniqueConstraint(
                fields=["restaurant", "user", "endpoint"], name="push_once_per_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"push subscription {self.pk}"


class PushMessage(models.Model):
    """A message to one device, sent at most once for each kind and special."""

    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="messages")
    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=30, choices=PushKind.choices + NoticeKind.choices)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    # Sent, or given up: nothing more happens to it.
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "offer", "kind"], name="push_message_once"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(done_at__isnull=True), name="pushes_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.subscription_id}"
