"""Payment operations: the outbox of calls to Stripe."""

import uuid

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN
from apps.common.transitions import ACTOR_LENGTH, REASON_CODE_LENGTH, REASON_LENGTH
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import (
    Instruction,
    OperationKind,
    OperationStage,
    OperationStatus,
)

SETTLEMENT_KINDS = sorted({OperationKind.CAPTURE, OperationKind.RELEASE})


class PaymentOperation(models.Model):
    """A change to an order's payment that a worker executes: an outbox row (design §3).

    It is created in the transaction that decides it; the worker holds a lease and no lock. A
    constraint gives each order either one capture or one release.
    """

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=20, choices=OperationKind)
    stage = models.CharField(max_length=20, choices=OperationStage, default=OperationStage.HOLD)
    state = models.CharField(
        max_length=20, choices=OperationStatus, default=OperationStatus.PENDING
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True)  # idempotency keys derive from it
    # Stripe replays a definite error for its key; a new epoch makes a new key.
    epoch = models.PositiveIntegerField(default=0)
    # Refunds: the amount requested, None for all that is left; and the total refunded when it is
    # done, None for the whole charge.
    amount = models.DecimalField(**MONEY_COLUMN, null=True)
    refund_up_to = models.DecimalField(**MONEY_COLUMN, null=True)
    # Renewals: the order's new quantity if the guest changed it; None if the hold would expire. And
    # the new pickup time, if the guest changed that with it.
    quantity = models.PositiveIntegerField(null=True)
    pickup_slot = models.ForeignKey(
        "offers.PickupSlot", models.PROTECT, null=True, blank=True, related_name="requests"
    )
    # What a dispute's operation is about; `amount` is what to reverse at most. A refund with a
    # dispute repeats what that dispute overtook (decision 74).
    dispute = models.ForeignKey(
        "preorders.Dispute", models.PROTECT, null=True, blank=True, related_name="operations"
    )
    # Why, as in `TransitionRecord`. Of a declined authorization, the code is the bank's.
    reason_code = models.CharField(max_length=REASON_CODE_LENGTH, blank=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    actor = models.CharField(max_length=ACTOR_LENGTH, blank=True)
    # What staff decided while the operation was waiting.
    instruction = models.CharField(max_length=20, choices=Instruction, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()  # not before this time; a worker's lease postpones it
    # What the current stage created at Stripe: a payment intent, a checkout session, a transfer's
    # reversal, the file with the evidence of a dispute.
    reference = models.CharField(max_length=255, blank=True)
    error = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind__in=SETTLEMENT_KINDS),
                name="capture_or_release_once",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.REFUND, state=OperationStatus.PENDING),
                name="one_refund_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.RENEW, state=OperationStatus.PENDING),
                name="one_renewal_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.AUTHORIZE),
                name="authorize_once",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.FORGET),
                name="forget_once",
            ),
            models.UniqueConstraint(
                fields=["dispute", "kind"],
                condition=Q(dispute__isnull=False) & ~Q(state=OperationStatus.FAILED),
                name="once_for_each_dispute",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state=OperationStatus.PENDING),
                name="operations_due",
            ),
            # Pending quantity changes reserve portions, so every new order reads them; few exist.
            models.Index(
                fields=["pre_order"],
                condition=Q(state=OperationStatus.PENDING, quantity__isnull=False),
                name="changes_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.pre_order_id}: {self.state}"
