"""The waitlist of a full offer (decision 29)."""

import uuid

from django.db import models
from django.db.models import Q

from apps.common.languages import spoken
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import ON_WAITLIST, WaitlistStatus


class WaitlistEntry(models.Model):
    """A guest waiting for portions of a full offer; no card is involved (decision 29)."""

    # Signed, it is the guest's key to the entry (`core.links`).
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    offer = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, related_name="waitlist_entries"
    )
    name = models.CharField(max_length=100)
    email = models.EmailField(max_length=255)  # in lower case
    phone = models.CharField(max_length=50, blank=True)
    portions = models.PositiveIntegerField()
    language = models.CharField(max_length=10, default=spoken)  # of the emails
    state = models.CharField(max_length=20, choices=WaitlistStatus, default=WaitlistStatus.WAITING)
    joined_at = models.DateTimeField()
    reserved_until = models.DateTimeField(null=True)  # if invited: when the reservation expires
    pre_order = models.ForeignKey(
        PreOrder, models.SET_NULL, null=True, blank=True, related_name="waitlist_entries"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(portions__gte=1), name="waitlist_entry_has_portions"
            ),
            models.UniqueConstraint(
                fields=["offer", "email"],
                condition=Q(state__in=sorted(ON_WAITLIST)),
                name="one_waitlist_entry_each",
            ),
        ]
        indexes = [
            models.Index(
                fields=["offer", "joined_at"],
                condition=Q(state__in=sorted(ON_WAITLIST)),
                name="waitlist_order",
            ),
            models.Index(fields=["restaurant", "-joined_at"], name="latest_waitlist_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.portions} of {self.offer_id}"
