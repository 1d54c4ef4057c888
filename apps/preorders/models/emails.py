"""The letters that orders cause, and which of them an address wants."""

import uuid

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import EmailKind


class OrderEmail(models.Model):
    """A letter to a diner: written down with the decision that causes it, sent by a worker."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=20, choices=EmailKind)
    # The first is 1; one that is sent again by hand, or a second part refunded, has the next.
    number = models.PositiveSmallIntegerField(default=1)
    action_url = models.URLField(max_length=2048, blank=True)
    amount = models.DecimalField(**MONEY_COLUMN, null=True)  # the part refunded that it is about
    # The special it is about, where that is not the order's own.
    about = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, null=True, blank=True, related_name="+"
    )
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True)  # found to be of no more use: it is never sent

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pre_order", "kind", "number"], name="each_email_once"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(sent_at=None, dropped_at=None),
                name="mail_waiting",
            ),
            models.Index(fields=["restaurant", "-sent_at"], name="latest_email"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.pre_order_id}"


class OfferEmail(models.Model):
    """A letter to the restaurant about an offer: written down with the decision that causes it,
    sent by a worker."""

    class Kind(models.TextChoices):
        KITCHEN_SHEET = "kitchen_sheet", "Kitchen sheet"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    offer = models.ForeignKey("offers.SpecialOffer", models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=20, choices=Kind)
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["offer", "kind"], name="each_offer_letter_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at=None), name="offer_mail_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.offer_id}"


class EmailPreference(models.Model):
    """Which letters an address wants from a restaurant besides those about its orders' money; where
    there is no row, what `subscriptions` says by default."""

    # Random, not guessable: it is the key to the page where the choice is changed.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    email = models.EmailField(max_length=255)  # in lower case
    news = models.BooleanField(default=False)
    reminders = models.BooleanField(default=True)
    # When the address's owner last turned the news off, by a link that only our letters hold.
    stopped_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["restaurant", "email"], name="one_mail_choice_each"),
        ]

    def __str__(self) -> str:
        return f"{self.email} of {self.restaurant_id}"
