"""The line for an offer that is full (decision 29)."""

import uuid

from django.db import models
from django.db.models import Q

from apps.common.languages import spoken
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import ON_WAITLIST, WaitlistStatus


class WaitlistEntry(models.Model):
    """A diner in line for portions of an offer that is full; no card is involved (decision 29)."""

    # Signed, it is the diner's key to the place (`waiting_links`).
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    offer = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, related_name="waitlist_entries"
    )
    name = models.CharField(max_length=100)
    email = models.EmailField(max_length=255)  # in small letters
    phone = models.CharField(max_length=50, blank=True)
    portions = models.PositiveIntegerField()
    language = models.CharField(max_length=10, default=spoken)  # of the letters
    state = models.CharField(max_length=20, choices=WaitlistStatus, default=WaitlistStatus.WAITING)
    joined_at = models.DateTimeField()
    reserved_until = models.DateTimeField(null=True)  # invited: until then the portions are theirs
    pre_order = models.ForeignKey(
        PreOrder, models.SET_NULL, null=True, blank=True, related_name="waitlist_entries"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(portions__gte=1), name="waiting_for_something"),
            models.UniqueConstraint(
                fields=["offer", "email"],
                condition=Q(state__in=sorted(ON_WAITLIST)),
                name="one_place_in_line",
            ),
        ]
        indexes = [
            models.Index(
                fields=["offer", "joined_at"],
                condition=Q(state__in=sorted(ON_WAITLIST)),
                name="the_line",
            ),
            models.Index(fields=["restaurant", "-joined_at"], name="latest_in_line"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.portions} of {self.offer_id}"


class WaitlistEmail(models.Model):
    """A letter to a diner in line: written down with the decision that causes it, sent by a
    worker."""

    class Kind(models.TextChoices):
        JOINED = "waitlist_joined", "On the list"
        INVITED = "waitlist_invited", "Portions kept"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    place = models.ForeignKey(WaitlistEntry, models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=20, choices=Kind)
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["place", "kind"], name="each_waiting_letter_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at=None), name="waiting_mail_waiting"),
            models.Index(fields=["restaurant", "-sent_at"], name="latest_waiting_letter"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.place_id}"
