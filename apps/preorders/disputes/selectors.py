"""Reads of disputes and early fraud warnings, for a restaurant's team and for the platform."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet, Subquery

from apps.billing.models import Discrepancy, Payout
from apps.preorders.models import Dispute, EarlyFraudWarning, PaymentOperation
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    OPEN_DISPUTES,
    OperationKind,
    OperationStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.chargebacks import Chargebacks, chargebacks_of
from apps.restaurants.models import Restaurant

PAGE_SIZE = 50
ANSWERS = (OperationKind.ANSWER_DISPUTE, OperationKind.ACCEPT_DISPUTE)


@dataclass(frozen=True, slots=True)
class TeamTasks:
    """What waits for the team: disputes to answer, suspicious charges to decide about, refunds that
    came back, and payouts that a bank sent back."""

    to_answer: int
    answer_by: datetime | None  # the first of them
    warnings: int
    returned_refunds: int
    failed_payouts: int

    @property
    def count(self) -> int:
        return self.to_answer + self.warnings + self.returned_refunds + self.failed_payouts

    def __bool__(self) -> bool:
        return bool(self.count)


def team_tasks(*, restaurant: Restaurant, now: datetime) -> TeamTasks:
    """The restaurant's open tasks, in one query: every page of the team asks."""
    unanswered = _unanswered(Dispute.objects.filter(restaurant=restaurant), now)
    disputes = unanswered.order_by().values("restaurant")
    warnings = EarlyFraudWarning.objects.filter(restaurant=restaurant, is_actionable=True)
    payouts = Payout.objects.filter(restaurant=restaurant, status=Payout.Status.FAILED)
    found = Restaurant.objects.filter(pk=restaurant.pk).values_list(
        Subquery(disputes.annotate(first=Min("due_by")).values("first")),
        _count(unanswered),
        _count(warnings),
        _count(returned_refunds(restaurant=restaurant)),
        _count(payouts),
    )
    answer_by, *counts = found.get()
    to_answer, suspected, returned, failed = (count or 0 for count in counts)
    return TeamTasks(to_answer, answer_by, suspected, returned, failed)


def _count(rows: QuerySet[Any]) -> Subquery:
    """The number of a restaurant's rows; None without any."""
    counted = rows.order_by().values("restaurant").annotate(count=Count("pk"))
    return Subquery(counted.values("count"))


def returned_refunds(*, restaurant: Restaurant) -> QuerySet[Discrepancy]:
    """Refunds that a guest's bank sent back and nobody has paid another way yet, oldest first."""
    found = Discrepancy.objects.filter(
        restaurant=restaurant, kind=Discrepancy.Kind.REFUND_RETURNED, resolved_at=None
    )
    return found.select_related("pre_order").order_by("found_at", "pk")


def _unanswered(disputes: QuerySet[Dispute], now: datetime) -> QuerySet[Dispute]:
    return disputes.filter(status__in=AWAITING_ANSWER, due_by__gt=now).exclude(
        pk__in=PaymentOperation.objects.filter(dispute__isnull=False, kind__in=ANSWERS)
        .exclude(state=OperationStatus.FAILED)
        .values("dispute")
    )


def disputes_of_restaurant(*, restaurant: Restaurant) -> list[Dispute]:
    """The newest disputes with their orders; the open ones first."""
    found = Dispute.objects.filter(restaurant=restaurant).select_related("pre_order__offer")
    newest = list(found.order_by("-opened_at")[:PAGE_SIZE])
    return sorted(newest, key=lambda dispute: dispute.status not in OPEN_DISPUTES)


def warnings_of_restaurant(*, restaurant: Restaurant) -> list[EarlyFraudWarning]:
    """The warnings that ask for a decision, with their orders, newest first."""
    found = EarlyFraudWarning.objects.filter(restaurant=restaurant, is_actionable=True)
    return list(found.select_related("pre_order__offer").order_by("-opened_at")[:PAGE_SIZE])


def dispute_of_restaurant(*, restaurant: Restaurant, dispute_id: UUID) -> Dispute | None:
    """One dispute with its order; None if it doesn't belong to the restaurant."""
    found = Dispute.objects.filter(restaurant=restaurant, pk=dispute_id).select_related(
        "pre_order__offer__alternative_dish", "pre_order__pickup_slot"
    )
    dispute = found.first()
    if dispute is not None:
        dispute.pre_order.restaurant = dispute.pre_order.offer.restaurant = restaurant
    return dispute


def warning_of_restaurant(*, restaurant: Restaurant, warning_id: UUID) -> EarlyFraudWarning | None:
    """One warning with its order; None if it doesn't belong to the restaurant."""
    found = EarlyFraudWarning.objects.filter(restaurant=restaurant, pk=warning_id)
    warning = found.select_related("pre_order__offer").first()
    if warning is not None:
        warning.pre_order.restaurant = warning.pre_order.offer.restaurant = restaurant
    return warning


def latest_answer(dispute: Dispute) -> PaymentOperation | None:
    """The newest request to answer or accept the dispute, whatever became of it."""
    return dispute.operations.filter(kind__in=ANSWERS).order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class RestaurantDisputes:
    """A restaurant with open disputes or any chargeback lately, for the platform's staff."""

    restaurant: Restaurant
    open: int
    answer_by: datetime | None
    warnings: int
    chargebacks: Chargebacks


def disputes_of_platform(*, now: datetime) -> list[RestaurantDisputes]:
    """Restaurants with disputes or warnings, those to worry about first. Act as the platform."""
    open_now = Q(status__in=OPEN_DISPUTES)
    disputes: dict[UUID, dict[str, Any]] = {
        row["restaurant"]: dict(row)
        for row in Dispute.objects.values("restaurant").annotate(
            open=Count("pk", filter=open_now),
            first=Min("due_by", filter=Q(status__in=AWAITING_ANSWER, due_by__gt=now)),
        )
    }
    warnings = dict(
        EarlyFraudWarning.objects.filter(is_actionable=True)
        .values_list("restaurant")
        .annotate(count=Count("pk"))
    )
    restaurants = Restaurant.objects.filter(pk__in=disputes.keys() | warnings.keys())
    rows = [
        RestaurantDisputes(
            restaurant=restaurant,
            open=disputes.get(restaurant.pk, {}).get("open", 0),
            answer_by=disputes.get(restaurant.pk, {}).get("first"),
            warnings=warnings.get(restaurant.pk, 0),
            chargebacks=chargebacks_of(restaurant.pk, now=now),
        )
        for restaurant in restaurants.order_by("name")[:PAGE_SIZE]
    ]
    return sorted(rows, key=lambda row: (not row.chargebacks.is_excessive, -row.open))


def can_be_handed_over_anyway(dispute: Dispute) -> bool:
    """Whether the food can still be handed over although the bank has the money."""
    return bool(dispute.pre_order.disputed_amount) and dispute.pre_order.status in (
        PreOrderStatus.CONFIRMED,
        PreOrderStatus.NO_SHOW,
    )
