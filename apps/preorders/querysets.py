"""Named slices of the orders, and how portions are counted."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Exists, OuterRef, Q, Sum

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
MONEY_HELD_OR_TAKEN = Q(
    status__in=[
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
        PreOrderStatus.FULFILLED,
        PreOrderStatus.NO_SHOW,
    ],
    payment_status__in=sorted(BOOKED),
)
GIVING_BACK = [OperationKind.RELEASE, OperationKind.REFUND]


@dataclass(frozen=True, slots=True)
class PortionCount:
    booked: int
    taking_part: int


class PreOrderQuerySet(models.QuerySet["PreOrder"]):
    def booked(self) -> "PreOrderQuerySet":
        """Counting toward the minimum: money held or taken, and not about to be given back."""
        return self.filter(MONEY_HELD_OR_TAKEN).exclude(operations__kind__in=GIVING_BACK)

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

    def count_portions(self) -> PortionCount:
        """The portions of `booked()` and of `taking_part()`, in one pass over the orders."""
        operations = self.model._meta.get_field("operations").related_model._default_manager
        given_back = operations.filter(pre_order=OuterRef("pk"), kind__in=GIVING_BACK)
        booked = MONEY_HELD_OR_TAKEN & Q(~Exists(given_back))
        totals = self.aggregate(
            booked=Sum("quantity", filter=booked),
            waiting=Sum("quantity", filter=IN_CHECKOUT | PAYING_AGAIN),
        )
        in_hand = totals["booked"] or 0
        return PortionCount(in_hand, in_hand + (totals["waiting"] or 0))
