"""What is sent to restaurants' banks."""

import uuid

from django.db import models
from django.db.models import Q

from apps.billing.models.ledger import PaymentHistory
from apps.common.money import MONEY_COLUMN


class Payout(models.Model):
    """Money that goes from the restaurant's balance at Stripe to its bank (decision 46).

    It is recorded first, then requested from Stripe under a key made of it, and `attempt`, which
    grows when the bank sent it back or Stripe refused. The money of a failed payout is in the
    restaurant's balance again.
    """

    class Status(models.TextChoices):
        PENDING = "pending", "Scheduled"
        SENT = "sent", "On its way"
        PAID = "paid", "Paid"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="payouts")
    status = models.CharField(max_length=20, choices=Status, default=Status.PENDING)
    amount = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3)
    # Stripe's, of this attempt; null until it was requested, so that it can be unique.
    payout_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    # Set before Stripe is first asked: from then on it may know of the payout.
    requested_at = models.DateTimeField(null=True)
    # When a worker next looks at it; while one does, when its lease ends.
    due_at = models.DateTimeField(null=True)
    arrives_on = models.DateField(null=True)
    failure_code = models.CharField(max_length=100, blank=True)  # Stripe's
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    owner_emailed_at = models.DateTimeField(
        null=True
    )  # when the owner was emailed about the failure

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payouts_are_positive"),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-created_at"], name="payouts_by_time"),
            models.Index(fields=["due_at"], name="due_payouts", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


class PayoutEntry(models.Model):
    """A ledger entry that a payout contains; no entry is ever in two."""

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    payout = models.ForeignKey(Payout, models.PROTECT, related_name="entries")
    entry = models.OneToOneField(PaymentHistory, models.PROTECT, related_name="payout_entry")

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.payout_id}"
