"""Queries for orders, and how their portions are counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest

from apps.preorders.models.states import (
    COUNTED_PAYMENTS,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReservationStatus,
)

if TYPE_CHECKING:
    from apps.preorders.models import PreOrder
else:
    PreOrder = Any

CHECKOUT_OPEN_Q = Q(
    status=PreOrderStatus.PENDING,
    payment_status__in=[PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
)
# In checkout with its portions reserved; a lapsed reservation can still be finished while portions
# are left (decision 51).
RESERVED_Q = CHECKOUT_OPEN_Q & Q(reservation=ReservationStatus.RESERVED)
# An early capture was declined and the guest can still pay by link (DECISIONS X12, X21).
AWAITING_PAYMENT_Q = Q(status=PreOrderStatus.PENDING, payment_status=PaymentStatus.CAPTURE_FAILED)
HELD_OR_CAPTURED_Q = Q(
    status__in=[
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
        PreOrderStatus.FULFILLED,
        PreOrderStatus.NO_SHOW,
    ],
    payment_status__in=sorted(COUNTED_PAYMENTS),
)
# Operations that return all of an order's money. A partially refunded order still counts.
# One that Stripe refused for good returned nothing.
FULL_REFUND_Q = Q(kind=OperationKind.REFUND, refund_up_to=None) & ~Q(state=OperationStatus.FAILED)
FULL_REVERSAL_Q = Q(kind=OperationKind.RELEASE) | FULL_REFUND_Q


def sum_of(rows: "models.QuerySet[Any, Any]", what: Combinable) -> Combinable:
    """The sum over rows that are grouped into one group, as a part of another query; 0 without."""
    total = rows.order_by().annotate(total=Sum(what)).values("total")
    return Coalesce(Subquery(total), 0)


@dataclass(frozen=True, slots=True)
class PortionsOrdered:
    """An offer's portions: all ever ordered, and those whose card is held or charged."""

    all: int
    valid: int


class PreOrderQuerySet(models.QuerySet["PreOrder"]):
    """Named subsets of orders. "Counted" orders count toward the minimum."""

    def counted(self) -> "PreOrderQuerySet":
        """Orders that count toward the minimum: held or charged, and not being returned."""
        return self.filter(HELD_OR_CAPTURED_Q & ~self._refunded())

    def in_checkout(self) -> "PreOrderQuerySet":
        """Orders in checkout, without a held card, whether or not their portions are reserved."""
        return self.filter(CHECKOUT_OPEN_Q)

    def reserving(self) -> "PreOrderQuerySet":
        """Orders whose portions are taken: counted, reserved in checkout, or asked to pay again.

        An offer with such orders can't be deleted (DECISIONS X16, X25).
        """
        counted = HELD_OR_CAPTURED_Q & ~self._refunded()
        return self.filter(counted | RESERVED_Q | AWAITING_PAYMENT_Q)

    def portions(self) -> int:
        """The number of portions in these orders."""
        return self.aggregate(total=Sum("quantity"))["total"] or 0

    def portions_by_offer(self, offers: Iterable[UUID]) -> dict[UUID, PortionsOrdered]:
        """Portions by offer, in one query (DECISIONS X15). Offers without orders are missing."""
        rows = (
            self.filter(offer__in=list(offers))
            .values("offer")
            .annotate(all=Sum("quantity"), valid=Sum("quantity", filter=HELD_OR_CAPTURED_Q))
            .order_by()
        )
        return {row["offer"]: PortionsOrdered(row["all"], row["valid"] or 0) for row in rows}

    def portion_sums(self, *, besides: Combinable) -> "models.QuerySet[Any, Any]":
        """By offer, in one pass: the portions of `counted()`, those that `reserving()` adds and
        `besides`, which is what else is taken, from other tables (`sum_of`), and those that guests
        asked for friends. An offer without orders has no row."""
        counted = HELD_OR_CAPTURED_Q & ~self._refunded()
        waiting = RESERVED_Q | AWAITING_PAYMENT_Q
        sums = (
            self.order_by()
            .values("offer")
            .annotate(
                counted=Sum("quantity", filter=counted, default=0),
                others=Sum("quantity", filter=waiting, default=0) + besides,
                for_friends=Sum("friend_portions", default=0),
            )
        )
        return sums.values_list("counted", "others", "for_friends")

    def left_for_friends(self) -> "models.QuerySet[Any, Any]":
        """Of each counted order whose guest reserves portions for friends, its pickup slot's id and
        how many of them the friends haven't ordered (decision 88)."""
        friends = self.model._default_manager.filter(friend_of=OuterRef("pk"))
        ordered = sum_of(friends.reserving().values("friend_of"), F("quantity"))
        left = Greatest(F("friend_portions") - ordered, 0)
        starters = self.counted().filter(friend_portions__gt=0).annotate(left=left)
        return starters.values_list("pickup_slot", "left")

    def _refunded(self) -> Q:
        operations = self.model._meta.get_field("operations").related_model._default_manager
        return Q(Exists(operations.filter(FULL_REVERSAL_Q, pre_order=OuterRef("pk"))))
