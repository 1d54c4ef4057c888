"""Disputes of charges, and warnings that a charge may be fraud."""

import uuid
from datetime import datetime

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN
from apps.common.transitions import TransitionRecord
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import AWAITING_ANSWER, INQUIRY_STATUSES, DisputeStatus

REMARKS_LENGTH = 5000  # characters; Stripe takes 20,000


class Dispute(models.Model):
    """A guest's bank questions a charge (an inquiry) or took it back (a chargeback).

    One charge can be disputed more than once. What Stripe says is copied here each time it is read;
    `PreOrder.disputed_amount` is the sum of `withdrawn`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.PROTECT, related_name="disputes")
    status = models.CharField(max_length=30, choices=DisputeStatus)
    amount = models.DecimalField(**MONEY_COLUMN)
    # The amount now debited from the platform: zero for an inquiry, and zero again once it is won.
    withdrawn = models.DecimalField(**MONEY_COLUMN, default=0)
    fee = models.DecimalField(**MONEY_COLUMN, default=0)  # Stripe's, less what it returned
    movements = models.PositiveSmallIntegerField(default=0)  # how many are in the ledger
    reason = models.CharField(max_length=60)  # Stripe's code
    network_reason_code = models.CharField(max_length=60, blank=True)
    due_by = models.DateTimeField(null=True)  # for the answer; None if the bank takes none
    submissions = models.PositiveSmallIntegerField(default=0)  # how often evidence was sent
    remarks = models.CharField(max_length=REMARKS_LENGTH, blank=True)  # in the restaurant's words
    opened_at = models.DateTimeField()
    read_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    # Stripe's ids.
    dispute_id = models.CharField(max_length=255, unique=True)
    charge_id = models.CharField(max_length=255)
    payment_intent_id = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(withdrawn__gte=0), name="withdrawn_or_not")
        ]
        indexes = [models.Index(fields=["restaurant", "-opened_at"], name="latest_dispute")]

    def __str__(self) -> str:
        return f"dispute of {self.pre_order_id}: {self.status}"

    @property
    def is_inquiry(self) -> bool:
        """Whether the bank only asks; nothing was withdrawn."""
        return self.status in INQUIRY_STATUSES

    @property
    def is_lost(self) -> bool:
        """Whether it ended with the guest keeping the money. One is also *prevented* by giving it
        back: https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute"""
        is_given_back = self.status == DisputeStatus.PREVENTED and bool(self.withdrawn)
        return self.status == DisputeStatus.LOST or is_given_back

    def awaits_answer(self, now: datetime) -> bool:
        """Whether the restaurant can still answer it."""
        return self.status in AWAITING_ANSWER and self.due_by is not None and now < self.due_by


class DisputeTransition(TransitionRecord):
    """An audit row: one change of a dispute's status."""

    field = models.CharField(max_length=20)
    old = models.CharField(max_length=30)
    new = models.CharField(max_length=30)
    dispute = models.ForeignKey(Dispute, models.CASCADE, related_name="transitions")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")

    class Meta(TransitionRecord.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.dispute_id}: {self.field} {self.old} → {self.new}"


class EarlyFraudWarning(models.Model):
    """A card's issuer suspects that a charge is fraud; most become disputes unless refunded.

    https://docs.stripe.com/disputes/how-disputes-work
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.PROTECT, related_name="fraud_warnings")
    fraud_type = models.CharField(max_length=60)  # Stripe's code
    # Until the charge is disputed or refunded in full.
    is_actionable = models.BooleanField()
    opened_at = models.DateTimeField()
    read_at = models.DateTimeField()
    warning_id = models.CharField(max_length=255, unique=True)  # Stripe's

    class Meta:
        indexes = [models.Index(fields=["restaurant", "-opened_at"], name="latest_fraud_warning")]

    def __str__(self) -> str:
        return f"fraud warning about {self.pre_order_id}"
