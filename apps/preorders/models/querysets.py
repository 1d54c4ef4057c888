"""Named slices of the orders, and how portions are counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q, Sum

from apps.preorders.models.states import (
    COUNTED_PAYMENTS,
    OperationKind,
    PaymentStatus,
    PreOrderStatus,
)

if TYPE_CHECKING:
    from apps.preorders.models import PreOrder
else:
    PreOrder = Any

ORDERS_IN_CHECKOUT = Q(
    status=PreOrderStatus.PENDING,
    payment_status__in=[PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
)
# An early capture was declined and the diner may still pay by link (DECISIONS X12, X21).
ORDERS_PAYING_AGAIN = Q(status=PreOrderStatus.PENDING, payment_status=PaymentStatus.CAPTURE_FAILED)
AUTHORIZED_OR_CAPTURED = Q(
    status__in=[
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
        PreOrderStatus.FULFILLED,
        PreOrderStatus.NO_SHOW,
    ],
    payment_status__in=sorted(COUNTED_PAYMENTS),
)
# The order's money goes back, all of it: what is refunded in part is still an order.
RETURNING_MONEY = Q(kind=OperationKind.RELEASE) | Q(kind=OperationKind.REFUND, refund_up_to=None)


@dataclass(frozen=True, slots=True)
class PortionCount:
    booked: int
    reserving: int


@dataclass(frozen=True, slots=True)
class PortionsOrdered:
    """Of one offer: everything ever ordered, and what is held or was charged of it."""

    all: int
    valid: int


class PreOrderQuerySet(models.QuerySet["PreOrder"]):
    def booked(self) -> "PreOrderQuerySet":
        """Counting toward the minimum: money held or taken, and not about to be given back."""
        return self.filter(AUTHORIZED_OR_CAPTURED & ~self._given_back())

    def in_checkout(self) -> "PreOrderQuerySet":
        """Begun, not yet held; its portions are reserved (DECISIONS X25)."""
        return self.filter(ORDERS_IN_CHECKOUT)

    def reserving(self) -> "PreOrderQuerySet":
        """Booked, in checkout or asked to pay again: their portions are nobody else's, and they
        keep an offer from being deleted (DECISIONS X16, X25)."""
        return self.filter(
            Q(pk__in=self.booked().values("pk")) | ORDERS_IN_CHECKOUT | ORDERS_PAYING_AGAIN
        )

    def portions(self) -> int:
        """How many portions these orders ask for."""
        return self.aggregate(total=Sum("quantity"))["total"] or 0

    def portions_by_offer(self, offers: Iterable[UUID]) -> dict[UUID, PortionsOrdered]:
        """What was ordered of each of these offers, in one statement; none for one without orders
        (DECISIONS X15)."""
        rows = (
            self.filter(offer__in=list(offers))
            .values("offer")
            .annotate(all=Sum("quantity"), valid=Sum("quantity", filter=AUTHORIZED_OR_CAPTURED))
            .order_by()
        )
        return {row["offer"]: PortionsOrdered(row["all"], row["valid"] or 0) for row in rows}

    def count_portions(self) -> PortionCount:
        """The portions of `booked()` and of `reserving()`, in one pass over the orders."""
        booked = AUTHORIZED_OR_CAPTURED & ~self._given_back()
        totals = self.aggregate(
            booked=Sum("quantity", filter=booked),
            waiting=Sum("quantity", filter=ORDERS_IN_CHECKOUT | ORDERS_PAYING_AGAIN),
        )
        in_hand = totals["booked"] or 0
        return PortionCount(in_hand, in_hand + (totals["waiting"] or 0))

    def _given_back(self) -> Q:
        operations = self.model._meta.get_field("operations").related_model._default_manager
        return Q(Exists(operations.filter(RETURNING_MONEY, pre_order=OuterRef("pk"))))
