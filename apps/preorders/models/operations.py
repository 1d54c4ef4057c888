"""What is to be done with an order's money."""

import uuid

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus

SETTLEMENT_KINDS = sorted({OperationKind.CAPTURE, OperationKind.RELEASE})


class PaymentOperation(models.Model):
    """One thing to be done with an order's money: an outbox row (design §3).

    Decided in a transaction, carried out by a worker that holds a lease and no lock. An order has
    one capture or one release, never both: the database says so.
    """

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=20, choices=OperationKind)
    stage = models.CharField(max_length=20, choices=OperationStage, default=OperationStage.HOLD)
    state = models.CharField(
        max_length=20, choices=OperationStatus, default=OperationStatus.PENDING
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True)  # what idempotency keys derive from
    # A definite server error is replayed for its key; the next try needs another one.
    epoch = models.PositiveIntegerField(default=0)
    # A refund: the part asked for, None is all that is left; and what is to have gone back in all
    # when it is done, None is all of the charge.
    amount = models.DecimalField(**MONEY_COLUMN, null=True)
    refund_up_to = models.DecimalField(**MONEY_COLUMN, null=True)
    # A new hold that the diner asked for: the order is for so many portions then. None where the
    # old hold would have ended too early.
    quantity = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=200, blank=True)  # why, and who asked for it
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()  # not before this; a worker's lease moves it ahead
    # The payment intent or checkout session that the present stage created at the processor.
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
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state=OperationStatus.PENDING),
                name="operations_due",
            ),
            # Few at any time: what is asked for beyond an offer's orders is read with every order.
            models.Index(
                fields=["pre_order"],
                condition=Q(state=OperationStatus.PENDING, quantity__isnull=False),
                name="changes_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.pre_order_id}: {self.state}"
