"""Named slices of the orders, and how portions are counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q, Sum

from apps.preorders.states import BOOKED, OperationKind, PaymentStatus, PreOrderStatus

if TYPE_CHECKING:
    from apps.preorders.models import PreOrder
else:
    PreOrder = Any

CHECKOUT_OPEN_Q = Q(
    status=PreOrderStatus.PENDING,
    payment_status__in=[PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
)
# An early capture was declined and the diner may still pay by link (DECISIONS X12, X21).
AWAITING_PAYMENT_Q = Q(status=PreOrderStatus.PENDING, payment_status=PaymentStatus.CAPTURE_FAILED)
HELD_OR_CAPTURED_Q = Q(
    status__in=[
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
        PreOrderStatus.FULFILLED,
        PreOrderStatus.NO_SHOW,
    ],
    payment_status__in=sorted(BOOKED),
)
# The order's money goes back, all of it: what is refunded in part is still an order.
FULL_REVERSAL_Q = Q(kind=OperationKind.RELEASE) | Q(kind=OperationKind.REFUND, refund_up_to=None)


@dataclass(frozen=True, slots=True)
class PortionCount:
    booked: int
    taking_part: int


@dataclass(frozen=True, slots=True)
class PortionsOrdered:
    """Of one offer: everything ever ordered, and what is held or was charged of it."""

    all: int
    valid: int


class PreOrderQuerySet(models.QuerySet["PreOrder"]):
    def booked(self) -> "PreOrderQuerySet":
        """Counting toward the minimum: money held or taken, and not about to be given back."""
        return self.filter(HELD_OR_CAPTURED_Q & ~self._given_back())

    def in_checkout(self) -> "PreOrderQuerySet":
        """Begun, not yet held; its portions are reserved (DECISIONS X25)."""
        return self.filter(CHECKOUT_OPEN_Q)

    def taking_part(self) -> "PreOrderQuerySet":
        """Booked, in checkout or asked to pay again: their portions are nobody else's, and they
        keep an offer from being deleted (DECISIONS X16, X25)."""
        return self.filter(
            Q(pk__in=self.booked().values("pk")) | CHECKOUT_OPEN_Q | AWAITING_PAYMENT_Q
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
            .annotate(all=Sum("quantity"), valid=Sum("quantity", filter=HELD_OR_CAPTURED_Q))
            .order_by()
        )
        return {row["offer"]: PortionsOrdered(row["all"], row["valid"] or 0) for row in rows}

    def count_portions(self) -> PortionCount:
        """The portions of `booked()` and of `taking_part()`, in one pass over the orders."""
        booked = HELD_OR_CAPTURED_Q & ~self._given_back()
        totals = self.aggregate(
            booked=Sum("quantity", filter=booked),
            waiting=Sum("quantity", filter=CHECKOUT_OPEN_Q | AWAITING_PAYMENT_Q),
        )
        in_hand = totals["booked"] or 0
        return PortionCount(in_hand, in_hand + (totals["waiting"] or 0))

    def _given_back(self) -> Q:
        operations = self.model._meta.get_field("operations").related_model._default_manager
        return Q(Exists(operations.filter(FULL_REVERSAL_Q, pre_order=OuterRef("pk"))))
