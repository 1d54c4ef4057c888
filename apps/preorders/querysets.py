"""Named slices of the orders, and how portions are counted."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q, Sum

from apps.preorders.states import BOOKED, OperationKind, PaymentStatus, PreOrderStatus

if TYPE_CHECKING:
    from apps.preorders.models import PreOrder
else:
    PreOrder = Any

IN_CHECKOUT = Q(
    status=PreOrderStatus.PENDING,
    payment_status__in=[PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
)
# An early capture was declined and the diner may still pay by link (DECISIONS X12, X21).
PAYING_AGAIN = Q(status=PreOrderStatus.PENDING, payment_status=PaymentStatus.CAPTURE_FAILED)


class PreOrderQuerySet(models.QuerySet["PreOrder"]):
    def booked(self) -> "PreOrderQuerySet":
        """Counting toward the minimum: money held or taken, and not about to be given back."""
        return self.filter(
            status__in=[
                PreOrderStatus.PENDING,
                PreOrderStatus.CONFIRMED,
                PreOrderStatus.FULFILLED,
                PreOrderStatus.NO_SHOW,
            ],
            payment_status__in=sorted(BOOKED),
        ).exclude(operations__kind__in=[OperationKind.RELEASE, OperationKind.REFUND])

    def in_checkout(self) -> "PreOrderQuerySet":
        """Begun, not yet held; its portions are reserved (DECISIONS X25)."""
        return self.filter(IN_CHECKOUT)

    def taking_part(self) -> "PreOrderQuerySet":
        """Booked, in checkout or asked to pay again: their portions are nobody else's, and they
        keep an offer from being deleted (DECISIONS X16, X25)."""
        return self.filter(Q(pk__in=self.booked().values("pk")) | IN_CHECKOUT | PAYING_AGAIN)

    def portions(self) -> int:
        """How many portions these orders ask for."""
        return self.aggregate(total=Sum("quantity"))["total"] or 0
